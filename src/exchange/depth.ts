import { z } from 'zod'
import type { Decimal } from '../domain/decimal.ts'
import { compareDecimals } from './compare-decimals.ts'
import { finiteDecimal, optionalTimeField } from './wire-field.ts'

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
  .custom<unknown>()
  .transform((value, context): DepthLevel => depthLevel(value, [], context) ?? z.NEVER)

/** All levels of a side, read in one go because they are many; `null` is an empty side. */
export const depthSideField = z
  .custom<unknown>(value => value === null || Array.isArray(value), 'must be a list of levels')
  .transform((value, context): readonly DepthLevel[] => {
    const levels: DepthLevel[] = []
    for (const [index, wire] of Array.isArray(value) ? value.entries() : []) {
      const level = depthLevel(wire, [index], context)
      if (level === undefined) return z.NEVER
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

/** An order book from its sides, sorted here, because published payloads are not always best first. */
export function depthOf(
  bids: readonly DepthLevel[],
  asks: readonly DepthLevel[],
  time: number | undefined,
): Depth {
  return {
    bids: inOrder(bids, (left, right) => compareDecimals(right.price, left.price)),
    asks: inOrder(asks, (left, right) => compareDecimals(left.price, right.price)),
    ...(time !== undefined && { time }),
  }
}

type Comparison = (left: DepthLevel, right: DepthLevel) => number

/** Hardly ever is there anything to sort. */
function inOrder(levels: readonly DepthLevel[], compare: Comparison): readonly DepthLevel[] {
  for (let index = 1; index < levels.length; index++) {
    const [left, right] = [levels[index - 1], levels[index]]
    if (left !== undefined && right !== undefined && compare(left, right) > 0) return levels.toSorted(compare)
  }
  return levels
}

function depthLevel(
  wire: unknown,
  path: readonly number[],
  context: z.RefinementCtx,
): DepthLevel | undefined {
  const [price, quantity] = Array.isArray(wire) ? [finiteDecimal(wire[0]), finiteDecimal(wire[1])] : []
  if (price !== undefined && quantity !== undefined) return { price, quantity }
  context.addIssue({ code: 'custom', path: [...path], message: 'must be a price and a quantity' })
  return undefined
}
