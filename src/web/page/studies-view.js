/** @import { Answer } from './server-calls.js' */
import { element } from './elements.js'
import { countText, timeText, valueText } from './figures.js'
import { nameText, table } from './tables.js'

/**
 * Studies of the project with their best trial and verdict.
 * @param {Answer} answer
 */
export function studyNodes({ type, reason, path, trials, parts, studies, more }) {
  if (type === 'none') return [element('p', { class: 'hint' }, reason)]
  return [
    element('p', { class: 'hint' }, trialSentence(path, trials, parts)),
    table(
      'Studies',
      [
        'Strategy',
        'Market',
        'Klines',
        'Trials',
        'Best Sharpe ratio',
        'Parameters of the best',
        'Verdict',
        'Page',
      ],
      studies.map(studyRow),
      'All of them were on windows of walk-forwards.',
    ),
    more > 0 && element('p', { class: 'hint' }, `${more} more: npm run studies -- list names all.`),
  ].filter(node => node !== false)
}

/**
 * @param {string} path
 * @param {number} trials
 * @param {number} parts
 */
function trialSentence(path, trials, parts) {
  const of = parts === 0 ? '' : `, ${countText(parts)} of them on windows of walk-forwards`
  return `${countText(trials)} ${trials === 1 ? 'trial' : 'trials'} in ${path}${of}. The more there were, the better the best is by luck alone: its page says how much.`
}

/** @param {Answer} study */
function studyRow(study) {
  const { strategy, symbol, interval, data, from, to, finished, failed, bestSharpe, best, verdict } = study
  const query = new URLSearchParams({ strategy, data, from, to })
  return [
    nameText(strategy),
    `${symbol} ${interval}`,
    `${timeText(from).slice(0, 10)} to ${timeText(to).slice(0, 10)}`,
    failed === 0 ? countText(finished) : `${countText(finished)}, and ${countText(failed)} failed`,
    bestSharpe === null ? '–' : bestSharpe.toFixed(2),
    element('span', { class: 'signals' }, best === undefined ? '–' : parameterText(best)),
    verdict === undefined
      ? 'none yet'
      : pageLink(`/api/verdicts/${encodeURIComponent(verdict.id)}`, verdict.answer),
    pageLink(`/api/studies/page?${query}`, 'every trial'),
  ]
}

/** @param {Readonly<Record<string, unknown>>} parameters */
function parameterText(parameters) {
  const texts = Object.entries(parameters).map(([name, value]) => `${name}=${valueText(value)}`)
  return texts.join(' ') || '–'
}

/**
 * A link to a page of its own, which knows nothing of this one.
 * @param {string} href
 * @param {string} text
 */
function pageLink(href, text) {
  return element('a', { href, target: '_blank', rel: 'noopener' }, text)
}
