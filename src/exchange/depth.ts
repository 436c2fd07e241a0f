import { z } from 'zod'
import type { Decimal } from '../domain/decimal.ts'
import { decimalField, listField, optionalTimeField } from './wire-field.ts'

/** One price of the order book with everything that waits there. */
export interface DepthLevel {
  readonly price: Decimal
  /** Base units on spot, contracts on futures. */
  readonly quantity: Decimal
}

/** The order book, best prices first on both sides. */
export interface Depth {
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
  /** ms UTC, where the exchange says. */
  readonly time?: number
}

/** A level on the wire: `[price, quantity]`, on some hosts followed by running totals. */
export const depthLevelField = z
  .tuple([decimalField, decimalField], z.unknown())
  .transform(([price, quantity]): DepthLevel => ({ price, quantity }))

/** Answer of the depth endpoints. */
export const depthResponse = z
  .object({
    bids: listField(depthLevelField),
    asks: listField(depthLevelField),
    time: optionalTimeField,
  })
  .transform(({ bids, asks, time }) => depthOf(bids, asks, time))

/** An order book from its sides, sorted here, because published payloads are not always best first. */
export function depthOf(
  bids: readonly DepthLevel[],
  asks: readonly DepthLevel[],
  time: number | undefined,
): Depth {
  return {
    bids: bids.toSorted((left, right) => right.price.comparedTo(left.price)),
    asks: asks.toSorted((left, right) => left.price.comparedTo(right.price)),
    ...(time !== undefined && { time }),
  }
}
