import type { ProtectionName, TradingHold } from '../../domain/events/trading-hold.ts'
import type { RiskFact, RiskProtection } from './protection.ts'

/** Comparison of one measured value with its bound. */
export interface Measured {
  /** Name of the measured value: several may exceed their bound at once. */
  readonly of: string
  readonly isExceeded: boolean
  /** A whole sentence, for the case that it is. */
  readonly reason: string
  /** ms UTC. */
  readonly time: number
}

/** Holds while any value of `measure` exceeds its bound. */
export function exceeding(
  name: ProtectionName,
  mode: TradingHold['mode'],
  measure: (fact: RiskFact) => Measured | undefined,
): RiskProtection {
  let beyond: readonly string[] = []
  return {
    name,
    observe: fact => {
      const measured = measure(fact)
      if (measured === undefined || beyond.includes(measured.of) === measured.isExceeded) return undefined
      const { of, isExceeded, reason, time } = measured
      beyond = isExceeded ? [...beyond, of] : beyond.filter(other => other !== of)
      if (isExceeded) return { type: 'hold', hold: { mode, source: name, reason, since: time } }
      return beyond.length === 0 ? { type: 'lift' } : undefined
    },
    forget: () => {
      beyond = []
    },
    snapshot: () => beyond,
    restore: state => {
      beyond = state as readonly string[] // what `snapshot` gave
    },
  }
}
