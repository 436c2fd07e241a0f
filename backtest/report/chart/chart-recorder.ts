import { bookOf, wholeBook } from '../../../src/domain/book-names.ts'
import type { Notice } from '../../../src/domain/events/engine-output.ts'
import type { Explanation } from '../../../src/domain/events/explanation.ts'
import { namedNumbers } from '../../../src/domain/numbers/named-numbers.ts'
import type { Denial } from '../../../src/domain/orders/denial.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { OrderRequest } from '../../../src/domain/orders/order-request.ts'
import { isWorking } from '../../../src/domain/orders/order-status.ts'
import { orderWord } from '../../../src/domain/orders/order-words.ts'
import { trailingLevel } from '../../../src/domain/orders/trailing-stop.ts'
import type { OrderLevel, RecordedChart, RecordedEnd, RecordedSeries } from './recorded-chart.ts'

/** Orders that came to nothing are marked up to this number a book, so that the page stays bounded. */
const MOST_ENDS = 10_000

interface Chart {
  readonly series: Map<string, RecordedSeries>
  readonly levels: OrderLevel[]
  readonly ends: RecordedEnd[]
  /** Levels that stand, by clientOrderId. */
  readonly standing: Map<string, OrderLevel>
}

/** Records what charts show of a run: indicators, plots, levels of protection, and orders that came to nothing. */
export class ChartRecorder {
  readonly #charts = new Map<string, Chart>()

  /** The recorded charts, by book. */
  get charts(): ReadonlyMap<string, RecordedChart> {
    return this.#charts
  }

  /** Takes what a decision follows from. */
  readonly explain = (explanation: Explanation): void => {
    if (explanation.type === 'orderAssessed') return
    const chart = this.#chartOf(explanation.book)
    if (explanation.type === 'plotted') {
      note(chart, explanation.time, explanation.values)
      return
    }
    note(chart, explanation.time, explanation.indicators)
    if (explanation.type === 'klineSeen') return
    for (const { clientOrderId, price } of explanation.trailing)
      moveLevel(chart, clientOrderId, { kind: 'stop', price, from: explanation.time })
  }

  /** Takes a report of the engine. */
  readonly onNotice = (notice: Notice): void => {
    if (notice.type === 'denied') this.#deny(notice.denial, notice.time)
    if (notice.type === 'orderChanged') this.#change(notice.order, notice.time)
    if (notice.type === 'fillBooked' && !isWorking(notice.order.status))
      this.#end(notice.order.request, notice.fill.time)
  }

  /** Takes the best price since the anchor of a trailing stop, in ticks, at a time, ms UTC. */
  trail(request: OrderRequest, best: number, time: number): void {
    this.#trail(this.#chartOf(bookOf(request)), request, best, time)
  }

  #deny({ rule, message, intent }: Denial, time: number): void {
    const { ends } = this.#chartOf(bookOf(intent))
    if (ends.length < MOST_ENDS) ends.push({ kind: 'denied', time, text: `${orderWord(rule)}: ${message}` })
  }

  #change({ request, status, reason }: Order, time: number): void {
    const chart = this.#chartOf(bookOf(request))
    const price = priceIn(request)
    if (!isWorking(status)) {
      this.#end(request, time)
      if (request.protects === undefined && status !== 'filled' && chart.ends.length < MOST_ENDS)
        chart.ends.push({ kind: 'canceled', time, price, text: reason ?? orderWord(status) })
    } else if (request.protects !== undefined && price !== undefined) {
      const kind = request.purpose === 'takeProfit' ? 'target' : 'stop'
      moveLevel(chart, request.clientOrderId, { kind, price, from: time })
    } else if (!chart.standing.has(request.clientOrderId))
      this.#trail(chart, request, anchorOf(request), time)
  }

  #trail(
    chart: Chart,
    { clientOrderId, spec, side }: OrderRequest,
    best: number | undefined,
    time: number,
  ): void {
    if (spec.type !== 'trailingStop' || best === undefined) return
    const price = trailingLevel(spec, side === 'buy', best)
    if (price !== undefined) moveLevel(chart, clientOrderId, { kind: 'stop', price, from: time })
  }

  #end(request: OrderRequest, time: number): void {
    const { clientOrderId } = request
    const { standing } = this.#chartOf(bookOf(request))
    const level = standing.get(clientOrderId)
    if (level !== undefined) level.to = time
    standing.delete(clientOrderId)
  }

  #chartOf(book: string): Chart {
    const whole = wholeBook(book)
    const known = this.#charts.get(whole)
    if (known !== undefined) return known
    const chart: Chart = { series: new Map(), levels: [], ends: [], standing: new Map() }
    this.#charts.set(whole, chart)
    return chart
  }
}

function note({ series }: Chart, at: number, values: Readonly<Record<string, unknown>>): void {
  for (const [name, number] of namedNumbers(values)) {
    let known = series.get(name)
    if (known === undefined) {
      known = { time: [], value: [] }
      series.set(name, known)
    }
    known.time.push(at)
    known.value.push(number)
  }
}

/** A level stands where it stood, or is another one from now on. */
function moveLevel({ levels, standing }: Chart, clientOrderId: string, level: OrderLevel): void {
  const before = standing.get(clientOrderId)
  if (before?.price === level.price) return
  if (before !== undefined) before.to = level.from
  levels.push(level)
  standing.set(clientOrderId, level)
}

function anchorOf({ spec }: OrderRequest): number | undefined {
  return spec.type === 'trailingStop' ? spec.anchor : undefined
}

/** The price at which an order waits, in ticks; that of a trailing stop moves. */
function priceIn({ spec }: OrderRequest): number | undefined {
  if (spec.type === 'limit') return spec.price
  if (spec.type === 'stop' || spec.type === 'stopLimit') return spec.stopPrice
  return spec.type === 'ifTouched' ? spec.triggerPrice : undefined
}
