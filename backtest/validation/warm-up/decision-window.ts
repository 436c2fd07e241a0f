import type { Instrument } from '../../../src/domain/instrument.ts'
import { sliceRows } from '../../../src/klines/slice-klines.ts'
import type { OpeningBalances } from '../../../src/ledger/account-balances.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import { isAlone } from '../../run/feed-data.ts'
import type { Resumable } from '../../run/resumable.ts'
import type { RecordEntry } from '../recorded-strategy.ts'
import { recordRun } from '../run-record.ts'
import { followedIn } from './followed-window.ts'
import { withMemory } from './watched-memory.ts'

/** A stretch of klines, and how many before it are shown first. */
export interface DecisionWindow {
  /** Its first row. */
  readonly start: number
  /** Klines that are shown before it, without a decision. */
  readonly history: number
  /** True if feeds show their whole history before it, instead of the declared one. */
  readonly hasAllFeeds?: boolean
  /** Account with which it begins, and the state too unless that is fresh; default: both as at the start of the backtest. */
  readonly from?: { readonly balances: OpeningBalances; readonly memory?: unknown } | undefined
}

/** Klines of a window. Its first is the hardest test, for every further one adds to the history of both runs. */
const LENGTH = 50

/**
 * Decisions of a strategy in a window, flat at its beginning; `undefined` if it throws or returns an invalid
 * signal.
 */
export function* decisionsIn(
  backtest: BacktestOptions,
  { start, history, hasAllFeeds = false, from }: DecisionWindow,
): Resumable<readonly RecordEntry[] | undefined> {
  const end = Math.min(start + LENGTH, backtest.klines.length)
  const klines = sliceRows(backtest.klines, start - history, end)
  const followed = isAlone(backtest)
    ? {}
    : followedIn(backtest, { klines, from: backtest.klines.openTime[start] as number, hasAllFeeds }) // a row
  const { strategy } = backtest
  const begun = from && {
    balances: from.balances,
    strategy: 'memory' in from ? withMemory(strategy, from.memory) : strategy,
  }
  const played: BacktestOptions = { ...backtest, ...followed, ...begun, klines, closeAtEnd: 'no' }
  const { entries, error } = yield* recordRun(played, history)
  return error === undefined ? entries.filter(({ what }) => what === 'signal') : undefined
}

/** Prices may differ by less than this many ticks. */
const TICKS = 1
/** Other numbers may differ by this part of themselves. */
const RELATIVE = 1e-6
const PRICES: ReadonlySet<string> = new Set([
  'price',
  'stopPrice',
  'triggerPrice',
  'stopLoss',
  'takeProfit',
  'at',
  'distance',
  'activation',
])

/**
 * True if two runs decided the same: the same signals at the same times, with prices that differ by less than
 * a tick and other numbers that differ by less than a millionth. Decisions count, not the values of
 * indicators behind them.
 */
export function sameDecisions(
  left: readonly RecordEntry[] | undefined,
  right: readonly RecordEntry[] | undefined,
  instrument: Instrument,
): boolean {
  if (left === undefined || right === undefined || left.length !== right.length) return false
  const tick = TICKS * 10 ** -instrument.pricePrecision
  return left.every((entry, index) => {
    const other = right[index]
    if (entry.time !== other?.time || entry.handler !== other.handler) return false
    return entry.text === other.text || isNear(JSON.parse(entry.text), JSON.parse(other.text), tick, '')
  })
}

function isNear(left: unknown, right: unknown, tick: number, name: string): boolean {
  if (typeof left === 'number' && typeof right === 'number') {
    const distance = Math.abs(left - right)
    return distance === 0 || distance < (PRICES.has(name) ? tick : RELATIVE * Math.abs(left))
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right
  }
  const [names, others] = [Object.keys(left), Object.keys(right)]
  return (
    names.length === others.length &&
    // Both are records of JSON.
    names.every(key => key in right && isNear(Reflect.get(left, key), Reflect.get(right, key), tick, key))
  )
}
