/** @import { Answer } from './server-calls.js' */
import { DecisionChart } from './decision-chart.js'
import { card, element } from './elements.js'
import { timeText } from './figures.js'
import { read } from './server-calls.js'
import { linkButton, table } from './tables.js'
import { whyView } from './why-view.js'

const choice = { stream: '', outcome: 'some', run: 'live' }
/** @type {DecisionChart | undefined} */
let drawn

/** What did it see, what did it do, and why? It redraws its parts in place, so that the view of the chart stays. */
export async function chartScreen() {
  const container = element('div', {
    class: 'chart',
    role: 'img',
    'aria-label': 'Klines with indicators, decisions and fills; the table below has the decisions',
  })
  const streams = element('select', { id: 'stream' })
  const outcomes = element(
    'select',
    { id: 'outcome' },
    ...[
      ['some', 'with a signal'],
      ['denied', 'denied'],
      ['ordered', 'ordered'],
      ['', 'all, also without a signal'],
    ].map(([value = '', text = '']) =>
      element('option', { value, selected: value === choice.outcome }, text),
    ),
  )
  const runs = element(
    'select',
    { id: 'run' },
    ...[
      ['live', 'live'],
      ['backtest', 'the backtest of the same span'],
      ['both', 'both'],
    ].map(([value = '', text = '']) => element('option', { value, selected: value === choice.run }, text)),
  )
  const list = element('div')
  const why = element(
    'div',
    { id: 'why', 'aria-live': 'polite' },
    element('p', { class: 'hint' }, 'Choose a decision in the table, or a kline in the chart.'),
  )
  /** @param {number} id */
  const show = async id => {
    why.replaceChildren(whyView(await read(`/api/views/decision?id=${id}`)))
    why.scrollIntoView({ block: 'nearest' })
  }
  drawn = undefined
  const update = async () => {
    const query = choice.stream === '' ? '' : `?stream=${encodeURIComponent(choice.stream)}`
    const filter = choice.outcome === '' ? '' : `?outcome=${choice.outcome}`
    const [view, { decisions }] = await Promise.all([
      read(`/api/views/chart${query}`),
      read(`/api/views/decisions${filter}`),
    ])
    fillStreams(streams, view)
    drawn ??= new DecisionChart(
      container,
      time => void nearest(time).then(id => (id === undefined ? undefined : show(id))),
    )
    drawn.show(withRun(view))
    list.replaceChildren(decisionTable(decisions, id => void show(id)))
  }
  streams.addEventListener('change', event => {
    choice.stream = chosenIn(event)
    void update()
  })
  outcomes.addEventListener('change', event => {
    choice.outcome = chosenIn(event)
    void update()
  })
  runs.addEventListener('change', event => {
    choice.run = chosenIn(event)
    void update()
  })
  return {
    nodes: [
      card(
        'Chart',
        element(
          'div',
          { class: 'toolbar' },
          element('label', { for: 'stream' }, 'Klines of ', streams),
          element('label', { for: 'run' }, 'Fills of ', runs),
        ),
        container,
        element(
          'p',
          { class: 'hint' },
          'Lines are indicators as the strategy saw them; dashed lines are prices at which orders wait; arrows are fills. Click a kline to see what was decided on it.',
        ),
      ),
      card(
        'Decisions',
        element('div', { class: 'toolbar' }, element('label', { for: 'outcome' }, 'Show ', outcomes)),
        list,
      ),
      card('Why', why),
    ],
    update,
    remove: () => drawn?.remove(),
  }
}

/**
 * A view with the fills of the run that was chosen.
 * @param {Answer} view
 */
function withRun(view) {
  const { fills, backtestFills } = view
  if (choice.run === 'live') return view
  return { ...view, fills: choice.run === 'both' ? [...fills, ...backtestFills].sort(byTime) : backtestFills }
}

/**
 * The decision on the kline that opened at a time, ms UTC.
 * @param {number} time
 */
async function nearest(time) {
  const { decisions } = await read('/api/views/decisions')
  return decisions.findLast((/** @type {Answer} */ one) => one.time > time)?.id
}

/**
 * @param {HTMLElement} select
 * @param {Answer} view
 */
function fillStreams(select, { streams, stream }) {
  if (select.childElementCount === streams.length) return
  select.replaceChildren(
    ...streams.map((/** @type {string} */ name) =>
      element('option', { value: name, selected: name === stream }, name),
    ),
  )
}

/**
 * @param {readonly Answer[]} decisions
 * @param {(id: number) => void} onChoice
 */
function decisionTable(decisions, onChoice) {
  return table(
    'Decisions',
    ['Time', 'Strategy', 'On', 'Signal', 'Outcome', 'Why'],
    decisions.map(one => [
      timeText(one.time),
      one.strategy,
      one.symbol,
      one.signals.join('; ') || '–',
      element('span', { class: one.outcome === 'denied' ? 'loss' : undefined }, one.denial ?? one.outcome),
      linkButton(`why ${one.id}`, () => onChoice(one.id)),
    ]),
    'Nothing was decided yet.',
  )
}

/** @param {Event} event */
function chosenIn(event) {
  return /** @type {HTMLSelectElement} */ (event.target).value
}

/**
 * @param {Answer} left
 * @param {Answer} right
 */
function byTime(left, right) {
  return left.time - right.time
}
