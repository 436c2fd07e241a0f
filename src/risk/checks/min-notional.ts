import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The exchange refuses orders with price × quantity below the instrument's minimum notional. */
export const minimumNotional: RiskCheck = ({ spec, quantity, referencePrice }, { instrument }, passed) => {
  const notional = notionalOf(instrument, expectedPrice(spec, referencePrice), quantity)
  if (notional >= instrument.minNotional) {
    passed?.(figuresOf(instrument, notional))
    return undefined
  }
  const figures = figuresOf(instrument, notional)
  const message = `The order is worth ${figures.actual}, below the smallest order of ${instrument.symbol}, ${figures.limit}.`
  return { ...figures, message }
}

function figuresOf({ minNotional, quote }: Instrument, notional: Amount): PassedCheck {
  return {
    rule: 'minimumNotional',
    limit: `${amountToText(minNotional)} ${quote}`,
    actual: `${amountToText(notional)} ${quote}`,
  }
}
