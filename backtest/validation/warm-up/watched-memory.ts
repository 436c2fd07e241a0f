import { isDeepStrictEqual } from 'node:util'
import { amountFromNumber } from '../../../src/domain/numbers/amount.ts'
import type { OpeningBalances } from '../../../src/ledger/account-balances.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import type { Datum } from '../../../src/strategy/feeds/feeds.ts'
import type { Signals } from '../../../src/strategy/signals.ts'
import type { FeedRun, StrategyRun } from '../../../src/strategy/strategy-run.ts'
import { WarmedMemory } from '../../../src/strategy/strategy-state.ts'
import type { FillView, MarketView, OrderView, StrategyView } from '../../../src/strategy/strategy-view.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import type { Resumable } from '../../run/resumable.ts'
import { WrappedRun } from '../../run/wrapped-run.ts'
import type { RecordEntry } from '../recorded-strategy.ts'
import { recordRun } from '../run-record.ts'
import { freshMemory } from './declared-warm-up.ts'

/** Changes of a strategy's state over a backtest. */
export interface MemoryUse {
  /** True if the state holds functions or instances of classes, so that no other run can continue with it. */
  readonly isOpaque: boolean
  /** Rows before which it had no position and no orders, from the first of those asked for on, ascending. */
  readonly idleRows: readonly number[]
  /** True if the state was another than at a start before one of them. */
  readonly hasChanged: boolean
}

/** Account and state right after the close of a row; what a run needs to continue from there. */
export interface IdleMoment {
  readonly memory: unknown
  readonly balances: OpeningBalances
}

/** Plays a backtest from its first kline on: its decisions, and its use of `state`; `undefined` if it never changes one. */
export function* playWithMemory(
  backtest: BacktestOptions,
  first: number,
): Resumable<{ readonly entries: readonly RecordEntry[]; readonly use: MemoryUse | undefined }> {
  const fresh = freshMemory(backtest)
  const idleRows: number[] = []
  let [hasEverChanged, hasChanged] = [false, false]
  const entries = yield* watch(backtest, ({ row, view, memory, isUndisturbed }) => {
    if (row < first) return
    const isIdle = isUndisturbed && isIdleAt(view)
    if (isIdle) idleRows.push(row)
    if (hasEverChanged && (hasChanged || !isIdle)) return
    if (isDeepStrictEqual(memory, fresh)) return
    hasEverChanged = true
    hasChanged ||= isIdle
  })
  const isOpaque = !(isCopyable(fresh) || isOfStreams(fresh))
  return { entries, use: hasEverChanged || isOpaque ? { isOpaque, idleRows, hasChanged } : undefined }
}

/** Plays it once more, for account and state before some of its rows; `undefined` if its state cannot be copied. */
export function* idleMoments(
  backtest: BacktestOptions,
  rows: ReadonlySet<number>,
): Resumable<ReadonlyMap<number, IdleMoment> | undefined> {
  const moments = new Map<number, IdleMoment>()
  let isOpaque = false
  yield* watch(backtest, ({ row, view, memory }) => {
    if (isOpaque || !rows.has(row)) return
    if (isCopyable(memory))
      moments.set(row, { memory: structuredClone(memory), balances: balancesIn(view, backtest.balances) })
    else isOpaque = true
  })
  return isOpaque ? undefined : moments
}

/** The same strategy, which begins with the state of another run; `onStart` has its own before. */
export function withMemory(strategy: Strategy, memory: unknown): Strategy {
  return { ...strategy, start: (given, view) => new ContinuedRun(strategy.start(given, view), memory) }
}

class ContinuedRun extends WrappedRun {
  override readonly onStart: StrategyRun['onStart']

  constructor(inner: StrategyRun, memory: unknown) {
    super(inner, (_handler, signals) => signals)
    const restore = () => inner.restoreMemory(structuredClone(memory), inner.memoryVersion)
    const { onStart } = inner
    this.onStart =
      onStart &&
      (() => {
        const signals = onStart()
        restore()
        return signals
      })
    if (onStart === undefined) restore()
  }
}

/** The moment before anything of a row is known. */
interface Moment {
  readonly row: number
  readonly view: StrategyView
  readonly memory: unknown
  /** True if none of its orders changed since the close of the row before. */
  readonly isUndisturbed: boolean
}

function* watch(
  backtest: BacktestOptions,
  observe: (moment: Moment) => void,
): Resumable<readonly RecordEntry[]> {
  const { strategy } = backtest
  const watched: Strategy = {
    ...strategy,
    start: (given, view) => new WatchedRun(strategy.start(given, view), view, observe),
  }
  const { entries, error } = yield* recordRun({ ...backtest, strategy: watched })
  if (error !== undefined) throw error
  return entries
}

class WatchedRun extends WrappedRun {
  override readonly feeds: readonly FeedRun[]
  readonly #inner: StrategyRun
  readonly #view: StrategyView
  readonly #observe: (moment: Moment) => void
  #row = 0
  #isObserved = false
  #isUndisturbed = true

  constructor(inner: StrategyRun, view: StrategyView, observe: (moment: Moment) => void) {
    super(inner, (_handler, signals) => signals)
    this.#inner = inner
    this.#view = view
    this.#observe = observe
    this.feeds = inner.feeds.map(feed => new WatchedFeed(feed, () => this.#observeOnce()))
  }

  override update(kline: Parameters<StrategyRun['update']>[0]): void {
    this.#observeOnce()
    this.#row++
    this.#isObserved = false
    this.#isUndisturbed = true
    super.update(kline)
  }

  override readonly onFill = (fill: FillView): Signals<string> => {
    this.#isUndisturbed = false
    return this.#inner.onFill?.(fill)
  }

  override readonly onOrder = (order: OrderView): Signals<string> => {
    this.#isUndisturbed = false
    return this.#inner.onOrder?.(order)
  }

  /** Before the first datum after the close of a row, its own next kline or that of a feed. */
  #observeOnce(): void {
    if (this.#isObserved) return
    this.#isObserved = true
    const { memory } = this.#inner
    this.#observe({ row: this.#row, view: this.#view, memory, isUndisturbed: this.#isUndisturbed })
  }
}

class WatchedFeed implements FeedRun {
  readonly name: string
  readonly feed: FeedRun['feed']
  readonly warmUp: number
  readonly #inner: FeedRun
  readonly #beforeUpdate: () => void

  constructor(inner: FeedRun, beforeUpdate: () => void) {
    this.name = inner.name
    this.feed = inner.feed
    this.warmUp = inner.warmUp
    this.#inner = inner
    this.#beforeUpdate = beforeUpdate
  }

  get latest(): Datum | undefined {
    return this.#inner.latest
  }

  set latest(latest: Datum | undefined) {
    this.#inner.latest = latest
  }

  update(datum: Datum): void {
    this.#beforeUpdate()
    this.#inner.update(datum)
  }

  show(datum: Datum): Signals<string> {
    return this.#inner.show(datum)
  }
}

function isIdleAt(view: StrategyView): boolean {
  return (
    marketsOf(view).every(
      ({ position, lots, orders }) =>
        position.direction === 'flat' && lots.length === 0 && orders.length === 0,
    ) && view.equity > 0
  )
}

/** Its own market, and those of its roles. */
function marketsOf(view: StrategyView): readonly MarketView[] {
  return [view, ...Object.values(view.markets)]
}

/** Present balances of its accounts: of the assets that they opened with, and those of its instruments. */
function balancesIn(view: StrategyView, opening: OpeningBalances): OpeningBalances {
  const held = (market: MarketView, assets: Iterable<string>) =>
    Array.from(new Set(assets), asset => [asset, amountFromNumber(market.balance(asset))] as const)
  const markets = marketsOf(view)
  const traded = markets.flatMap(({ instrument: { base, quote } }) => [base, quote])
  if (Symbol.iterator in opening) return held(view, [...Array.from(opening, ([asset]) => asset), ...traded])
  return Object.fromEntries(
    Object.entries(opening).map(([account, amounts]) => {
      const market = markets.find(({ instrument }) => instrument.accountType === account)
      return [
        account,
        market === undefined
          ? amounts
          : held(
              market,
              Array.from(amounts, ([asset]) => asset),
            ),
      ]
    }),
  )
}

function isCopyable(memory: unknown): boolean {
  try {
    return isDeepStrictEqual(structuredClone(memory), memory)
  } catch {
    return false
  }
}

/** True for streams, and for streams in `compose`: the klines of a warm-up are shown to them. */
function isOfStreams(memory: unknown): boolean {
  if (memory instanceof WarmedMemory) return true
  return (
    typeof memory === 'object' &&
    memory !== null &&
    'strategy' in memory &&
    memory.strategy instanceof WarmedMemory
  )
}
