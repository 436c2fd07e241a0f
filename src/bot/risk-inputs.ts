import type { EngineEvent } from '../domain/engine-event.ts'
import type { Quote } from '../execution/trigger-book.ts'
import type { MarketReport } from '../market/market-event.ts'
import type { BotOptions } from './bot.ts'
import { botStatus } from './bot-status.ts'
import { ConditionWatch } from './condition-watch.ts'
import type { ControlAnswer } from './control/control-answer.ts'
import { commandOf, outcomeText, requestProblem } from './control/operator.ts'
import type { OperatorRequest } from './control/operator-request.ts'
import { logMarketReport } from './log-market-report.ts'
import { consequencesOf } from './market-consequences.ts'
import { streamSymbols } from './market-inputs.ts'

/** Turns what is measured, reported and commanded beside the market into events of the engine: the one place that says what leads to what. */
export class RiskInputs {
  readonly #options: BotOptions
  readonly #dispatch: (event: EngineEvent) => void
  readonly #conditions: ConditionWatch
  readonly #symbols: ReadonlyMap<string, readonly string[]>
  readonly #traded: ReadonlySet<string>

  constructor(options: BotOptions, dispatch: (event: EngineEvent) => void) {
    const { config, strategies, followed, instruments, marketOf } = options
    this.#options = options
    this.#dispatch = dispatch
    this.#conditions = new ConditionWatch([config.risk, ...strategies.map(({ risk }) => risk)])
    this.#symbols = streamSymbols(followed, marketOf)
    this.#traded = new Set(instruments.keys())
  }

  /** Whether the clock's uncertainty has to be looked at. */
  get watchesClock(): boolean {
    return this.#conditions.watchesClock
  }

  quote(symbol: string, quote: Quote): void {
    const event = this.#conditions.quote(symbol, quote, this.#now)
    if (event !== undefined) this.#dispatch(event)
  }

  clock(uncertaintyMs: number): void {
    const event = this.#conditions.clock(uncertaintyMs, this.#now)
    if (event !== undefined) this.#dispatch(event)
  }

  /** Tells a report to people and to the engine. */
  report(report: MarketReport): void {
    logMarketReport(this.#options.log, report)
    const symbolsOf = (stream: string) => this.#symbols.get(stream) ?? []
    for (const event of consequencesOf(report, symbolsOf, this.#traded, this.#now)) this.#dispatch(event)
  }

  /** Does what an operator asks. */
  obey(request: OperatorRequest): ControlAnswer {
    const { config, state, log } = this.#options
    const problem = requestProblem(request, this.#traded)
    if (problem !== undefined) return { ok: false, message: problem, isUsage: true }
    const command = commandOf(request, this.#now)
    if (command !== undefined) {
      log.warn({ ...request }, 'operator command')
      this.#dispatch(command)
    }
    const status = botStatus(config.bot, state.engine, this.#now)
    return { ok: true, message: outcomeText(request, status), status }
  }

  get #now(): number {
    return this.#options.venue.serverNow()
  }
}
