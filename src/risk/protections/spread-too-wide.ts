import type { ProtectionRules } from '../risk-rules.ts'
import { exceeding } from './exceeding.ts'
import type { RiskProtection } from './protection.ts'
import { roundedPercentText } from './rounded-percent-text.ts'

type Rules = NonNullable<ProtectionRules['spread']>

/** Holds while the spread of any instrument of the scope is above `maxRate` of the middle. */
export function spreadTooWide({ maxRate, mode }: Rules): RiskProtection {
  return exceeding('spread', mode, fact => {
    if (fact.type !== 'spreadSeen') return undefined
    const { symbol, spreadRate, time } = fact
    const reason = `The spread of ${symbol} is ${roundedPercentText(spreadRate)} of the price; the limit is ${roundedPercentText(maxRate)}.`
    return { of: symbol, isExceeded: !(spreadRate <= maxRate), reason, time }
  })
}
