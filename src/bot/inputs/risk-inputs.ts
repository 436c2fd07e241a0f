import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { MarketReport } from '../../market/market-event.ts'
import type { Quote } from '../../matching/trigger-book.ts'
import type { BotOptions } from '../bot-options.ts'
import type { ControlAnswer } from '../control/control-answer.ts'
import { commandOf, outcomeText, requestProblem, unchangedText } from '../control/operator.ts'
import type { OperatorRequest } from '../control/operator-request.ts'
import type { BotStatus } from '../log/bot-status.ts'
import { logMarketReport } from '../log/log-market-report.ts'
import { ConditionWatch } from './condition-watch.ts'
import { GridChanges } from './grid-changes.ts'
import { consequencesOf } from './market-consequences.ts'
import { streamSymbols } from './market-inputs.ts'

/**
 * The one place that turns measurements, reports and commands besides the market into events of the engine.
 */
export class RiskInputs {
  readonly #options: BotOptions
  readonly #dispatch: (event: EngineEvent) => void
  readonly #conditions: ConditionWatch
  readonly #symbols: ReadonlyMap<string, readonly string[]>
  readonly #traded: ReadonlySet<string>
  readonly #statusOf: (time: number) => BotStatus
  /** Grids that the exchange has changed. */
  readonly grids = new GridChanges()

  /** `statusOf` gives the status of the bot at a time, ms UTC. */
  constructor(
    options: BotOptions,
    dispatch: (event: EngineEvent) => void,
    statusOf: (time: number) => BotStatus,
  ) {
    const { config, strategies, followed, instruments, marketOf } = options
    this.#options = options
    this.#dispatch = dispatch
    this.#statusOf = statusOf
    this.#conditions = new ConditionWatch([config.risk, ...strategies.map(({ risk }) => risk)])
    this.#symbols = streamSymbols(followed, marketOf)
    this.#traded = new Set(instruments.keys())
  }

  /** True if the clock's uncertainty must be measured. */
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

  /** Logs a report, and passes it to the engine. */
  report(report: MarketReport): void {
    logMarketReport(this.#options.log, report)
    const { trouble } = this.#options
    if (report.type === 'refused') trouble.dataRefused(report.reason, this.#now)
    const symbolsOf = (stream: string) => this.#symbols.get(stream) ?? []
    for (const event of consequencesOf(report, symbolsOf, this.#traded, this.grids, this.#now)) {
      if (event.type === 'dataStale') trouble.dataStale(event.symbol, event.stream)
      if (event.type === 'dataFresh') trouble.dataFresh(event.symbol, event.stream)
      this.#dispatch(event)
    }
  }

  /** Executes a request of an operator. A failed status is answered and logged, but never ends the bot. */
  obey(request: OperatorRequest): ControlAnswer {
    const problem = requestProblem(request, this.#traded)
    if (problem !== undefined) return { ok: false, message: problem, isUsage: true }
    const unchanged = this.#unchangedText(request)
    const command = commandOf(request, this.#now)
    if (command !== undefined) {
      this.#options.log.warn({ ...request }, 'operator command')
      this.#dispatch(command)
    }
    const answer = this.answerTo(request)
    return answer.ok && unchanged !== '' ? { ...answer, message: `${unchanged} ${answer.message}` } : answer
  }

  /** Says that a command changes nothing; empty where it does, and where there is no status to tell it by. */
  #unchangedText(request: OperatorRequest): string {
    try {
      return unchangedText(request, this.#statusOf(this.#now))
    } catch {
      return ''
    }
  }

  /** The answer to a request that is carried out, by the present status. */
  answerTo(request: OperatorRequest): ControlAnswer {
    try {
      const status = this.#statusOf(this.#now)
      return { ok: true, message: outcomeText(request, status), status }
    } catch (error) {
      this.#options.log.error({ err: error }, 'the status could not be made')
      const beginning = request.command === 'status' ? 'The' : 'The command is carried out, but the'
      return { ok: false, message: `${beginning} status could not be made: ${textOf(error)}`, isUsage: false }
    }
  }

  get #now(): number {
    return this.#options.venue.serverNow()
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
