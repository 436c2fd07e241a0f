import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import type { BacktestResult } from '../results/backtest-result.ts'
import type { RecordEntry } from './recorded-strategy.ts'
import type { RunRecord } from './run-record.ts'

/** First difference of two runs. */
export interface Difference {
  readonly what: 'signal' | 'order' | 'fill' | 'round trip' | 'equity' | 'error'
  /** The handler with other input or output, if known. */
  readonly handler: string | undefined
  /** The market at which it shows, where there are several. */
  readonly market?: string | undefined
  /** Row of the kline at which it shows. */
  readonly row: number
  /** The two values; `undefined` for an absent one. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The klines that two runs were given, and up to where. */
export interface ComparedSpan {
  readonly klines: KlineColumns
  readonly interval: Interval
  /** The last row common to both; events after its close may differ. */
  readonly cut: number
}

/** The earliest difference between two runs up to the close of a row, or `undefined` for runs that are the same up to there. */
export function firstDifference(
  before: RunRecord,
  after: RunRecord,
  span: ComparedSpan,
): Difference | undefined {
  const found = [
    errorDifference(before, after, span.cut),
    entryDifference(before.entries, after.entries, span),
    ...(before.result === undefined || after.result === undefined
      ? []
      : resultDifferences(before.result, after.result, span)),
  ]
  // Causes come before effects in the list, and stay before them on the same row.
  return found.filter(difference => difference !== undefined).sort((left, right) => left.row - right.row)[0]
}

/** An error that ended only one of the runs up to the close of the row `cut`. */
export function errorDifference(before: RunRecord, after: RunRecord, cut: number): Difference | undefined {
  if (after.error === undefined || after.klinesSeen > cut || before.error !== undefined) return undefined
  const text = after.error instanceof Error ? after.error.message : String(after.error)
  return { what: 'error', handler: undefined, row: after.klinesSeen, before: undefined, after: text }
}

/**
 * In the other run all events after the cut have a later time than the close of the cut, so its earlier
 * events are known; all of them must begin the first run. In the first run the next kline trades at the time
 * of that close, so only events of klines up to the cut must be in the other.
 */
function entryDifference(
  before: readonly RecordEntry[],
  after: readonly RecordEntry[],
  { klines, interval, cut }: ComparedSpan,
): Difference | undefined {
  const closed = closeTimeOf(klines.openTime[cut] as number, interval) // the row exists
  for (let index = 0; ; index++) {
    const [left, right] = [before[index], after[index]]
    const theirs = right !== undefined && right.time <= closed ? right : undefined
    // Feed data belongs to the kline before, though its time may be after that close.
    const isPast = left !== undefined && left.row <= cut && left.time <= closed
    const ours = theirs !== undefined || isPast ? left : undefined
    if (ours === undefined && theirs === undefined) return undefined
    if (ours?.text !== theirs?.text || ours?.what !== theirs?.what) return entryDifferenceOf(ours, theirs)
  }
}

/** The first difference between two records of the same span. */
export function recordedDifference(
  before: readonly RecordEntry[],
  after: readonly RecordEntry[],
): Difference | undefined {
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [left, right] = [before[index], after[index]]
    if (left?.text === right?.text && left?.what === right?.what && left?.market === right?.market) continue
    return entryDifferenceOf(left, right)
  }
  return undefined
}

function entryDifferenceOf(
  ours: RecordEntry | undefined,
  theirs: RecordEntry | undefined,
): Difference | undefined {
  const earlier = ours === undefined || (theirs !== undefined && theirs.row < ours.row) ? theirs : ours
  if (earlier === undefined) return undefined
  const { what, handler, row, market } = earlier
  // Two entries of different klines are not one that changed, but one that is only in one of the runs.
  const same = ours?.row === theirs?.row && ours?.what === theirs?.what && ours?.market === theirs?.market
  return {
    what,
    handler,
    ...(market !== undefined && { market }),
    row,
    before: same || earlier === ours ? ours?.text : undefined,
    after: same || earlier === theirs ? theirs?.text : undefined,
  }
}

function resultDifferences(
  before: BacktestResult,
  after: BacktestResult,
  span: ComparedSpan,
): (Difference | undefined)[] {
  return [
    listDifference('fill', span, before.fills, after.fills, ({ time }) => time),
    listDifference('round trip', span, before.roundTrips, after.roundTrips, ({ exitTime }) => exitTime),
    equityDifference(before.equity, after.equity, span),
  ]
}

function listDifference<Item>(
  what: Difference['what'],
  { klines, cut }: ComparedSpan,
  before: readonly Item[],
  after: readonly Item[],
  timeOf: (item: Item) => number,
): Difference | undefined {
  const lastOpen = klines.openTime[cut] as number // the row exists
  const isPast = (item: Item | undefined) => item !== undefined && timeOf(item) <= lastOpen
  for (let index = 0; ; index++) {
    const left = isPast(before[index]) ? before[index] : undefined
    const right = isPast(after[index]) ? after[index] : undefined
    if (left === undefined && right === undefined) return undefined
    const [leftText, rightText] = [textOf(left), textOf(right)]
    if (leftText === rightText) continue
    const times = [left, right].filter(item => item !== undefined).map(timeOf)
    const row = firstRowAtOrAfter(klines.openTime, Math.min(...times))
    return { what, handler: undefined, row, before: leftText, after: rightText }
  }
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value)
}

function equityDifference(
  before: Float64Array,
  after: Float64Array,
  { cut }: ComparedSpan,
): Difference | undefined {
  for (let row = 0; row <= cut; row++) {
    if (Object.is(before[row], after[row])) continue
    return { what: 'equity', handler: undefined, row, before: String(before[row]), after: String(after[row]) }
  }
  return undefined
}
