import type { ClockMeasured, SpreadSeen } from '../../domain/events/trading-event.ts'
import type { Quote } from '../../matching/trigger-book.ts'
import type { ProtectionRules, RiskRules } from '../../risk/risk-rules.ts'

/**
 * Watches values measured many times a minute, and passes on those that cross a bound of a protection; the
 * engine and its journal need no others. Without such a protection, none are passed on.
 */
export class ConditionWatch {
  readonly #spreads: readonly number[]
  readonly #uncertainties: readonly number[]
  /** Number of bounds exceeded by the latest value passed on. */
  readonly #exceeded = new Map<string, number>()

  /** Rules of the account and of all strategies. */
  constructor(rules: readonly (RiskRules | undefined)[]) {
    const protections = rules.map((given): ProtectionRules => given?.protections ?? {})
    this.#spreads = protections.flatMap(({ spread }) => spread?.maxRate ?? [])
    this.#uncertainties = protections.flatMap(({ clockUncertainty }) => clockUncertainty?.maxMs ?? [])
  }

  /** True if the clock's uncertainty must be measured. */
  get watchesClock(): boolean {
    return this.#uncertainties.length > 0
  }

  /** A new quote; `time` is ms UTC. */
  quote(symbol: string, quote: Quote, time: number): SpreadSeen | undefined {
    if (this.#spreads.length === 0) return undefined
    const spreadRate = spreadOf(quote)
    return this.#passes(symbol, spreadRate, this.#spreads)
      ? { type: 'spreadSeen', symbol, spreadRate, time }
      : undefined
  }

  /** Present uncertainty of the clock, ms. */
  clock(uncertaintyMs: number, time: number): ClockMeasured | undefined {
    return this.#passes('', uncertaintyMs, this.#uncertainties)
      ? { type: 'clockMeasured', uncertaintyMs, time }
      : undefined
  }

  #passes(what: string, value: number, bounds: readonly number[]): boolean {
    const exceeded = bounds.filter(bound => !(value <= bound)).length
    if ((this.#exceeded.get(what) ?? 0) === exceeded) return false
    this.#exceeded.set(what, exceeded)
    return true
  }
}

/** The spread as a fraction of the mid price; infinite if a side is missing. */
function spreadOf({ bid, ask }: Quote): number {
  if (bid <= 0 || !Number.isFinite(ask)) return Number.POSITIVE_INFINITY
  return ((ask - bid) * 2) / (ask + bid)
}
