import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText, times } from '../../domain/numbers/amount.ts'
import { baseAmount, quantityText, type Steps, steps, stepsWithin } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { Refusal, RiskCheck } from '../risk-check.ts'
import type { PositionLimit } from '../risk-rules.ts'
import { worstSteps, worstWorth } from '../worst-case.ts'

/**
 * The position of the instrument, in total or of the deciding strategy, stays within a limit for any set of
 * fills: every working order that can grow the position counts in full.
 */
export function maxPosition(limit: PositionLimit, of: 'account' | 'strategy'): RiskCheck {
  return (draft, view, passed) => {
    if (draft.reduceOnly) return undefined
    const known =
      of === 'strategy' ? view.own : view.markets.find(({ instrument }) => instrument.symbol === draft.symbol)
    if (known === undefined) throw new RangeError(`Nobody knows what is held of ${draft.symbol}.`)
    const market = { ...known, price: draft.referencePrice }
    if ('quote' in limit) {
      const worth = worstWorth(market, view.working, draft)
      const unit = view.instrument.quote
      if (worth > limit.quote) return refusal(worthFigures(limit.quote, worth, unit))
      passed?.(worthFigures(limit.quote, worth, unit))
      return undefined
    }
    const worst = worstSteps(market, view.working, draft)
    const allowed = stepsWithin(view.instrument, limit.base)
    const { instrument } = view
    if (worst <= allowed) {
      passed?.(baseFigures(instrument, allowed, worst))
      return undefined
    }
    const refused = refusal(baseFigures(instrument, allowed, worst))
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

function baseFigures(instrument: Instrument, allowed: Steps, worst: number): PassedCheck {
  return figuresOf(quantityText(instrument, allowed), quantityText(instrument, steps(worst)), instrument.base)
}

function worthFigures(allowed: Amount, worst: Amount, quote: string): PassedCheck {
  return figuresOf(amountToText(allowed), amountToText(worst), quote)
}

function figuresOf(allowed: string, worst: string, unit: string): PassedCheck {
  return { rule: 'maxPosition', limit: `${allowed} ${unit}`, actual: `${worst} ${unit}` }
}

function refusal(figures: PassedCheck): Refusal {
  const { limit, actual } = figures
  const message = `If everything fills, the position comes to ${actual}, above the ${limit} that may be held.`
  return { ...figures, message }
}
