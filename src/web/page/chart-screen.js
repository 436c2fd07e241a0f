/** @import { Answer } from './server-calls.js' */

import { paletteNow } from '../../../backtest/report/page/palette.js'
import { PriceChart } from '../../../backtest/report/page/price-chart.js'
import { rangeButtons } from '../../../backtest/report/page/range-buttons.js'
import { withCommas } from '../../domain/numbers/grouped.ts'
import { card, element } from './elements.js'
import { countText, plainTimes, termText, timeText } from './figures.js'
import { read } from './server-calls.js'
import { linkButton, nameText, table } from './tables.js'
import { whyView } from './why-view.js'

/** Klines in view at first. */
const FIRST_KLINES = 120

/** The script before this one makes the library global; nothing declares that to the type checker. */
const library = /** @type {{ LightweightCharts: typeof import('lightweight-charts') }} */ (
  /** @type {unknown} */ (globalThis)
).LightweightCharts

const choice = { stream: '', outcome: 'some', run: 'live' }
/** @type {PriceChart | undefined} */
let drawn
/** What the drawn chart is made for: another market or other series need another chart. */
let drawnOf = ''
/** Times of the entries of its round trips, in seconds. @type {readonly number[]} */
let drawnEntries = []

/** What did it see, what did it do, and why? It redraws its parts in place, so that the view of the chart stays. */
export async function chartScreen() {
  const container = /** @type {HTMLElement} */ (
    element('div', {
      class: 'chart',
      role: 'img',
      'aria-label': 'Klines with indicators, round trips and orders; the table below has the decisions',
    })
  )
  const legend = /** @type {HTMLElement} */ (element('p', { class: 'legend' }))
  const ranges = element('span', { class: 'ranges', role: 'group', 'aria-label': 'Span shown' })
  let isHeld = false
  let isRemoved = false
  container.addEventListener('pointerdown', () => {
    isHeld = true
  })
  for (const ending of ['pointerup', 'pointercancel'])
    container.addEventListener(ending, () => {
      isHeld = false
    })
  const streams = element('select', { id: 'stream' })
  const outcomes = element(
    'select',
    { id: 'outcome' },
    ...[
      ['some', 'that came to something'],
      ['denied', 'denied'],
      ['ordered', 'ordered'],
      ['', 'all, also those that came to nothing'],
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
  const showFound = (/** @type {Promise<number | string>} */ found) =>
    void found.then(id =>
      typeof id === 'string' ? why.replaceChildren(element('p', { class: 'hint' }, id)) : show(id),
    )
  const update = async () => {
    const stream = choice.stream === '' ? '' : `&stream=${encodeURIComponent(choice.stream)}`
    const filter = choice.outcome === '' ? '' : `?outcome=${choice.outcome}`
    const [view, listed] = await Promise.all([
      read(`/api/views/chart?run=${choice.run}${stream}`),
      read(`/api/views/decisions${filter}`),
    ])
    // Another screen may be shown by the time that an answer comes: its chart would be drawn for nobody, and never end.
    if (isRemoved) return
    fillStreams(streams, view)
    // A chart that is dragged is not drawn anew under the hand.
    if (view.chart !== undefined && !isHeld) draw(view, { container, legend, ranges, showFound })
    list.replaceChildren(
      element('p', { class: 'hint' }, decisionsText(listed)),
      decisionTable(listed.decisions, id => void show(id)),
    )
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
          ranges,
        ),
        legend,
        container,
        element(
          'p',
          { class: 'hint' },
          'Lines are indicators as the strategy saw them and series that it plotted; dotted level lines are stops, targets and entries that wait; dashed lines lead from the entry to the exit of a round trip; triangles are entries and fills, hollow those of the backtest; squares are denied orders, crosses canceled ones. Bars below the price are volume, those in the pane of equity the results of round trips. Click a kline to see what was decided on it.',
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
    remove: () => {
      isRemoved = true
      drawn?.remove()
      drawn = undefined
    },
  }
}

/**
 * Draws a view into its chart, which goes on from where it is looked at.
 * @param {Answer} view
 * @param {{ readonly container: HTMLElement, readonly legend: HTMLElement, readonly ranges: Element, readonly showFound: (id: Promise<number | string>) => void }} place
 */
function draw({ stream, chart }, { container, legend, ranges, showFound }) {
  drawnEntries = chart.trips.entryTime
  const names = chart.series.map((/** @type {Answer} */ { name, isPrice }) => `${name} ${isPrice}`)
  const made = [stream, ...names, chart.worth !== undefined].join('\n')
  if (drawn !== undefined && drawnOf === made) {
    drawn.update(chart)
    return
  }
  const isSameStream = drawnOf.startsWith(`${stream}\n`)
  const view = isSameStream ? drawn?.view : undefined
  drawn?.remove()
  drawn = new PriceChart(library, container, legend, chart, paletteNow(), row =>
    showFound(orderedBy((drawnEntries[row] ?? 0) * 1000)),
  )
  drawnOf = made
  const chartNow = drawn
  drawn.onTime = time => showFound(decidedAt(stream, time * 1000, chartNow.shownSeconds * 1000))
  ranges.replaceChildren(...rangeButtons(drawn))
  const { span, klineSeconds } = drawn
  const from = Math.max(span.from, span.to - FIRST_KLINES * klineSeconds)
  drawn.show(view?.from ?? from, view?.to ?? span.to + 4 * klineSeconds)
}

/**
 * The latest decision at the close of the kline that opened at a time, or of one that is drawn as part of it; a sentence where none is known.
 * @param {string} stream
 * @param {number} time ms UTC
 * @param {number} length of the kline that is drawn, ms
 */
async function decidedAt(stream, time, length) {
  const query = new URLSearchParams({ stream, from: `${time}`, to: `${time + length}` })
  const { decisions, since } = await read(`/api/views/decisions?${query}`)
  return decisions[0]?.id ?? unknownText(time, since) ?? 'Nothing was decided at the close of this kline.'
}

/**
 * The latest decision up to a time, ms UTC, that led to an order; a sentence where none is known.
 * @param {number} time
 */
async function orderedBy(time) {
  const { decisions, since } = await read(`/api/views/decisions?outcome=ordered&until=${time}`)
  return decisions[0]?.id ?? unknownText(time, since) ?? 'No decision of this bot led to it.'
}

/**
 * @param {number} time ms UTC
 * @param {number | undefined} since time from which decisions are known
 */
function unknownText(time, since) {
  if (since === undefined || time >= since) return undefined
  return `Decisions are known here from ${timeText(since)} on, and this is of before. “npm run view” runs a journal again as far as it goes back.`
}

/**
 * How many decisions there are of those that are listed, and since when.
 * @param {Answer} list
 */
function decisionsText({ decisions, count, since }) {
  const known = since === undefined ? '' : ` since ${timeText(since)}, from when on they are known here`
  if (decisions.length < count)
    return `The latest ${countText(decisions.length)} of ${countText(count)}${known}.`
  return since === undefined ? '' : `All${known}.`
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
    ['Why', 'Time', 'Strategy', 'On', 'Signal', 'Outcome'],
    decisions.map(one => [
      linkButton(`why ${one.id}`, () => onChoice(one.id)),
      timeText(one.time),
      nameText(one.strategy),
      one.symbol,
      element('span', { class: 'signals' }, plainTimes(one.signals.join('; ') || `none: ${one.cause}`)),
      element(
        'span',
        { class: one.outcome === 'denied' ? 'signals loss' : 'signals' },
        withCommas(one.denial ?? outcomeText(one)),
      ),
    ]),
    'Nothing was decided yet.',
  )
}

/**
 * What came of a decision, in words.
 * @param {Answer} decision
 */
function outcomeText({ outcome, ordered, idle }) {
  if (outcome === 'ordered') return `ordered: ${ordered.map(termText).join(', ')}`
  return outcome === 'signal' ? (idle === undefined ? 'no order followed' : `no order: ${idle}`) : outcome
}

/** @param {Event} event */
function chosenIn(event) {
  return /** @type {HTMLSelectElement} */ (event.target).value
}
