import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf, quantityText, type Steps, UNLIMITED_QUANTITY } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { MOST_PARTS, mostInParts, smallestPart } from '../../domain/orders/order-parts.ts'
import type { OrderDraft } from '../../domain/orders/order-request.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { RiskCheck } from '../risk-check.ts'
import type { RiskView } from '../risk-view.ts'

/**
 * The exchange refuses orders above the instrument's maximum quantity. They are sent in parts, unless a part
 * would be invalid.
 */
export const maximumVolume: RiskCheck = (draft, view, passed) => {
  const { quantity } = draft
  const { instrument } = view
  const hindrance = quantity <= instrument.maxQuantity ? undefined : hindranceOf(draft, view)
  if (hindrance === undefined) {
    passed?.(figuresOf(instrument, quantity))
    return undefined
  }
  const figures = figuresOf(instrument, quantity)
  const message = `The quantity ${figures.actual} is above the largest order of ${instrument.symbol}, ${figures.limit}, and ${hindrance}.`
  return { ...figures, message }
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
    actual: `${quantityText(instrument, quantity)} ${unit}`,
  }
}
