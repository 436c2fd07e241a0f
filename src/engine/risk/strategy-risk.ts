import type { TradingHold, TradingMode } from '../../domain/events/trading-hold.ts'
import { STANDARD_CHECKS } from '../../risk/assess.ts'
import type { RiskCheck } from '../../risk/risk-check.ts'
import type { RiskScope } from '../../risk/risk-scope.ts'
import { stricter } from '../../risk/trading-state.ts'

/** The risk of one strategy on one instrument: its scopes, and the tradability of the instrument. */
export class StrategyRisk {
  /** All checks of an order, in order of evaluation. */
  readonly checks: readonly RiskCheck[]
  /** True if the exchange lets the instrument be traded; set by the engine. */
  isTradable = true
  readonly #account: RiskScope
  readonly #instrument: RiskScope
  readonly #own: RiskScope

  constructor(
    account: RiskScope,
    instrument: RiskScope,
    own: RiskScope,
    standard: readonly RiskCheck[] = STANDARD_CHECKS,
  ) {
    this.#account = account
    this.#instrument = instrument
    this.#own = own
    const configured = [...account.checks, ...own.checks]
    this.checks = configured.length === 0 ? standard : [...standard, ...configured]
  }

  /** The strictest mode of all scopes. */
  get mode(): TradingMode {
    return stricter(stricter(this.#account.state.mode, this.#instrument.state.mode), this.#own.state.mode)
  }

  /** The holds of all scopes. */
  get holds(): readonly TradingHold[] {
    return [this.#account, this.#instrument, this.#own].flatMap(({ state }) => state.holds)
  }

  /** Counts an order at market `time`, ms UTC, for limits of orders per interval. */
  noteOrder(time: number): void {
    this.#account.orderTimes?.note(time)
    this.#own.orderTimes?.note(time)
  }
}
