import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { quantityText, type Steps } from '../../domain/numbers/grid.ts'
import { quantityWithUnit } from './position-text.ts'

/** A quantity with its unit: `0.0836 BTC`, `836 contracts`. */
export function stepsText(instrument: Instrument, quantity: Steps): string {
  return quantityWithUnit(quantityText(instrument, quantity), quantityUnit(instrument))
}
