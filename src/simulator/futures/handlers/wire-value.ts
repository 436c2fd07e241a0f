import { utcText } from '../../../domain/market-data/civil-date.ts'
import { type Amount, amountToText, divide, type Rate } from '../../../domain/numbers/amount.ts'
import { priceText, type Ticks } from '../../../domain/numbers/grid.ts'
import type { Side } from '../../../domain/orders/side.ts'
import { exactJsonNumber, type JsonValue } from '../../protocol/json-text.ts'
import type { Contract } from '../contract.ts'
import { isWaiting } from '../orders/futures-order.ts'
import type { SimulatedFuturesOrder } from '../positions/futures-account.ts'
import { averagePrice, type SimulatedMarginMode } from '../positions/position.ts'

/** An exact JSON number. */
export function exactNumberOf(value: Amount | Rate): JsonValue {
  return exactJsonNumber(amountToText(value))
}

/** A ratio of two amounts as a JSON number, towards zero at 18 decimals; 0 for a zero divisor. */
export function ratioOf(amount: Amount, whole: Amount): JsonValue {
  return whole === 0n ? 0 : exactNumberOf(divide(amount, whole))
}

/** A price as an exact JSON number; 0 for none. */
export function priceNumber(contract: Contract, price: Ticks | undefined): JsonValue {
  return price === undefined ? 0 : exactJsonNumber(priceText(contract, price))
}

/** Average price of an order's trades, 0 before the first. */
export function averageOf({ contract, executedValue, executedQuantity }: SimulatedFuturesOrder): JsonValue {
  return exactNumberOf(averagePrice(contract, executedValue, executedQuantity))
}

/** `BUY` or `SELL`. */
export function wireSide(side: Side): 'BUY' | 'SELL' {
  return side === 'buy' ? 'BUY' : 'SELL'
}

/** 1 cross, 2 isolated. */
export function marginCode(mode: SimulatedMarginMode): 1 | 2 {
  return mode === 'cross' ? 1 : 2
}

/**
 * The interface's spelling: unlike ours, its cancelled has two l; the status of a pending cancel is that of
 * sibling interfaces.
 */
export function wireStatus(order: SimulatedFuturesOrder): string {
  if (order.isCancelPending && isWaiting(order)) return 'PENDING_CANCEL'
  return order.status === 'CANCELED' ? 'CANCELLED' : order.status
}

/** Date and time without a zone, in UTC: `2021-09-29T08:16:51`. */
export function wireTime(time: number): string {
  return utcText(time).slice(0, 19)
}

/** The name siblings of this interface give a contract beside its own: `BTCUSDT`. */
export function otherName({ base, quote }: Contract): string {
  return `${base}${quote}`
}

/** Answer of an endpoint that only confirms success. */
export function done(data: JsonValue = null): JsonValue {
  return { code: '0', msg: 'Success', data }
}
