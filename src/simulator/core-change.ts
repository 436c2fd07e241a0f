import { deposit } from './deposit.ts'
import type { CallConditions, ExchangeCore } from './exchange-core.ts'
import type { Deposit, PriceShock } from './exchange-input.ts'
import { shockPrice } from './faults/price-shock.ts'
import { loseRestingOrders } from './faults/restarts.ts'
import type { MarketObservation } from './live/market-observation.ts'
import type { ExchangeResponse } from './protocol/exchange-response.ts'
import type { ExchangeRequest } from './protocol/request-authentication.ts'

/** Every change of an exchange besides the passing of time, after faults were applied. Times are ms UTC. */
export type CoreChange =
  | {
      readonly type: 'request'
      readonly time: number
      readonly request: ExchangeRequest
      readonly conditions: Omit<CallConditions, 'onWrite'>
    }
  | ({ readonly type: 'deposit'; readonly time: number } & Deposit)
  | ({ readonly type: 'shock'; readonly time: number } & PriceShock)
  | { readonly type: 'observe'; readonly time: number; readonly observation: MarketObservation }
  /** The exchange restarts without its order books. */
  | { readonly type: 'ordersLost'; readonly time: number }

const NOTHING: ExchangeResponse = { status: 200, body: '{}' }

/** Carries a change out; throws `UsageError` for one that cannot be. */
export function applyChange(core: ExchangeCore, change: CoreChange): ExchangeResponse {
  if (change.type === 'request') return core.handle(change.request, change.time, change.conditions)
  core.advance(change.time)
  switch (change.type) {
    case 'deposit':
      deposit(core, change)
      break
    case 'shock':
      shockPrice(core, change)
      break
    case 'observe':
      core.observe(change.observation)
      break
    case 'ordersLost':
      loseRestingOrders(core)
  }
  return NOTHING
}
