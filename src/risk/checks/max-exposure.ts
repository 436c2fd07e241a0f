import { type Amount, add, amountToText, ZERO } from '../../domain/numbers/amount.ts'
import type { RiskCheck } from '../risk-check.ts'
import type { RiskMarketView, RiskView } from '../risk-view.ts'
import { worstWorth } from '../worst-case.ts'

/** All instruments of one quote asset together stay within `limit` of it, for any set of fills. */
export function maxExposure(limit: Amount): RiskCheck {
  return (draft, view) => {
    if (draft.reduceOnly) return undefined
    let exposure = ZERO
    for (const market of marketsOf(view)) {
      const isOwn = market.instrument.symbol === draft.symbol
      const known = isOwn ? { ...market, price: draft.referencePrice } : market
      exposure = add(exposure, worstWorth(known, view.working, isOwn ? draft : undefined))
    }
    if (exposure <= limit) return undefined
    const { quote } = view.instrument
    const [allowed, actual] = [limit, exposure].map(money => `${amountToText(money)} ${quote}`)
    return {
      rule: 'maxExposure',
      limit: `${allowed}`,
      actual: `${actual}`,
      message: `If everything fills, the account's positions come to ${actual}, above the ${allowed} that they may come to.`,
    }
  }
}

function marketsOf({ markets, instrument }: RiskView): readonly RiskMarketView[] {
  return markets.filter(market => market.instrument.quote === instrument.quote)
}
