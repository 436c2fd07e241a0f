import type { ControlAnswer } from '../../bot/control/control-answer.ts'
import { botStatus } from '../../bot/log/bot-status.ts'
import { accountEquity } from '../../bot/log/bot-summary.ts'
import { botSnapshotIn } from '../../bot/state/bot-snapshot.ts'
import { BotState, type LoadStrategy } from '../../bot/state/bot-state.ts'
import { klineCloseOf } from '../../bot/state/kline-close.ts'
import { runAgain } from '../../bot/state/run-again.ts'
import type { Explanation } from '../../domain/events/explanation.ts'
import type { Ticks } from '../../domain/numbers/grid.ts'
import { trailingLevel } from '../../domain/orders/trailing-stop.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { isFileLocked } from '../../files/file-lock.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { JOURNAL_BOUNDS, TradingHistory } from '../history/trading-history.ts'
import type { ExportFile, ViewQuery, WindowSource } from '../window-source.ts'
import { exportFile } from './export-files.ts'
import { type RecordedEngineParts, RecordedState } from './recorded-state.ts'
import type { CodeChange } from './view-state.ts'
import { VIEWS } from './views.ts'

/** Time between two looks at the lock of the journal, ms. */
const LOOK_EVERY_MS = 5000

const NO_TROUBLE = { failedCalls: 0, refusedData: 0, doubtedPrices: 0 } as const

/**
 * Shows the journal of a bot that is stopped, or runs elsewhere: its events are run again through strategies and risk, so that
 * every decision is explained; nothing is sent. From where these decide other than recorded, such as after a change of a strategy
 * file, it shows what the journal itself tells.
 */
export class JournalWindow implements WindowSource {
  readonly isLive = false
  readonly place: string
  readonly #reader: JournalReader
  readonly #load: LoadStrategy
  readonly #history = new TradingHistory(JOURNAL_BOUNDS)
  /** Books, holds and totals as recorded. */
  readonly #recorded: RecordedState
  /** The strategies, run again; `undefined` from where they decide otherwise. */
  #run: BotState | undefined
  /** Time of the entry from which the code decides other than recorded, ms UTC, and why. */
  #changed: CodeChange | undefined
  /** What the entry that is taken follows from. */
  #explanations: Explanation[] = []
  #seq = 0
  #time = 0
  #looked: { readonly at: number; readonly isWritten: boolean } | undefined
  #following: Promise<void> = Promise.resolve()
  /** True from an entry on that cannot be read. */
  #isBroken = false

  private constructor(path: string, load: LoadStrategy) {
    this.place = path
    this.#reader = new JournalReader(path)
    this.#load = load
    this.#recorded = new RecordedState(load)
    this.#run = new BotState(load, one => this.#explanations.push(one))
  }

  /** Opens a journal; rejects with `UsageError` if it has no session, and as `JournalReader` does. */
  static async open(path: string, load: LoadStrategy): Promise<JournalWindow> {
    const window = new JournalWindow(path, load)
    await window.#begin()
    if (window.#recorded.session !== undefined) return window
    window.close()
    throw new UsageError(`The journal ${path} has no session yet; open it once its bot has started.`)
  }

  get bot(): string {
    return this.#recorded.session?.bot ?? ''
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
    const { engine, strategies } = await this.#parts()
    const { roundTrips, outside } = this.#recorded
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
          dayStart: this.#recorded.dayStartAt(this.#time),
          roundTrips,
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
          closedOutside: outside.shownAt(this.#time),
          closedOutsideBefore: outside.moreAt(this.#time),
          unlisted: [],
          isEmpty: false,
          nextTryOf: () => undefined,
          foreign: [],
          differing: [],
        },
      },
      this.#time,
    )
    const time = this.#time
    return make(
      {
        ...{ history: this.#history, status, time },
        ...(!this.#isWritten() && { stoppedAt: time }),
        ...(this.#changed !== undefined && { changed: this.#changed }),
      },
      query,
    )
  }

  /** The engine that was run again with its strategies; as recorded where these are others by now. */
  async #parts(): Promise<RecordedEngineParts> {
    if (this.#run === undefined) return this.#recorded.parts()
    const { engine, session } = this.#run
    const strategies = await Promise.all(
      (session?.strategies ?? []).map(async entry => ({ ...entry, strategy: await this.#load(entry.file) })),
    )
    return { engine, strategies }
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
      this.#recorded.restore(base)
      await this.#runAgain(base.time, async run => {
        await run.restore(snapshot, this.#reader.klinesAt(base))
        return true
      })
      this.#history.beginAt(base.time)
      this.#history.onEntry({ kind: 'session', time: base.time, body: snapshot.session })
      this.#seq = base.seq
    }
    await this.#readOn()
  }

  /** Reads what was appended since, one reading after the other. */
  #follow(): void {
    this.#following = this.#following
      .then(() => (this.#isBroken ? undefined : this.#readOn()))
      .catch(error => {
        // One journal must not take the others of its window down.
        this.#isBroken = true
        this.#changed = { time: this.#time, why: textOf(error) }
      })
  }

  async #readOn(): Promise<void> {
    for (const entry of this.#reader.entries({ after: this.#seq })) {
      this.#recorded.take(entry)
      await this.#runAgain(entry.time, async run => (await runAgain(run, entry)).isSame)
      this.#history.onEntry(entry)
      this.#seq = entry.seq
      this.#time = entry.time
      const closeTime = klineCloseOf(entry)
      if (closeTime !== undefined) {
        const { ledger, moves } = this.#recorded
        this.#history.equity.note(closeTime, accountEquity(ledger, { priceOf: () => undefined }, moves.total))
      }
    }
  }

  /** Runs on as long as the code decides as recorded; what it explains of its first other decision is of no recorded one. */
  async #runAgain(time: number, take: (run: BotState) => Promise<boolean>): Promise<void> {
    if (this.#run === undefined) return
    try {
      if (await take(this.#run)) {
        for (const one of this.#explanations.splice(0)) this.#history.explain(one)
        return
      }
      this.#changed = { time, why: 'its strategies and settings of today decide otherwise' }
    } catch (error) {
      // Changed code may also fail, or be gone.
      this.#changed = { time, why: textOf(error) }
    }
    this.#explanations = []
    this.#run = undefined
  }
}

/** Stop price of a trailing stop by the best price that the journal noted; `undefined` for any other order. */
function stopPriceIn({ orders }: Ledger, clientOrderId: string): Ticks | undefined {
  const best = orders.bestOf(clientOrderId)
  const request = orders.get(clientOrderId)?.request
  if (best === undefined || request?.spec.type !== 'trailingStop') return undefined
  return trailingLevel(request.spec, request.side === 'buy', best)
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
