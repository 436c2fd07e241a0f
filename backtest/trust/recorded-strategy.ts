import type { Kline } from '../../src/domain/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../../src/domain/kline-series.ts'
import type { Strategy, StrategyRun } from '../../src/strategy/define-strategy.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import type { FillView, OrderView, StrategyView } from '../../src/strategy/strategy-view.ts'

/** The handlers of a strategy. */
export type Handler = 'onKline' | 'onFill' | 'onOrder'

/** Something a strategy was told or said. */
export interface RecordEntry {
  readonly what: 'signal' | 'fill' | 'order'
  readonly handler: Handler
  /** Which of several markets it belongs to. */
  readonly market?: string | undefined
  /**
   * Row of the kline it belongs to: the one shown to `onKline`, the one that is traded for the others. Of several markets it
   * counts the moments at which klines closed before.
   */
  readonly row: number
  /** Market time, ms UTC. */
  readonly time: number
  /** As JSON, taken at once: what a strategy returned it may change later. */
  readonly text: string
}

/** A strategy that does as another, and a record of what it was told and said. */
export interface RecordedStrategy {
  readonly strategy: Strategy
  readonly entries: readonly RecordEntry[]
  /** How many klines it was shown. */
  readonly klinesSeen: () => number
}

/** How a strategy is recorded. */
export interface RecordOptions {
  /** Replaces the klines it is shown before its first decision. */
  readonly warmUp?: number | undefined
  /** The record of all, where there are several. */
  readonly shared?: SharedRecord | undefined
}

/** What records of several strategies have in common. */
export interface SharedRecord {
  readonly entries: RecordEntry[]
  /** Row of what happens now. */
  readonly row: () => number
  /** The market of this one. */
  readonly market: string
}

/** Wraps a strategy for one run on one instrument. */
export function recordedStrategy(
  strategy: Strategy,
  { warmUp, shared }: RecordOptions = {},
): RecordedStrategy {
  const entries = shared?.entries ?? []
  let run: RecordedRun | undefined
  return {
    entries,
    klinesSeen: () => run?.klinesSeen ?? 0,
    strategy: {
      ...strategy,
      start(given, view) {
        run = new RecordedRun(strategy.start(given, view), view, entries, { warmUp, shared })
        return run
      },
    },
  }
}

class RecordedRun implements StrategyRun {
  readonly warmUp: number
  klinesSeen = 0
  readonly #inner: StrategyRun
  readonly #view: StrategyView
  readonly #entries: RecordEntry[]
  readonly #shared: SharedRecord | undefined

  constructor(
    inner: StrategyRun,
    view: StrategyView,
    entries: RecordEntry[],
    { warmUp = inner.warmUp, shared }: RecordOptions,
  ) {
    this.warmUp = warmUp
    this.#shared = shared
    this.#inner = inner
    this.#view = view
    this.#entries = entries
  }

  get memory(): unknown {
    return this.#inner.memory
  }

  set memory(memory: unknown) {
    this.#inner.memory = memory
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    this.#inner.announce(klines, from, to)
  }

  update(kline: Kline): void {
    this.#inner.update(kline)
    this.klinesSeen++
  }

  onKline(kline: Kline): Signals {
    return this.#noted('onKline', this.#inner.onKline(kline))
  }

  onKlines(cursor: KlineCursor, to: number): Signals {
    let signals: Signals
    while (signals === undefined && cursor.next < to) {
      const kline = new KlineRow(cursor.klines, cursor.next++)
      this.update(kline)
      signals = this.onKline(kline)
    }
    return signals
  }

  /** Always there, for orders and fills are recorded whether or not the strategy listens; an absent handler says nothing. */
  readonly onFill = (fill: FillView): Signals => {
    this.#note('fill', 'onFill', fill)
    return this.#noted('onFill', this.#inner.onFill?.(fill))
  }

  readonly onOrder = (order: OrderView): Signals => {
    this.#note('order', 'onOrder', order)
    return this.#noted('onOrder', this.#inner.onOrder?.(order))
  }

  #noted(handler: Handler, signals: Signals): Signals {
    if (signals !== undefined) this.#note('signal', handler, signals)
    return signals
  }

  #note(what: RecordEntry['what'], handler: Handler, value: unknown): void {
    const own = handler === 'onKline' ? this.klinesSeen - 1 : this.klinesSeen
    const row = this.#shared?.row() ?? own
    const market = this.#shared?.market
    this.#entries.push({ what, handler, market, row, time: this.#view.time, text: JSON.stringify(value) })
  }
}
