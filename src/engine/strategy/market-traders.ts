import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Signal } from '../../domain/signal.ts'
import { signalProblem } from '../../strategy/checks/signal-check.ts'
import type { Strategy } from '../../strategy/define-strategy.ts'
import type { Signals } from '../../strategy/signals.ts'
import { handlerFailure } from '../../strategy/strategy-failure.ts'
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
  readonly #isObserved: boolean
  /** Number of signals so far. */
  signals = 0

  constructor(
    { name, markets }: Pick<Strategy, 'name' | 'markets'>,
    clock: StrategyClock,
    isObserved: boolean,
    make: MakeMarketTrader,
  ) {
    this.own = make(undefined, clock)
    this.all = [this.own, ...markets.map(role => make(role, clock))]
    this.#strategy = name
    this.#roles = markets
    this.#clock = clock
    this.#isObserved = isObserved
  }

  /** Trader of a role; the strategy's own if the role is absent or unknown. */
  of(role: string | undefined): MarketTrader {
    if (role === undefined) return this.own
    return this.all.find(market => market.role === role) ?? this.own
  }

  /** Executes the strategy's signals; throws `StrategyError` for an invalid one. */
  distribute(signals: Signals<string>, out: EngineOutput[]): void {
    if (signals === undefined) return
    const list: readonly Signal<string>[] = isList(signals) ? signals : [signals]
    for (const signal of list) this.#check(signal)
    for (const signal of list) this.#count(signal, out)
    if (this.all.length === 1)
      this.own.trade(list as readonly Signal[], out) // without roles, none is named
    else this.#distributeInTurn(list, out)
  }

  /** Does the work due at a close, ms UTC: orders that expire, refused protective orders; `undefined` if nothing is. */
  expire(time: number): EngineOutput[] | undefined {
    if (this.all.length === 1 && this.own.isTimeless) return undefined
    let out: EngineOutput[] | undefined
    for (const market of this.all) {
      if (market.isTimeless) continue
      this.#clock.show(time)
      out ??= []
      market.expire(out)
    }
    return out?.length === 0 ? undefined : out
  }

  /** After the decision on a close: sends again the exits that the exchange did not complete; `out` as in `expire`. */
  retryExits(time: number, out: EngineOutput[] | undefined): EngineOutput[] | undefined {
    let outputs = out
    for (const market of this.all) {
      if (!market.awaitsRetry) continue
      this.#clock.show(time)
      outputs ??= []
      market.retryExits(outputs)
    }
    return outputs?.length === 0 ? undefined : outputs
  }

  #count(signal: Signal<string>, out: EngineOutput[]): void {
    const market = this.of(signal.market)
    if (!market.isNews(signal)) return
    this.signals++
    if (!this.#isObserved) return
    const { time } = this.#clock
    out.push({ type: 'signaled', strategy: this.#strategy, symbol: market.symbol, signal, time })
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
