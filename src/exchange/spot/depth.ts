import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { compareDecimals } from '../wire/compare-decimals.ts'
import { finiteDecimal, optionalTimeField } from '../wire/wire-field.ts'

/** One price of the order book with its total quantity. */
export interface ExchangeDepthLevel {
  readonly price: Decimal
  /** Base units on spot, contracts on futures. */
  readonly quantity: Decimal
}

/** The order book, best prices first on both sides. */
export interface ExchangeDepth {
  readonly bids: readonly ExchangeDepthLevel[]
  readonly asks: readonly ExchangeDepthLevel[]
  /** ms UTC; `undefined` if the exchange does not give it. */
  readonly time?: number
}

/** A level on the wire: `[price, quantity]`, on some hosts followed by running totals. */
export const depthLevelField = z
  .custom<unknown>()
  .transform((value, context): ExchangeDepthLevel => depthLevel(value) ?? refuse([], context))

/** All levels of a side, parsed in one loop because they are many; `null` is an empty side. */
export const depthSideField = z
  .custom<unknown>(value => value === null || Array.isArray(value), 'must be a list of levels')
  .transform((value, context): readonly ExchangeDepthLevel[] => {
    const levels: ExchangeDepthLevel[] = []
    for (const wire of Array.isArray(value) ? value : []) {
      const level = depthLevel(wire)
      if (level === undefined) return refuse([levels.length], context)
      levels.push(level)
    }
    return levels
  })

/** Answer of the depth endpoints. */
export const depthResponse = z
  .object({
    bids: depthSideField,
    asks: depthSideField,
    time: optionalTimeField,
  })
  .transform(({ bids, asks, time }) => depthOf(bids, asks, time))

/** Order book from its sides; sorted here, because some payloads are not best first. */
export function depthOf(
  bids: readonly ExchangeDepthLevel[],
  asks: readonly ExchangeDepthLevel[],
  time: number | undefined,
): ExchangeDepth {
  return {
    bids: inOrder(bids, (left, right) => compareDecimals(right.price, left.price)),
    asks: inOrder(asks, (left, right) => compareDecimals(left.price, right.price)),
    ...(time !== undefined && { time }),
  }
}

type Comparison = (left: ExchangeDepthLevel, right: ExchangeDepthLevel) => number

/** Sorts a side only if it is out of order, which is rare. */
function inOrder(levels: readonly ExchangeDepthLevel[], compare: Comparison): readonly ExchangeDepthLevel[] {
  for (let index = 1; index < levels.length; index++) {
    const [left, right] = [levels[index - 1], levels[index]]
    if (left !== undefined && right !== undefined && compare(left, right) > 0) return levels.toSorted(compare)
  }
  return levels
}

function depthLevel(wire: unknown): ExchangeDepthLevel | undefined {
  if (!Array.isArray(wire)) return undefined
  const price = finiteDecimal(wire[0])
  const quantity = finiteDecimal(wire[1])
  return price === undefined || quantity === undefined ? undefined : { price, quantity }
}

function refuse(path: number[], context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', path, message: 'must be a price and a quantity' })
  return z.NEVER
}
