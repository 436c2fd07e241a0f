import { quantityText } from '../../domain/grid.ts'
import { quantityUnit } from '../../domain/instrument.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The exchange takes no order above the instrument's maximum quantity. */
export const maximumVolume: RiskCheck = ({ quantity }, { instrument }) => {
  if (quantity <= instrument.maxQuantity) return undefined
  const limit = `${quantityText(instrument, instrument.maxQuantity)} ${quantityUnit(instrument)}`
  const actual = `${quantityText(instrument, quantity)} ${quantityUnit(instrument)}`
  return {
    rule: 'maximumVolume',
    limit,
    actual,
    message: `The quantity ${actual} is above the largest order of ${instrument.symbol}, ${limit}.`,
  }
}
