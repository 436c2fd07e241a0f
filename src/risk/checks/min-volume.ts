import { quantityUnit } from '../../domain/instrument.ts'
import { quantityText } from '../../domain/numbers/grid.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The exchange refuses orders below the instrument's minimum quantity; zero steps are never an order. */
export const minimumVolume: RiskCheck = ({ quantity }, { instrument }) => {
  if (quantity > 0 && quantity >= instrument.minQuantity) return undefined
  const limit = `${quantityText(instrument, instrument.minQuantity)} ${quantityUnit(instrument)}`
  const actual = `${quantityText(instrument, quantity)} ${quantityUnit(instrument)}`
  return {
    rule: 'minimumVolume',
    limit,
    actual,
    message: `The quantity ${actual} is below the smallest order of ${instrument.symbol}, ${limit}.`,
  }
}
