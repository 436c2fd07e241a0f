import type { OwnTrade } from '../spot/own-trade.ts'
import { idRange } from './id-range.ts'
import { type Range, type RangeOptions, untilAborted } from './until-aborted.ts'

/** Which own trades to read. */
export interface OwnTradesRange extends RangeOptions {
  readonly symbol: string
  /** Id to begin with, included; default: the oldest. */
  readonly fromId?: string
}

/** A page of own trades. */
interface OwnTradesPage {
  readonly symbol: string
  readonly limit: number
  readonly fromId?: string
}

/** Most own trades in an answer (interface section 8). */
const LIMIT = 1000

/** Own trades of one pair from id to id, over a call that gives a page of them. */
export function ownTradesRange(
  { symbol, fromId, signal }: OwnTradesRange,
  readPage: (page: OwnTradesPage) => Promise<readonly OwnTrade[]>,
): Range<OwnTrade> {
  const range = idRange({
    what: 'own trades',
    fromId,
    limit: LIMIT,
    read: (id, limit) => readPage({ symbol, limit, ...(id !== undefined && { fromId: id }) }),
    idOf: ({ id }) => id,
    nameOf: nameOfTrade,
  })
  return untilAborted(range, signal)
}

/** Tells trades apart: ids belong to a pair, and a trade with oneself has two sides. */
export function nameOfTrade({ symbol, id, orderId }: OwnTrade): string {
  return `${symbol} ${id} ${orderId}`
}
