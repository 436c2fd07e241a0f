import type { Instrument } from '../../domain/instrument.ts'
import { priceText, type Ticks } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { OrderWish } from '../../domain/signal.ts'
import type { Refusal } from '../../risk/risk-check.ts'
import { orderSpec } from '../../risk/to-grid.ts'

/**
 * Refusal of an entry with a trigger that the latest price has already reached, because it would trade at
 * once; `undefined` if the entry may be placed.
 */
export function passedTrigger(
  instrument: Instrument,
  order: OrderWish,
  side: Side,
  latest: Ticks,
): Refusal | undefined {
  if (order.type === 'market' || order.type === 'limit' || order.triggerAtOnce === true) return undefined
  const spec = orderSpec(instrument, side, order)
  const isTouched = spec.type === 'ifTouched'
  const trigger = isTouched ? spec.triggerPrice : 'stopPrice' in spec ? spec.stopPrice : undefined
  if (trigger === undefined) return undefined
  // A stop buy triggers above the market, an ifTouched buy below it.
  const waitsAbove = (side === 'buy') !== isTouched
  if (waitsAbove ? trigger > latest : trigger < latest) return undefined
  const [at, now] = [trigger, latest].map(price => `${priceText(instrument, price)} ${instrument.quote}`)
  const where = waitsAbove ? 'above' : 'below'
  return {
    rule: 'triggerPassed',
    limit: `${where} the latest price ${now}`,
    actual: `${at}`,
    message: `The ${order.type} ${side} at ${at} must wait ${where} the latest price ${now}: it would trade at once. Say triggerAtOnce: true in its order if it may.`,
  }
}
