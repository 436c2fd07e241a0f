import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import {
  baseAmount,
  notionalOf,
  quantityText,
  type Steps,
  UNLIMITED_QUANTITY,
  UncountableQuantityError,
} from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { MOST_PARTS, mostInParts, smallestPart } from '../../domain/orders/order-parts.ts'
import type { OrderDraft } from '../../domain/orders/order-request.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { Refusal, RiskCheck } from '../risk-check.ts'
import type { RiskView } from '../risk-view.ts'
import { uncountable } from '../uncountable.ts'
import { worstSteps } from '../worst-case.ts'

/** Steps below which a quantity, and that many times of them a position, is far from uncountable. */
const SMALL = 2 ** 40
const FAR = 2 ** 52

/**
 * The exchange refuses orders above the instrument's maximum quantity. They are sent in parts, unless a part
 * would be invalid. No position may come to more steps than can be counted exactly.
 */
export const maximumVolume: RiskCheck = (draft, view, passed) => {
  const { quantity } = draft
  const { instrument } = view
  const hindrance = quantity <= instrument.maxQuantity ? undefined : hindranceOf(draft, view)
  if (hindrance === undefined) {
    const uncountable = uncountablePosition(draft, view)
    if (uncountable === undefined) passed?.(figuresOf(instrument, quantity))
    return uncountable
  }
  const figures = figuresOf(instrument, quantity)
  const message = `The quantity ${figures.actual} is above the largest order of ${instrument.symbol}, ${figures.limit}, and ${hindrance}.`
  return { ...figures, message }
}

/** Refusal of an order with which the position, should all working orders fill, would have more steps than a double counts. */
function uncountablePosition(draft: OrderDraft, view: RiskView): Refusal | undefined {
  if (draft.reduceOnly || (draft.quantity < SMALL && Math.abs(view.projectedPosition) < FAR)) return undefined
  const { instrument, markets, working } = view
  const market = markets.find(({ instrument: { symbol } }) => symbol === draft.symbol)
  if (market === undefined) return undefined
  const worst = worstSteps(market, working, draft)
  if (worst <= UNLIMITED_QUANTITY) return undefined
  // Larger than steps may be, which is what the sentence says.
  return uncountable(
    instrument,
    new UncountableQuantityError(instrument, baseAmount(instrument, worst as Steps)),
  )
}

function hindranceOf(
  { quantity, spec, referencePrice }: OrderDraft,
  { instrument }: RiskView,
): string | undefined {
  const { maxQuantity, minQuantity, minNotional, quote } = instrument
  if (spec.type === 'limit' && spec.kind === 'fok')
    return 'one that fills whole or not at all cannot leave in parts'
  if (quantity > mostInParts(maxQuantity)) return `would need more than ${MOST_PARTS} parts`
  const smallest = smallestPart(quantity, maxQuantity)
  if (smallest < minQuantity)
    return `its parts would be below the smallest order, ${quantityText(instrument, minQuantity)}`
  if (notionalOf(instrument, expectedPrice(spec, referencePrice), smallest) >= minNotional) return undefined
  return `its parts would be worth less than the smallest order, ${amountToText(minNotional)} ${quote}`
}

function figuresOf(instrument: Instrument, quantity: Steps): PassedCheck {
  const unit = quantityUnit(instrument)
  return {
    rule: 'maximumVolume',
    limit:
      instrument.maxQuantity === UNLIMITED_QUANTITY
        ? 'none'
        : `${quantityText(instrument, instrument.maxQuantity)} ${unit}`,
    actual: `${quantityText(instrument, quantity)} ${quantityUnit(instrument, quantity)}`,
  }
}
