import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import type { StrategyRun } from '../../src/strategy/strategy-run.ts'
import type { FillView, OrderView, StrategyView } from '../../src/strategy/strategy-view.ts'
import { WrappedRun } from '../run/wrapped-run.ts'

/** One input or output of a strategy. */
export interface RecordEntry {
  readonly what: 'signal' | 'fill' | 'order'
  /** As a definition names it: `onKline`, `on.daily`. */
  readonly handler: string
  /** Which of several markets it belongs to. */
  readonly market?: string | undefined
  /**
   * Row of its kline: the one shown to `onKline`, the traded one for the others. With several markets it
   * counts the moments at which klines closed before.
   */
  readonly row: number
  /** Market time, ms UTC. */
  readonly time: number
  /** As JSON, taken at once, because a strategy may change a returned object later. */
  readonly text: string
}

/** A strategy that acts as another, with a record of its inputs and outputs. */
export interface RecordedStrategy {
  readonly strategy: Strategy
  readonly entries: readonly RecordEntry[]
  /** Number of klines shown to the strategy. */
  readonly klinesSeen: () => number
}

export interface RecordOptions {
  /** Replaces the klines it is shown before its first decision. */
  readonly warmUp?: number | undefined
  /** The record of all, where there are several. */
  readonly shared?: SharedRecord | undefined
}

/** Shared parts of the records of several strategies. */
export interface SharedRecord {
  readonly entries: RecordEntry[]
  /** Present row. */
  readonly row: () => number
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

class RecordedRun extends WrappedRun {
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
    super(inner, (handler, signals) => this.#noted(handler, signals), warmUp)
    this.#inner = inner
    this.#view = view
    this.#entries = entries
    this.#shared = shared
  }

  override update(kline: Kline): void {
    super.update(kline)
    this.klinesSeen++
  }

  /** Always present, because orders and fills are recorded even without such a handler. */
  override readonly onFill = (fill: FillView): Signals<string> => {
    this.#note('fill', 'onFill', fill)
    return this.#noted('onFill', this.#inner.onFill?.(fill))
  }

  override readonly onOrder = (order: OrderView): Signals<string> => {
    this.#note('order', 'onOrder', order)
    return this.#noted('onOrder', this.#inner.onOrder?.(order))
  }

  #noted(handler: string, signals: Signals<string>): Signals<string> {
    if (signals !== undefined) this.#note('signal', handler, signals)
    return signals
  }

  #note(what: RecordEntry['what'], handler: string, value: unknown): void {
    const own = handler === 'onKline' || handler.startsWith('on.') ? this.klinesSeen - 1 : this.klinesSeen
    const row = this.#shared?.row() ?? own
    const market = this.#shared?.market
    this.#entries.push({ what, handler, market, row, time: this.#view.time, text: JSON.stringify(value) })
  }
}
