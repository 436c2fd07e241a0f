import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { quantityText, type Steps } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The exchange refuses orders below the instrument's minimum quantity; zero steps are never an order. */
export const minimumVolume: RiskCheck = ({ quantity }, { instrument }, passed) => {
  if (quantity > 0 && quantity >= instrument.minQuantity) {
    passed?.(figuresOf(instrument, quantity))
    return undefined
  }
  const figures = figuresOf(instrument, quantity)
  const message = `The quantity ${figures.actual} is below the smallest order of ${instrument.symbol}, ${figures.limit}.`
  return { ...figures, message }
}

function figuresOf(instrument: Instrument, quantity: Steps): PassedCheck {
  const { minQuantity } = instrument
  return {
    rule: 'minimumVolume',
    limit: `${quantityText(instrument, minQuantity)} ${quantityUnit(instrument, minQuantity)}`,
    actual: `${quantityText(instrument, quantity)} ${quantityUnit(instrument, quantity)}`,
  }
}
