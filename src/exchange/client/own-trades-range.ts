import { idRange } from '../ranges/id-range.ts'
import { type Range, type RangeOptions, untilAborted } from '../ranges/until-aborted.ts'
import type { OwnTrade } from '../spot/own-trade.ts'

export interface OwnTradesRange extends RangeOptions {
  readonly symbol: string
  /** First id, included; default: the oldest. */
  readonly fromId?: string
}

/** Request of one page of own trades. */
interface OwnTradesPage {
  readonly symbol: string
  readonly limit: number
  readonly fromId?: string
}

/** Most own trades in an answer (interface section 8). */
const LIMIT = 1000

/** Own trades of one pair in the order of their ids, over a call that reads one page. */
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

/** Key of a trade: ids are unique per pair, and a self-trade has two sides. */
export function nameOfTrade({ symbol, id, orderId }: OwnTrade): string {
  return `${symbol} ${id} ${orderId}`
}
