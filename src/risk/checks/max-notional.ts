import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { RiskCheck } from '../risk-check.ts'

/** An order that may open a position has a notional of at most `limit` quote. */
export function maxNotional(limit: Amount): RiskCheck {
  return ({ spec, quantity, referencePrice, reduceOnly }, { instrument }, passed) => {
    if (reduceOnly) return undefined
    const notional = notionalOf(instrument, expectedPrice(spec, referencePrice), quantity)
    if (notional <= limit) {
      passed?.(figuresOf(instrument, limit, notional))
      return undefined
    }
    const figures = figuresOf(instrument, limit, notional)
    const message = `The order is worth ${figures.actual}, above the ${figures.limit} that one order may be worth.`
    return { ...figures, message }
  }
}

function figuresOf({ quote }: Instrument, limit: Amount, notional: Amount): PassedCheck {
  return {
    rule: 'maxNotional',
    limit: `${amountToText(limit)} ${quote}`,
    actual: `${amountToText(notional)} ${quote}`,
  }
}
