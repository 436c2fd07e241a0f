import type { Instrument } from '../domain/instrument.ts'
import type { UncountableQuantityError } from '../domain/numbers/grid.ts'
import type { Refusal } from './risk-check.ts'

/** Refusal of an order, or of the position that it would come to, with more steps than can be counted exactly. */
export function uncountable(instrument: Instrument, error: UncountableQuantityError): Refusal {
  return {
    rule: 'maximumVolume',
    limit: `${error.limit} ${instrument.base}`,
    actual: `${error.actual} ${instrument.base}`,
    message: `${instrument.symbol}: ${error.message}`,
  }
}
