import { weightOf } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import type { StretchablePoll } from './stretched-periods.ts'

/** A subscribed ticker of one symbol. */
export interface WantedTicker {
  readonly symbol: string
  readonly everyMs: number
  readonly slowestMs: number
}

/** Tickers that one call reads. */
export interface TickerBatch extends StretchablePoll {
  readonly symbols: readonly string[]
  /** True if the call names no symbol and returns all listed ones. */
  readonly all: boolean
}

/**
 * Most symbols in a call: larger calls cost at least as much as several of these (interface section 4.1: 20
 * for 5, 100 for 40).
 */
const BATCH = 20

/**
 * The cheapest calls for spot tickers: batches of 20, fastest first, so that slower ones fill a faster call
 * at no cost; or one call for all listed symbols (weight 80) if that costs less.
 */
export function spotTickerBatches(wanted: readonly WantedTicker[]): readonly TickerBatch[] {
  const fastestFirst = wanted.toSorted((left, right) => left.everyMs - right.everyMs)
  const batches: TickerBatch[] = []
  for (let first = 0; first < fastestFirst.length; first += BATCH) {
    batches.push(batchOf(fastestFirst.slice(first, first + BATCH), false))
  }
  const all = batchOf(fastestFirst, true)
  return costOf([all]) < costOf(batches) ? [all] : batches
}

/**
 * Calls for futures tickers: one call returns all contracts for the weight of one; without that call (`hasAll`),
 * each contract has its own.
 */
export function futuresTickerBatches(
  wanted: readonly WantedTicker[],
  hasAll: boolean,
): readonly TickerBatch[] {
  if (wanted.length === 0) return []
  if (!hasAll && wanted.length > 1) return wanted.flatMap(one => futuresTickerBatches([one], hasAll))
  const all = wanted.length > 1
  const weight = weightOf(all ? ENDPOINTS.futuresTickerAll : ENDPOINTS.futuresTicker, {})
  return [{ ...paceOf(wanted), symbols: wanted.map(({ symbol }) => symbol), all, weight }]
}

function batchOf(wanted: readonly WantedTicker[], all: boolean): TickerBatch {
  const symbols = wanted.map(({ symbol }) => symbol)
  const weight = weightOf(ENDPOINTS.spotTicker, all ? {} : { symbols: symbols.join(',') })
  return { ...paceOf(wanted), symbols, all, weight }
}

function paceOf(wanted: readonly WantedTicker[]): Pick<StretchablePoll, 'everyMs' | 'slowestMs'> {
  return {
    everyMs: Math.min(...wanted.map(({ everyMs }) => everyMs)),
    slowestMs: Math.min(...wanted.map(({ slowestMs }) => slowestMs)),
  }
}

/** Weight per ms. */
function costOf(batches: readonly TickerBatch[]): number {
  return batches.reduce((total, { weight, everyMs }) => total + weight / everyMs, 0)
}
