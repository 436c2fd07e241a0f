import type { HoldSource, TradingHold, TradingScope } from '../domain/events/trading-hold.ts'
import { configuredChecks } from './configured-checks.ts'
import { configuredProtections } from './configured-protections.ts'
import { OrderTimes } from './order-times.ts'
import type { Marked, RiskFact, RiskProtection } from './protections/protection.ts'
import type { RiskCheck } from './risk-check.ts'
import type { RiskRules } from './risk-rules.ts'
import { isCondition, type StateCommand, TradingState } from './trading-state.ts'

/** State of a scope, as plain data. */
export interface RiskScopeSnapshot {
  readonly holds: readonly TradingHold[]
  readonly protections: Readonly<Record<string, unknown>>
  readonly orderTimes?: readonly number[] | undefined
}

/** The trading state of one scope, its protections and its limits. */
export class RiskScope {
  readonly scope: TradingScope
  readonly state = new TradingState()
  readonly checks: readonly RiskCheck[]
  readonly protections: readonly RiskProtection[]
  /** Present if a limit needs it. */
  readonly orderTimes: OrderTimes | undefined

  constructor(scope: TradingScope, { limits = {}, protections = {} }: RiskRules = {}) {
    this.scope = scope
    this.orderTimes = limits.maxOrders && new OrderTimes(limits.maxOrders.count)
    const owner = scope.strategy === undefined ? 'account' : 'strategy'
    this.checks = configuredChecks(limits, this.orderTimes, owner)
    this.protections = configuredProtections(protections, owner)
  }

  /** True if any protection needs facts. */
  get isWatching(): boolean {
    return this.protections.length > 0
  }

  /** True if a protection depends on the scope's result. */
  get watchesWorth(): boolean {
    return this.protections.some(({ isDue }) => isDue !== undefined)
  }

  /** Shows every protection a fact; returns true if the holds have changed. */
  observe(fact: RiskFact): boolean {
    let changed = false
    for (const protection of this.protections) {
      const change = protection.observe(fact)
      if (change === undefined) continue
      if (change.type === 'lift') changed = this.state.lift(protection.name) || changed
      else {
        this.state.hold(change.hold)
        changed = true
      }
    }
    return changed
  }

  /** True if a protection would hold at a mark, or needs a first one as reference. */
  isDue(mark: Marked): boolean {
    return this.protections.some(protection => protection.isDue?.(mark))
  }

  /**
   * Restores the holds at the bot's end; holds by a condition are dropped, since the condition must recur.
   * Returns true if any hold changed.
   */
  restoreHolds(holds: readonly TradingHold[]): boolean {
    const conditions = this.state.holds.filter(({ source }) => isCondition(source))
    for (const { source } of conditions) this.state.lift(source)
    for (const protection of this.protections) if (isCondition(protection.name)) protection.forget()
    const lasting = holds.filter(({ source }) => !isCondition(source) && this.#knows(source))
    for (const hold of lasting) this.state.hold(hold)
    return conditions.length + lasting.length > 0
  }

  /** Executes a command; returns true if the holds have changed. */
  command(command: StateCommand): boolean {
    if (command.command === 'resume') {
      const before = new Set<HoldSource>(this.state.holds.map(({ source }) => source))
      for (const protection of this.protections) {
        if (before.has(protection.name) && !isCondition(protection.name)) protection.forget()
      }
    }
    return this.state.command(command)
  }

  snapshot(): RiskScopeSnapshot {
    return {
      holds: this.state.holds,
      protections: Object.fromEntries(this.protections.map(({ name, snapshot }) => [name, snapshot()])),
      orderTimes: this.orderTimes?.snapshot(),
    }
  }

  /** Restores a snapshot; holds of protections that are no longer configured are dropped. */
  restore({ holds, protections, orderTimes }: RiskScopeSnapshot): void {
    for (const hold of holds) if (this.#knows(hold.source)) this.state.hold(hold)
    for (const protection of this.protections) {
      if (protection.name in protections) protection.restore(protections[protection.name])
    }
    if (orderTimes !== undefined && orderTimes.length === this.orderTimes?.snapshot().length)
      this.orderTimes.restore(orderTimes)
  }

  #knows(source: HoldSource): boolean {
    return (
      source === 'operator' || source === 'invariant' || this.protections.some(({ name }) => name === source)
    )
  }
}
