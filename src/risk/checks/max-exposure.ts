import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, ZERO } from '../../domain/numbers/amount.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { RiskCheck } from '../risk-check.ts'
import type { RiskMarketView, RiskView } from '../risk-view.ts'
import { worstWorth } from '../worst-case.ts'

/** All instruments of one quote asset together stay within `limit` of it, for any set of fills. */
export function maxExposure(limit: Amount): RiskCheck {
  return (draft, view, passed) => {
    if (draft.reduceOnly) return undefined
    let exposure = ZERO
    for (const market of marketsOf(view)) {
      const isOwn = market.instrument.symbol === draft.symbol
      const known = isOwn ? { ...market, price: draft.referencePrice } : market
      exposure = add(exposure, worstWorth(known, view.working, isOwn ? draft : undefined))
    }
    if (exposure <= limit) {
      passed?.(figuresOf(view.instrument, limit, exposure))
      return undefined
    }
    const figures = figuresOf(view.instrument, limit, exposure)
    const message = `If everything fills, the account's positions come to ${figures.actual}, above the ${figures.limit} that they may come to.`
    return { ...figures, message }
  }
}

function marketsOf({ markets, instrument }: RiskView): readonly RiskMarketView[] {
  return markets.filter(market => market.instrument.quote === instrument.quote)
}

function figuresOf({ quote }: Instrument, limit: Amount, exposure: Amount): PassedCheck {
  return {
    rule: 'maxExposure',
    limit: `${amountToText(limit)} ${quote}`,
    actual: `${amountToText(exposure)} ${quote}`,
  }
}
