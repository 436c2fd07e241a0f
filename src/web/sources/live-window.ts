import type { Bot } from '../../bot/bot.ts'
import type { BotObserver } from '../../bot/bot-observer.ts'
import type { ControlAnswer } from '../../bot/control/control-answer.ts'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import type { OperatorOrigin } from '../../bot/state/command-record.ts'
import { klineCloseOf } from '../../bot/state/kline-close.ts'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import type { NewEntry } from '../../journal/journal.ts'
import type { EquityPoint } from '../history/equity-course.ts'
import { TradingHistory } from '../history/trading-history.ts'
import type { ExportFile, ViewQuery, WindowSource } from '../window-source.ts'
import { exportFile, isExported } from './export-files.ts'
import { recordedLists } from './recorded-lists.ts'
import { VIEWS } from './views.ts'

/** Name and clock of a bot. */
export interface LiveWindowOptions {
  readonly bot: string
  /** The estimated exchange time, ms UTC. */
  readonly serverNow: () => number
  /** The latest comparison with a backtest; `undefined` where none runs. */
  readonly comparison?: () => ComparisonUpdate | undefined
  /** Path of the journal that it writes, of which files are made. */
  readonly journal?: string
}

/** Shows a running bot: everything it reports goes into a history, which is worked up when a browser looks. */
export class LiveWindow implements WindowSource {
  readonly bot: string
  readonly isLive = true
  /** Of the bot; give it at its creation. */
  readonly observer: BotObserver
  readonly #history = new TradingHistory()
  readonly #serverNow: () => number
  readonly #comparison: () => ComparisonUpdate | undefined
  readonly #journal: string | undefined
  /** The reading for files that is under way: they are made one after the other. */
  #reading: Promise<unknown> = Promise.resolve()
  #running: Bot | undefined

  constructor({ bot, serverNow, comparison = () => undefined, journal }: LiveWindowOptions) {
    this.bot = bot
    this.#journal = journal
    this.#comparison = comparison
    this.#serverNow = serverNow
    this.observer = { explain: this.#history.explain, onEntry: entry => this.#take(entry) }
  }

  /** Takes entries from before the start, in order; `since` is the time of the first, ms UTC, where others were before it. */
  remember(entries: Iterable<NewEntry>, since?: number): void {
    if (since !== undefined) this.#history.beginAt(since)
    for (const entry of entries) this.#history.onEntry(entry)
  }

  /** Takes the course of equity before the start, in order. */
  rememberEquity(points: Iterable<EquityPoint>): void {
    this.#history.equity.remember(points)
  }

  /** Shows a bot from now on. */
  show(bot: Bot): void {
    this.#running = bot
  }

  version(): number {
    return this.#history.version
  }

  async read(view: string, query: ViewQuery): Promise<unknown> {
    const make = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined
    const answer = make && (await this.#running?.operate({ command: 'status' }))
    if (make === undefined || answer?.ok !== true || this.#running === undefined) return undefined
    const { health } = this.#running
    const comparison = this.#comparison()
    return make(
      {
        ...{ history: this.#history, status: answer.status, health, time: this.#serverNow() },
        ...(comparison !== undefined && { comparison }),
        ...(this.#journal !== undefined && { hasJournalFiles: true }),
      },
      query,
    )
  }

  async file(name: string): Promise<ExportFile | undefined> {
    const path = this.#journal
    if (path === undefined || !isExported(name)) return exportFile(this.#history, name)
    const reading = this.#reading.then(async () => exportFile(await recordedLists(path), name))
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  async operate(request: OperatorRequest, origin: OperatorOrigin): Promise<ControlAnswer> {
    return (
      this.#running?.operate(request, origin) ?? {
        ok: false,
        message: 'The bot is still starting.',
        isUsage: false,
      }
    )
  }

  /** The equity is noted after the turn of a kline, whose orders leave first. */
  #take(entry: NewEntry): void {
    this.#history.onEntry(entry)
    const closeTime = klineCloseOf(entry)
    if (closeTime !== undefined) setImmediate(() => this.#noteEquity(closeTime))
  }

  #noteEquity(closeTime: number): void {
    if (this.#running !== undefined) this.#history.equity.note(closeTime, this.#running.equity)
  }
}
