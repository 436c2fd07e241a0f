import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { Signal } from '../../domain/signal.ts'
import { signalProblem } from '../../strategy/checks/signal-check.ts'
import type { Signals } from '../../strategy/signals.ts'
import { handlerFailure } from '../../strategy/strategy-failure.ts'
import type { NO_ORDER } from '../decisions/lone-decisions.ts'
import type { MarketTrader } from './market-trader.ts'
import type { StrategyClock } from './strategy-clock.ts'

/** Makes the trader of one market: its own where `role` is absent. */
export type MakeMarketTrader = (role: string | undefined, clock: StrategyClock) => MarketTrader

/** The instruments of one strategy; each signal is executed on the instrument that it names. */
export class MarketTraders {
  /** Its own, then those of its roles. */
  readonly all: readonly MarketTrader[]
  readonly own: MarketTrader
  readonly #strategy: string
  readonly #roles: readonly string[]
  readonly #clock: StrategyClock

  constructor(strategy: string, roles: readonly string[], clock: StrategyClock, make: MakeMarketTrader) {
    this.own = make(undefined, clock)
    this.all = [this.own, ...roles.map(role => make(role, clock))]
    this.#strategy = strategy
    this.#roles = roles
    this.#clock = clock
  }

  /** Trader of a role; the strategy's own if the role is absent or unknown. */
  of(role: string | undefined): MarketTrader {
    if (role === undefined) return this.own
    return this.all.find(market => market.role === role) ?? this.own
  }

  /**
   * The only order that follows from the strategy's signals, unreported, see `LoneDecisions`; `undefined`,
   * without any effect, if that is not known.
   */
  decideAlone(signals: Signals<string>): OrderRequest | typeof NO_ORDER | undefined {
    if (signals === undefined || isList(signals) || signals.market !== undefined) return undefined
    return this.own.decideAlone(signals as Signal) // one that names no role
  }

  /** Executes the strategy's signals; throws `StrategyError` for an invalid one. */
  distribute(signals: Signals<string>, out: EngineOutput[]): void {
    if (signals === undefined) return
    const list: readonly Signal<string>[] = isList(signals) ? signals : [signals]
    for (const signal of list) this.#check(signal)
    const { time } = this.#clock
    for (const signal of list) {
      const market = this.of(signal.market)
      if (market.isNews(signal))
        out.push({ type: 'signaled', strategy: this.#strategy, symbol: market.symbol, signal, time })
    }
    if (this.all.length === 1)
      this.own.trade(list as readonly Signal[], out) // without roles, none is named
    else this.#distributeInTurn(list, out)
  }

  /** What is due at a close, ms UTC: orders that expire, refused protective orders; `undefined` if nothing is. */
  expire(time: number): EngineOutput[] | undefined {
    let out: EngineOutput[] | undefined
    for (const market of this.all) {
      if (market.isTimeless) continue
      this.#clock.advance(time)
      out ??= []
      market.expire(out)
    }
    return out?.length === 0 ? undefined : out
  }

  #check(signal: Signal<string>): void {
    const problem = signalProblem(signal, this.#roles) ?? this.of(signal.market).problemOf(signal)
    if (problem === undefined) return
    const moment = { instrument: this.own.view.instrument, time: this.#clock.time }
    throw handlerFailure(this.#strategy, moment, `returned a wrong signal. ${problem}`)
  }

  /** The signals of each market are one decision there. */
  #distributeInTurn(list: readonly Signal<string>[], out: EngineOutput[]): void {
    for (const market of this.all) {
      // From here on, roles do not matter.
      const own = list.filter((signal): signal is Signal => signal.market === market.role)
      if (own.length > 0) market.trade(own, out)
    }
  }
}

function isList(signals: Signal<string> | readonly Signal<string>[]): signals is readonly Signal<string>[] {
  return Array.isArray(signals)
}
