import { botSnapshotIn } from '../bot/state/bot-snapshot.ts'
import { BotState, type LoadStrategy } from '../bot/state/bot-state.ts'
import { runAgain } from '../bot/state/run-again.ts'
import type { SessionRecord } from '../bot/state/session-record.ts'
import type { EngineEvent } from '../domain/events/engine-event.ts'
import { closeTimeOf, type Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { amountToNumber } from '../domain/numbers/amount.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { JournalEntry, JournalSnapshot } from '../journal/journal-entry.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import { journalText } from '../journal/journal-text.ts'
import { isPlainData } from '../journal/plain-data.ts'
import { LiveRecord } from './live-record.ts'

/** A moment at which a bot held nothing and no order worked: from there a backtest can go on. */
export interface FlatMoment {
  /** ms UTC. */
  readonly time: number
  readonly engine: EngineState
  /** Klines seen until then, by `symbol interval`. */
  readonly klines: ReadonlyMap<string, readonly Kline[]>
}

/** Bounds of what is compared. */
export interface SpanLimits {
  /** Nothing before this time is compared, ms UTC; default: the beginning of the journal. */
  readonly from?: number
  /** Klines after which the span begins anew at the next flat moment; default: never. */
  readonly mostKlines?: number
  /**
   * Hash of the code of a strategy's file as it was loaded. With it the span begins anew, at the next flat moment, once a
   * session trades with other code, parameters or limits, and without what other code than the loaded decided.
   */
  readonly hashOf?: (file: string) => string | undefined
}

const MOVES_LIQUIDATION: ReadonlySet<EngineEvent['type']> = new Set([
  'klineClosed',
  'filled',
  'liquidated',
  'fundingPaid',
  'positionMarginReported',
  'positionCostReported',
])

/**
 * Reads a journal, also while it grows: from the first flat moment on, what happened live. Everything is run again as
 * long as the code decides as recorded; after that only the record counts.
 */
export class LiveSpan {
  readonly #reader: JournalReader
  readonly #load: LoadStrategy
  readonly #state: BotState
  readonly #limits: SpanLimits
  #seq = 0
  #start: FlatMoment | undefined
  #live: LiveRecord | undefined
  #differsAt: number | undefined
  /** True where the latest session has another setup than the first of the span, which then begins anew when it can. */
  #hasOtherSetup = false

  private constructor(reader: JournalReader, load: LoadStrategy, limits: SpanLimits) {
    this.#reader = reader
    this.#load = load
    this.#state = new BotState(load)
    this.#limits = limits
  }

  /** Opens a journal without reading it. */
  static async open(reader: JournalReader, load: LoadStrategy, limits: SpanLimits = {}): Promise<LiveSpan> {
    const span = new LiveSpan(reader, load, limits)
    const base = await span.#firstState()
    if (base !== undefined) {
      await span.#state.restore(botSnapshotIn(base), reader.klinesAt(base))
      span.#seq = base.seq
    }
    return span
  }

  /** Reads all that a journal has so far. */
  static async read(reader: JournalReader, load: LoadStrategy, limits: SpanLimits = {}): Promise<LiveSpan> {
    const span = await LiveSpan.open(reader, load, limits)
    await span.readOn()
    return span
  }

  /** Reads what was appended since, at most so many entries; true if there is more. */
  async readOn(most = Number.MAX_SAFE_INTEGER - this.#seq): Promise<boolean> {
    const upTo = this.#seq + most
    for (const entry of this.#reader.entries({ after: this.#seq, upTo })) {
      if (entry.kind === 'session') this.#meet(entry.body as SessionRecord) // as `RecordedEngine` wrote it
      this.#begin(entry)
      this.#live?.take(entry)
      await this.#runAgain(entry)
      this.#noteLiquidationPrices(entry)
      this.#seq = entry.seq
    }
    return this.#seq === upTo
  }

  /** True once there is something to compare. */
  get isBegun(): boolean {
    return this.#live !== undefined
  }

  /** The first moment that is compared; throws `UsageError` where there was none yet. */
  get start(): FlatMoment {
    if (this.#start === undefined) throw nothingYet(this.#reader.path)
    return this.#start
  }

  /** The events since then; throws `UsageError` where there was no such moment. */
  get live(): LiveRecord {
    if (this.#live === undefined) throw nothingYet(this.#reader.path)
    return this.#live
  }

  /** When the code first decided other than recorded, ms UTC; `undefined` if it never did. */
  get differsAt(): number | undefined {
    return this.#differsAt
  }

  /**
   * The state to read on from: the latest, if the session since then runs the loaded code and one before it did not;
   * otherwise that before the first kept entry.
   */
  async #firstState(): Promise<JournalSnapshot | undefined> {
    const { hashOf } = this.#limits
    const [base, latest] = [this.#reader.base(), this.#reader.snapshot()]
    if (hashOf === undefined || latest === undefined) return base
    // The session that goes on from a state is the entry after it.
    const [present, ...earlier] = this.#sessionsUpTo(latest.seq + 1, base)
    for (const { file } of present?.strategies ?? []) await this.#load(file)
    const isLoaded = ({ sources = {} }: SessionRecord) =>
      Object.entries(sources).every(([file, hash]) => hashOf(file) === hash)
    return present !== undefined && isLoaded(present) && !earlier.every(isLoaded) ? latest : base
  }

  /** Sessions up to an entry, the latest first; the last may have begun before the first kept entry, after a state. */
  #sessionsUpTo(seq: number, base: JournalSnapshot | undefined): readonly SessionRecord[] {
    const entry = this.#reader.sessionBefore(seq)
    if (entry === undefined) return base === undefined ? [] : [botSnapshotIn(base).session]
    return [entry.body as SessionRecord, ...this.#sessionsUpTo(entry.seq - 1, base)] // as `RecordedEngine` wrote it
  }

  #meet(session: SessionRecord): void {
    const [first] = this.#live?.sessions ?? []
    if (first === undefined || this.#limits.hashOf === undefined) return
    this.#hasOtherSetup = setupOf(first.session) !== setupOf(session)
  }

  /** Begins where nothing is held, before a kline is decided on. */
  #begin({ kind, time, body }: JournalEntry): void {
    if (kind !== 'event' || (body as EngineEvent).type !== 'klineClosed') return // an event has a type
    const { from = 0, mostKlines = Number.POSITIVE_INFINITY } = this.#limits
    const { session } = this.#state
    if (session === undefined || this.#differsAt !== undefined) return
    const isDue =
      this.#live === undefined ? time >= from : this.#hasOtherSetup || this.#live.size >= mostKlines
    if (!isDue || !isFlat(this.#state.engine)) return
    this.#start = { time, engine: apart(this.#state.engine.snapshot()), klines: this.#klines() }
    this.#live = new LiveRecord({ time, session })
    this.#hasOtherSetup = false
  }

  #klines(): FlatMoment['klines'] {
    const streams = this.#state.engine.klineStreams
    return new Map(
      streams.map(({ symbol, interval }) => [
        `${symbol} ${interval}`,
        [...this.#state.klines.of(symbol, interval)],
      ]),
    )
  }

  /** Notes after each event that may move them what would liquidate the positions. */
  #noteLiquidationPrices({ kind, time, body }: JournalEntry): void {
    if (kind !== 'event' || this.#live === undefined || this.#differsAt !== undefined) return
    const event = body as EngineEvent // as `RecordedEngine` wrote it
    if (!MOVES_LIQUIDATION.has(event.type)) return
    // A liquidation price that changes at a kline holds from its close on, however late the kline was shown.
    const since = event.type === 'klineClosed' ? closeTimeOf(event.kline.openTime, event.interval) : time
    const { contracts, liquidations } = this.#state.engine.ledger
    const prices = new Map<string, number>()
    for (const { book } of contracts.held) {
      const price = liquidations.priceOf(book)
      if (price !== undefined) prices.set(book, amountToNumber(price))
    }
    this.#live.noteLiquidationPrices(prices, since)
  }

  /** A changed strategy may decide otherwise, and then fails at the fills of orders that it never sent. */
  async #runAgain(entry: JournalEntry): Promise<void> {
    if (this.#differsAt !== undefined) return
    try {
      const { isSame } = await runAgain(this.#state, entry)
      if (!isSame) this.#differsAt = entry.time
    } catch (error) {
      if (this.#live === undefined) throw error
      this.#differsAt = entry.time
    }
  }
}

/** Klines of a stream that a flat moment has. */
export function klinesOf({ klines }: FlatMoment, symbol: string, interval: Interval): readonly Kline[] {
  return klines.get(`${symbol} ${interval}`) ?? []
}

/**
 * A state that no running engine changes. Memory of a strategy that is more than plain data is not copied: a journal
 * does not keep it either.
 */
export function apart({ desks, ...state }: EngineState): EngineState {
  return {
    ...structuredClone(state),
    desks: desks.map(({ memory, ...desk }) => ({
      ...structuredClone(desk),
      memory: isPlainData(memory) ? structuredClone(memory) : memory,
    })),
  }
}

/** The session whose strategies, parameters and instruments a backtest takes: the latest. */
export function comparedSession(live: LiveRecord): SessionRecord {
  return (live.sessions.at(-1) as LiveRecord['sessions'][number]).session // it is made with one
}

/** Code, parameters and limits of a session as text, for comparison. */
function setupOf({ strategies, risk, sources }: SessionRecord): string {
  return journalText([strategies, risk, sources])
}

function isFlat({ ledger, risk, runners }: Engine): boolean {
  return (
    ledger.orders.working.length === 0 &&
    runners.every(runner =>
      runner.markets.every(({ books }) => books.all.every(book => ledger.position(book) === undefined)),
    ) &&
    risk.scopes.every(({ state }) => state.mode === 'active')
  )
}

function nothingYet(path: string): UsageError {
  return new UsageError(
    `The journal ${path} has no kline yet that was decided on while nothing was held and no order worked; compare it once there is one, or from an earlier time.`,
  )
}
