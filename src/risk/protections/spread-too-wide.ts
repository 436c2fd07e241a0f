import type { ProtectionRules } from '../risk-rules.ts'
import { exceeding } from './exceeding.ts'
import { percentText } from './percent-text.ts'
import type { RiskProtection } from './protection.ts'

type Rules = NonNullable<ProtectionRules['spread']>

/** Holds while the spread of any instrument of the scope is above `maxRate` of the middle. */
export function spreadTooWide({ maxRate, mode }: Rules): RiskProtection {
  return exceeding('spread', mode, fact => {
    if (fact.type !== 'spreadSeen') return undefined
    const { symbol, spreadRate, time } = fact
    const reason = `The spread of ${symbol} is ${percentText(spreadRate)} of the price; the limit is ${percentText(maxRate)}.`
    return { of: symbol, isExceeded: !(spreadRate <= maxRate), reason, time }
  })
}
