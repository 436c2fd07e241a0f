import { Decimal, decimalOf } from '../../domain/numbers/decimal.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { OrderPlacement } from '../../exchange/spot/order-placement.ts'
import type { ClosePlacement } from './trading-calls.ts'

/** Decimals that the exchange takes of an instrument since it changed them. */
export interface PresentGrid {
  readonly pricePrecision?: number | undefined
  readonly quantityPrecision?: number | undefined
}

/**
 * A placement within the decimals that the exchange takes now, so that a close is not refused for the last of its
 * decimals: the quantity down, the price of a buy down and of a sale up. Throws `SluiceError` where nothing is left of
 * the quantity.
 */
export function onPresentGrid<Sent extends OrderPlacement | ClosePlacement>(
  placement: Sent,
  { pricePrecision, quantityPrecision }: PresentGrid,
): Sent {
  const quantity = 'quantity' in placement ? decimalOf(String(placement.quantity)) : undefined
  const price = 'price' in placement ? decimalOf(String(placement.price)) : undefined
  const sent = quantityPrecision === undefined ? quantity : cut(quantity, quantityPrecision, 'down')
  if (quantity !== undefined && quantityPrecision !== undefined && sent?.isZero() === true)
    throw lessThanAStep(placement.symbol, quantity, quantityPrecision)
  const bound = placement.side === 'buy' ? 'down' : 'up'
  return {
    ...placement,
    ...(quantityPrecision !== undefined && sent !== undefined && { quantity: sent.toFixed() }),
    ...(pricePrecision !== undefined &&
      price !== undefined && { price: cut(price, pricePrecision, bound)?.toFixed() }),
  }
}

function cut(value: Decimal | undefined, decimals: number, rounding: 'down' | 'up'): Decimal | undefined {
  return value?.toDecimalPlaces(decimals, rounding === 'down' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP)
}

function lessThanAStep(symbol: string, quantity: Decimal, decimals: number): SluiceError {
  return new SluiceError(
    `The order of ${quantity.toFixed()} of ${symbol} was not sent: the exchange now counts quantities in ${decimals} decimals, and this is less than one step.`,
    { code: 'LESS_THAN_A_STEP', reaction: 'skip' },
  )
}
