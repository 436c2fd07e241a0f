import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf } from '../../domain/numbers/grid.ts'
import { expectedPrice } from '../../ledger/reservation.ts'
import type { RiskCheck } from '../risk-check.ts'

/** An order that may open a position has a notional of at most `limit` quote. */
export function maxNotional(limit: Amount): RiskCheck {
  return ({ spec, quantity, referencePrice, reduceOnly }, { instrument }) => {
    if (reduceOnly) return undefined
    const notional = notionalOf(instrument, expectedPrice(spec, referencePrice), quantity)
    if (notional <= limit) return undefined
    const [allowed, actual] = [limit, notional].map(money => `${amountToText(money)} ${instrument.quote}`)
    return {
      rule: 'maxNotional',
      limit: `${allowed}`,
      actual: `${actual}`,
      message: `The order is worth ${actual}, above the ${allowed} that one order may be worth.`,
    }
  }
}
