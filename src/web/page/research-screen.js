/** @import { Answer } from './server-calls.js' */
import { comparisonNodes } from './comparison-view.js'
import { card, element } from './elements.js'
import { countText, result, timeText } from './figures.js'
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
    const [orders, comparison] = await Promise.all([read('/api/views/orders'), read('/api/views/comparison')])
    figures.replaceChildren(...tripFigures(orders))
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

/** @param {Answer} view */
function tripFigures({ roundTrips: { totals, since } }) {
  if (totals.length === 0)
    return [element('p', { class: 'hint' }, 'No round trip is over yet, so there is nothing to compare.')]
  return totals.map(
    (/** @type {Answer} */ { quote, count, won, pnl, average, best, worst, gained, lost }) => {
      return pairs([
        ['since', timeText(since)],
        ['round trips', countText(count)],
        ['of them won', `${((100 * won) / count).toFixed(1)}%`],
        ['earned in all', result(Number(pnl), quote)],
        ['on average', result(Number(average), quote)],
        ['best', result(Number(best), quote)],
        ['worst', result(Number(worst), quote)],
        ['profit factor', Number(lost) === 0 ? 'no loss yet' : (Number(gained) / Number(lost)).toFixed(2)],
      ])
    },
  )
}
