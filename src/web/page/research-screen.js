/** @import { Answer } from './server-calls.js' */
import { comparisonNodes } from './comparison-view.js'
import { card, element } from './elements.js'
import { moneyDecimals, result } from './figures.js'
import { read } from './server-calls.js'
import { studyNodes } from './studies-view.js'
import { pairs } from './tables.js'

/** What do its results say so far? */
export async function researchScreen() {
  const figures = element('div')
  const beside = element('div', { id: 'comparison' })
  const studies = element(
    'div',
    { id: 'studies' },
    element('p', { class: 'hint' }, 'The study file is being read.'),
  )
  // Read once: a study is no part of what the bot does, and a large one takes its time.
  void read('/api/studies').then(
    answer => studies.replaceChildren(...studyNodes(answer)),
    error => studies.replaceChildren(element('p', { class: 'hint' }, error.message)),
  )
  const update = async () => {
    const [{ trips }, comparison] = await Promise.all([
      read('/api/views/orders'),
      read('/api/views/comparison'),
    ])
    figures.replaceChildren(tripFigures(trips))
    beside.replaceChildren(...comparisonNodes(comparison))
  }
  return {
    nodes: [
      card('Live beside the backtest', beside),
      card('Round trips so far', figures),
      card('Studies and verdicts', studies),
    ],
    update,
    remove: () => {},
  }
}

/** @param {readonly Answer[]} trips */
function tripFigures(trips) {
  if (trips.length === 0)
    return element('p', { class: 'hint' }, 'No round trip is over yet, so there is nothing to compare.')
  const earned = trips.map(({ pnl }) => Number(pnl))
  const wins = earned.filter(value => value > 0)
  const sum = (/** @type {readonly number[]} */ values) => values.reduce((total, value) => total + value, 0)
  const quote = trips[0]?.quote ?? ''
  const decimals = moneyDecimals(earned)
  return pairs([
    ['round trips', trips.length],
    ['of them won', `${((100 * wins.length) / trips.length).toFixed(1)}%`],
    ['earned in all', result(sum(earned), quote, decimals)],
    ['on average', result(sum(earned) / trips.length, quote, decimals)],
    ['best', result(Math.max(...earned), quote, decimals)],
    ['worst', result(Math.min(...earned), quote, decimals)],
    [
      'profit factor',
      sum(wins) === sum(earned) ? 'no loss yet' : (sum(wins) / (sum(wins) - sum(earned))).toFixed(2),
    ],
  ])
}
