import type { EndpointCall } from '../call/endpoint-call.ts'
import type { ServerNow } from '../ranges/range-time.ts'
import type { SymbolNames } from '../spot/symbol-names.ts'
import { type SpotMarketCalls, spotMarketCalls } from './spot-market-calls.ts'
import { type SpotOrderCalls, spotOrderCalls } from './spot-order-calls.ts'
import { type SpotRanges, spotRanges } from './spot-ranges.ts'

/**
 * The spot endpoints. Symbols are `BASE/QUOTE` in requests and answers, numbers exact decimals (klines:
 * doubles), ids text, times ms UTC, and every list with times is oldest first. Reads are repeated a few times
 * on network errors and HTTP 5xx; writes are never sent again. Refusals are `ExchangeError`s; a call that
 * breaks the rules of the interface is an `InvalidCallError` and is not sent.
 */
export interface SpotClient extends SpotMarketCalls, SpotOrderCalls, SpotRanges {}

/** Spot methods over `call`. */
export function spotClient(call: EndpointCall, names: SymbolNames, now: ServerNow): SpotClient {
  return { ...spotMarketCalls(call, names), ...spotOrderCalls(call, names), ...spotRanges(call, names, now) }
}
