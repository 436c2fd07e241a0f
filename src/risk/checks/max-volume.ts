import { quantityUnit } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf, quantityText } from '../../domain/numbers/grid.ts'
import { MOST_PARTS, mostInParts, smallestPart } from '../../domain/orders/order-parts.ts'
import type { OrderDraft } from '../../domain/orders/order-request.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { RiskCheck } from '../risk-check.ts'
import type { RiskView } from '../risk-view.ts'

/**
 * The exchange refuses orders above the instrument's maximum quantity. They are sent in parts, unless a part
 * would be invalid.
 */
export const maximumVolume: RiskCheck = (draft, view) => {
  const { quantity } = draft
  const { instrument } = view
  if (quantity <= instrument.maxQuantity) return undefined
  const hindrance = hindranceOf(draft, view)
  if (hindrance === undefined) return undefined
  const limit = `${quantityText(instrument, instrument.maxQuantity)} ${quantityUnit(instrument)}`
  const actual = `${quantityText(instrument, quantity)} ${quantityUnit(instrument)}`
  return {
    rule: 'maximumVolume',
    limit,
    actual,
    message: `The quantity ${actual} is above the largest order of ${instrument.symbol}, ${limit}, and ${hindrance}.`,
  }
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
