import type { ControlAnswer } from '../../bot/control/control-answer.ts'
import { botStatus } from '../../bot/log/bot-status.ts'
import { accountEquity } from '../../bot/log/bot-summary.ts'
import { botSnapshotIn } from '../../bot/state/bot-snapshot.ts'
import { BotState, type LoadStrategy } from '../../bot/state/bot-state.ts'
import { klineCloseOf } from '../../bot/state/kline-close.ts'
import type { Ticks } from '../../domain/numbers/grid.ts'
import { trailingLevel } from '../../domain/orders/trailing-stop.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { isFileLocked } from '../../files/file-lock.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { TradingHistory } from '../history/trading-history.ts'
import type { ExportFile, ViewQuery, WindowSource } from '../window-source.ts'
import { exportFile } from './export-files.ts'
import { VIEWS } from './views.ts'

/** Time between two looks at the lock of the journal, ms. */
const LOOK_EVERY_MS = 5000

const NO_TROUBLE = { failedCalls: 0, refusedData: 0, doubtedPrices: 0 } as const

/**
 * Shows the journal of a bot that is stopped, or runs elsewhere: its events are run again through strategies and risk, so that
 * every decision is explained; nothing is sent.
 */
export class JournalWindow implements WindowSource {
  readonly isLive = false
  readonly place: string
  readonly #reader: JournalReader
  readonly #load: LoadStrategy
  readonly #history = new TradingHistory()
  readonly #state: BotState
  #seq = 0
  #time = 0
  #looked: { readonly at: number; readonly isWritten: boolean } | undefined
  #following: Promise<void> = Promise.resolve()

  private constructor(path: string, load: LoadStrategy) {
    this.place = path
    this.#reader = new JournalReader(path)
    this.#load = load
    this.#state = new BotState(load, this.#history.explain)
  }

  /** Opens a journal; rejects with `UsageError` if it has no session, and as `JournalReader` does. */
  static async open(path: string, load: LoadStrategy): Promise<JournalWindow> {
    const window = new JournalWindow(path, load)
    await window.#begin()
    if (window.#state.session === undefined)
      throw new UsageError(`The journal ${path} has no session yet; open it once its bot has started.`)
    return window
  }

  get bot(): string {
    return this.#state.session?.bot ?? ''
  }

  version(): number {
    this.#follow()
    return this.#history.version
  }

  async read(view: string, query: ViewQuery): Promise<unknown> {
    const make = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined
    if (make === undefined) return undefined
    this.#follow()
    await this.#following
    const { engine, session } = this.#state
    const strategies = await Promise.all(
      (session?.strategies ?? []).map(async entry => ({ ...entry, strategy: await this.#load(entry.file) })),
    )
    const prices = {
      priceOf: () => undefined,
      stopPriceOf: (id: string) => stopPriceIn(engine.ledger, id),
      oldPriceMs: () => undefined,
    }
    const status = botStatus(
      {
        ...{
          bot: this.bot,
          engine,
          dayStart: this.#state.dayStartAt(this.#time),
          roundTrips: this.#state.roundTrips,
          strategies,
          prices,
          line: NO_TROUBLE,
          comparison: 'notYet',
          awaitedSales: [],
          lockedCoins: [],
        },
        ...{
          stopped: new Map(),
          halted: new Map(),
          unprotected: [],
          closedOutside: [],
          closedOutsideBefore: 0,
          unlisted: [],
          nextTryOf: () => undefined,
          foreign: [],
          differing: [],
        },
      },
      this.#time,
    )
    const time = this.#time
    return make(
      { history: this.#history, status, time, ...(!this.#isWritten() && { stoppedAt: time }) },
      query,
    )
  }

  /** True while a bot writes the journal, which it locks for that; as of at most some seconds ago. */
  #isWritten(): boolean {
    const now = performance.now()
    if (this.#looked === undefined || now - this.#looked.at > LOOK_EVERY_MS)
      this.#looked = { at: now, isWritten: isFileLocked(`${this.place}.lock`) }
    return this.#looked.isWritten
  }

  async file(name: string): Promise<ExportFile | undefined> {
    return exportFile(this.#history, name)
  }

  async operate(): Promise<ControlAnswer> {
    return { ok: false, message: 'A journal cannot be commanded.', isUsage: true }
  }

  close(): void {
    this.#reader.close()
  }

  async #begin(): Promise<void> {
    const base = this.#reader.base()
    if (base !== undefined) {
      const snapshot = botSnapshotIn(base)
      await this.#state.restore(snapshot, this.#reader.klinesAt(base))
      this.#history.onEntry({ kind: 'session', time: base.time, body: snapshot.session })
      this.#seq = base.seq
    }
    await this.#readOn()
  }

  /** Reads what was appended since, one reading after the other. */
  #follow(): void {
    this.#following = this.#following.then(() => this.#readOn())
  }

  async #readOn(): Promise<void> {
    for (const entry of this.#reader.entries({ after: this.#seq })) {
      await this.#state.take(entry)
      this.#history.onEntry(entry)
      this.#seq = entry.seq
      this.#time = entry.time
      const closeTime = klineCloseOf(entry)
      if (closeTime !== undefined) {
        const { engine, moves } = this.#state
        const account = accountEquity(engine.ledger, { priceOf: () => undefined }, moves.total)
        this.#history.equity.note(closeTime, account)
      }
    }
  }
}

/** Stop price of a trailing stop by the best price that the journal noted; `undefined` for any other order. */
function stopPriceIn({ orders }: Ledger, clientOrderId: string): Ticks | undefined {
  const best = orders.bestOf(clientOrderId)
  const request = orders.get(clientOrderId)?.request
  if (best === undefined || request?.spec.type !== 'trailingStop') return undefined
  return trailingLevel(request.spec, request.side === 'buy', best)
}
