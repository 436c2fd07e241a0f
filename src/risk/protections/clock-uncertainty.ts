import type { ProtectionRules } from '../risk-rules.ts'
import { exceeding } from './exceeding.ts'
import type { RiskProtection } from './protection.ts'

type Rules = NonNullable<ProtectionRules['clockUncertainty']>

/** Holds while our idea of the exchange's time may be off by more than `maxMs`. */
export function clockUncertainty({ maxMs, mode }: Rules): RiskProtection {
  return exceeding('clockUncertainty', mode, fact => {
    if (fact.type !== 'clockMeasured') return undefined
    const { uncertaintyMs, time } = fact
    const reason = `The exchange's time is only known to within ${Math.ceil(uncertaintyMs)} ms, and ${maxMs} ms is allowed.`
    return { of: '', isExceeded: !(uncertaintyMs <= maxMs), reason, time }
  })
}
