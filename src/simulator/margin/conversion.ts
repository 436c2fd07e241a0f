import { feeOf } from '../../domain/fee.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, NO_STEPS, notionalOf, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import { oppositeOf, type Side } from '../../domain/orders/side.ts'
import type { ListedMarket } from '../spot/listed-market.ts'
import { type BookLevel, quantityAt } from '../spot/order-book.ts'
import type { SpotOrderDraft } from '../spot/spot-order.ts'

/** A market on which one asset can be turned into another by taking from its book. */
export interface Conversion {
  readonly listed: ListedMarket
  readonly side: Side
}

/** Expected result of a market order. */
interface Plan {
  readonly quantity: Steps
  /** Of the asset it pays with. */
  readonly cost: Amount
}

const ONE_STEP = steps(1)

/** The market that turns `from` into `to`, if one is listed and trades. */
export function conversionOf(
  from: string,
  to: string,
  markets: readonly ListedMarket[],
): Conversion | undefined {
  for (const listed of markets) {
    const { base, quote } = listed.instrument
    if (!listed.rules.isTrading) continue
    if (base === from && quote === to) return { listed, side: 'sell' }
    if (quote === from && base === to) return { listed, side: 'buy' }
  }
  return undefined
}

/** Cost of `wanted` after fees on the present book; the book's depth may allow less. */
export function conversionCost({ listed, side }: Conversion, wanted: Amount): Amount {
  return planOf(listed, side, wanted, undefined).cost
}

/**
 * The market order that yields `wanted` after fees, or as much as `held` pays for; none if that is less than
 * a step.
 */
export function marketOrderFor(
  { listed, side }: Conversion,
  wanted: Amount,
  held: Amount,
): SpotOrderDraft | undefined {
  const { quantity, cost } = planOf(listed, side, wanted, held)
  if (quantity === NO_STEPS) return undefined
  const size =
    side === 'sell' ? ({ unit: 'base', quantity } as const) : ({ unit: 'quote', amount: cost } as const)
  const { instrument } = listed
  return { instrument, side, type: 'MARKET', size, price: undefined, clientOrderId: undefined }
}

/** True if an amount is large enough to trade at the latest price. */
export function isTradable({ listed, side }: Conversion, amount: Amount): boolean {
  const { instrument, reference } = listed
  if (reference === undefined) return false
  const least =
    side === 'sell' ? baseAmount(instrument, ONE_STEP) : notionalOf(instrument, reference, ONE_STEP)
  return amount >= least
}

function planOf(listed: ListedMarket, side: Side, wanted: Amount, held: Amount | undefined): Plan {
  const { instrument, market } = listed
  let [quantity, cost, missing] = [0, ZERO, wanted]
  for (const level of market.book.levels(oppositeOf(side))) {
    const left = held === undefined ? undefined : subtract(held, cost)
    const taken = takenAt(instrument, side, level, missing, left)
    if (taken === NO_STEPS) break
    quantity += taken
    cost = add(cost, payOf(instrument, side, level.price, taken))
    missing = subtract(missing, gainOf(instrument, side, level.price, taken))
  }
  return { quantity: steps(quantity), cost }
}

/** Steps to take at a level: no more than are missing, rest there, or can be paid. */
function takenAt(
  instrument: Instrument,
  side: Side,
  level: BookLevel,
  missing: Amount,
  left: Amount | undefined,
): Steps {
  const gain = gainOf(instrument, side, level.price, ONE_STEP)
  if (missing <= ZERO || gain <= ZERO) return NO_STEPS
  const needed = Number((missing + gain - 1n) / gain)
  const payable = left === undefined ? needed : Number(left / payOf(instrument, side, level.price, ONE_STEP))
  return steps(Math.min(needed, quantityAt(level), payable))
}

function payOf(instrument: Instrument, side: Side, price: Ticks, quantity: Steps): Amount {
  return side === 'buy' ? notionalOf(instrument, price, quantity) : baseAmount(instrument, quantity)
}

/** Amount received after the fee of a taker. */
function gainOf(instrument: Instrument, side: Side, price: Ticks, quantity: Steps): Amount {
  const { fee } = feeOf(instrument, side, price, quantity, 'taker')
  return subtract(payOf(instrument, oppositeOf(side), price, quantity), fee)
}
