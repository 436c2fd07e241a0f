import type { EndpointCall } from '../call/endpoint-call.ts'
import type { VolumeUnits } from '../futures/volume-unit.ts'
import type { ServerNow } from '../ranges/range-time.ts'
import { type FuturesAccountCalls, futuresAccountCalls } from './futures-account-calls.ts'
import { type FuturesMarketCalls, futuresMarketCalls } from './futures-market-calls.ts'
import { type FuturesOrderCalls, futuresOrderCalls } from './futures-order-calls.ts'
import { type FuturesRanges, futuresRanges } from './futures-ranges.ts'

/**
 * The futures endpoints. Contracts are named like `E-BTC-USDT`, numbers are exact decimals (klines: doubles),
 * volumes count contracts, ids are text, times ms UTC, and every list with times is oldest first. Errors as
 * on spot; a client without a futures URL refuses every call.
 */
export interface FuturesClient
  extends FuturesMarketCalls,
    FuturesOrderCalls,
    FuturesAccountCalls,
    FuturesRanges {}

/** Futures methods over `call`; orders have volumes in `units`. */
export function futuresClient(call: EndpointCall, now: ServerNow, units: VolumeUnits): FuturesClient {
  return {
    ...futuresMarketCalls(call),
    ...futuresOrderCalls(call, units),
    ...futuresAccountCalls(call),
    ...futuresRanges(call, now),
  }
}
