import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText, times } from '../../domain/numbers/amount.ts'
import { baseAmount, quantityText, type Steps, steps, stepsWithin } from '../../domain/numbers/grid.ts'
import type { Refusal, RiskCheck } from '../risk-check.ts'
import type { PositionLimit } from '../risk-rules.ts'
import { worstSteps, worstWorth } from '../worst-case.ts'

/**
 * The position of the instrument, in total or of the deciding strategy, stays within a limit for any set of
 * fills: every working order that can grow the position counts in full.
 */
export function maxPosition(limit: PositionLimit, of: 'account' | 'strategy'): RiskCheck {
  return (draft, view) => {
    if (draft.reduceOnly) return undefined
    const known =
      of === 'strategy' ? view.own : view.markets.find(({ instrument }) => instrument.symbol === draft.symbol)
    if (known === undefined) throw new RangeError(`Nobody knows what is held of ${draft.symbol}.`)
    const market = { ...known, price: draft.referencePrice }
    if ('quote' in limit) {
      const worth = worstWorth(market, view.working, draft)
      const unit = view.instrument.quote
      return worth <= limit.quote ? undefined : refusal(amountToText(limit.quote), amountToText(worth), unit)
    }
    const worst = worstSteps(market, view.working, draft)
    const allowed = stepsWithin(view.instrument, limit.base)
    if (worst <= allowed) return undefined
    const { instrument } = view
    const refused = baseRefusal(instrument, allowed, worst)
    const isTaken = draft.side === 'buy' && instrument.fees.paidIn === 'received'
    if (
      !isTaken ||
      times(baseAmount(instrument, steps(worst)), instrument.fees.taker) < excess(instrument, worst, allowed)
    )
      return refused
    const message = refused.message.replace(
      /\.$/,
      `; the fee that is taken in ${instrument.base} is not set off.`,
    )
    return { ...refused, message }
  }
}

/** Excess of the worst case over the allowed position, in base. */
function excess(instrument: Instrument, worst: number, allowed: Steps): Amount {
  return baseAmount(instrument, steps(worst - allowed))
}

function baseRefusal(instrument: Instrument, allowed: Steps, worst: number): Refusal {
  return refusal(quantityText(instrument, allowed), quantityText(instrument, steps(worst)), instrument.base)
}

function refusal(allowed: string, worst: string, unit: string): Refusal {
  const limit = `${allowed} ${unit}`
  const actual = `${worst} ${unit}`
  return {
    rule: 'maxPosition',
    limit,
    actual,
    message: `If everything fills, the position comes to ${actual}, above the ${limit} that may be held.`,
  }
}
