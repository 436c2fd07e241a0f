/** @import { Answer } from './server-calls.js' */
import { commandButtons } from './command-form.js'
import { card, element } from './elements.js'
import { plainTimes, termText, timeText } from './figures.js'
import { read } from './server-calls.js'
import { stackedTable, table } from './tables.js'

/**
 * What may it do, and who told it so?
 * @param {{ readonly bot: string, readonly canOperate: boolean, readonly onAnswer: (message: string) => void }} page
 */
export async function riskScreen({ bot, canOperate, onAnswer }) {
  const [states, limits, rules, audit] = [element('div'), element('div'), element('div'), element('div')]
  const update = async () => {
    const view = await read('/api/views/risk')
    states.replaceChildren(stateTable(view), closingText(view.closing))
    limits.replaceChildren(meterList(view.limits))
    rules.replaceChildren(ruleTable(view.configured))
    audit.replaceChildren(auditTable(view.audit))
  }
  return {
    nodes: [
      card('Trading', states),
      card(
        'Control',
        canOperate
          ? commandButtons(bot, onAnswer)
          : element(
              'p',
              { class: 'hint' },
              'You may look; commands need the role “operate” of a running bot.',
            ),
      ),
      card('Limits, as the latest orders met them', limits),
      card('Limits and protections, as configured', rules),
      card('Commands so far', audit),
    ],
    update,
    remove: () => {},
  }
}

/** @param {Answer} view */
function stateTable({ trading, stoppedAt }) {
  return table(
    'Trading by scope',
    ['Scope', 'Trading', 'Held by', 'Protections that watch'],
    trading.map((/** @type {Answer} */ one) => [
      one.scope,
      stoppedAt === undefined
        ? element('span', { class: one.effectiveMode === 'active' ? 'gain' : 'loss' }, one.effectiveMode)
        : element('span', { class: 'loss' }, `not running (${one.effectiveMode} at the end)`),
      one.heldBy.length === 0
        ? '–'
        : one.heldBy.map((/** @type {string} */ line) => element('div', {}, plainTimes(line))),
      one.protections.join(', ') || '–',
    ]),
    'There are no scopes.',
  )
}

/** @param {readonly string[]} closing */
function closingText(closing) {
  return element(
    'p',
    { class: 'hint' },
    closing.length === 0 ? '' : `Still being closed: ${closing.join(', ')}.`,
  )
}

/** @param {readonly Answer[]} meters */
function meterList(meters) {
  if (meters.length === 0) return element('p', { class: 'hint' }, 'No order was checked yet.')
  return element(
    'ul',
    { class: 'meters' },
    ...meters.map(({ key, limit, actual, used }) =>
      element(
        'li',
        {},
        element('span', {}, termText(key)),
        used === undefined
          ? element('span')
          : element('meter', {
              min: 0,
              max: 1,
              high: 0.8,
              low: 0.5,
              optimum: 0,
              value: Math.min(1, used),
              'aria-label': `${termText(key)}: ${Math.round(used * 100)}%`,
            }),
        element(
          'span',
          {},
          key.startsWith('minimum') ? `${actual}, at least ${limit}` : `${actual} of ${limit}`,
        ),
      ),
    ),
  )
}

/** @param {readonly Answer[]} rules */
function ruleTable(rules) {
  return table(
    'Configured rules',
    ['Scope', 'Rule', 'Value'],
    rules.map(({ scope, name, rule }) => [scope, name, rule]),
    'None is configured.',
  )
}

/** @param {readonly Answer[]} audit */
function auditTable(audit) {
  return stackedTable(
    'Commands',
    ['Time', 'Command', 'On', 'Reason', 'Who', 'From', 'Result'],
    audit.map(({ time, request, origin, ok, message }) => [
      timeText(time),
      request.command,
      request.symbol ?? 'the whole bot',
      request.reason ?? '',
      origin.who,
      origin.from,
      element('span', { class: ok ? undefined : 'loss' }, plainTimes(message)),
    ]),
    'Nobody has commanded it yet.',
  )
}
