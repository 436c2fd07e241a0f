import { amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf } from '../../domain/numbers/grid.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The exchange refuses orders with price × quantity below the instrument's minimum notional. */
export const minimumNotional: RiskCheck = ({ spec, quantity, referencePrice }, { instrument }) => {
  const notional = notionalOf(instrument, expectedPrice(spec, referencePrice), quantity)
  if (notional >= instrument.minNotional) return undefined
  const limit = `${amountToText(instrument.minNotional)} ${instrument.quote}`
  const actual = `${amountToText(notional)} ${instrument.quote}`
  return {
    rule: 'minimumNotional',
    limit,
    actual,
    message: `The order is worth ${actual}, below the smallest order of ${instrument.symbol}, ${limit}.`,
  }
}
