import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { SentRequest, TradesSeen, TransactionsSeen } from '../../execution/sent-requests.ts'
import type { JournalWriter, NewEntry } from '../../journal/journal.ts'
import type { BotSnapshot } from './bot-snapshot.ts'
import type { BotState } from './bot-state.ts'
import type { CommandRecord } from './command-record.ts'
import type { SessionRecord } from './session-record.ts'

/** Largest number of entries waiting for the disk; those lost in a crash can be requested again. */
const MOST_UNCOMMITTED = 256

/** State and journal of a bot's record. */
export interface RecordedEngineOptions {
  readonly state: BotState
  readonly journal: JournalWriter | undefined
  /** Entries after which the state is kept anew. */
  readonly snapshotEntries: number
  /** The entry covered by the stored snapshot, 0 for none. */
  readonly keptAt: number
  /** The estimated exchange time, ms UTC. */
  readonly serverNow: () => number
  /**
   * Called once with the reason that no snapshot can be stored; at the start, if that holds from the start.
   */
  readonly onNoSnapshot: (why: string) => void
  /** Receives each entry, also without a journal; must return at once and never throw. */
  readonly onEntry?: ((entry: NewEntry) => void) | undefined
  /** Receives the real time that the engine took over the close of a kline, ms. */
  readonly onDecided?: ((symbol: string, ms: number) => void) | undefined
  /** Receives the real time that a commit of the journal took, ms. */
  readonly onCommitted?: ((ms: number) => void) | undefined
}

/**
 * A bot's state with every event, decision and request recorded in the journal. All of it is on the disk
 * before a request is sent to the exchange; entries that cause no request may wait a moment.
 */
export class RecordedEngine {
  readonly #options: RecordedEngineOptions
  #uncommitted = 0
  /** Number of the latest entry that is on the disk. */
  #durableSeq = 0
  /** Events since old data was dropped, if no snapshot can be stored. */
  #unkept = 0
  #keptAt: number
  #mayKeep = true

  constructor(options: RecordedEngineOptions) {
    this.#options = options
    this.#keptAt = options.keptAt
  }

  /**
   * Records the start of a session; the state has begun it already. `heldAt`, ms UTC: the time just after the
   * read of the futures account; later changes are not in the ledger's opening balance, even after a crash.
   */
  begin(session: SessionRecord, heldAt?: number): void {
    const { state, journal, serverNow } = this.#options
    this.#append({ kind: 'session', time: serverNow(), body: session })
    if (heldAt !== undefined && state.sentRequests.transactionsSeen === undefined)
      this.observeTransactions({ type: 'transactionsSeen', since: heldAt, until: heldAt, moved: [] })
    this.commit()
    if (journal !== undefined) this.#keepable()
  }

  /** Like `Engine.process`, with a record in the journal. */
  process(event: EngineEvent): readonly EngineOutput[] {
    const { state, journal, serverNow, onEntry } = this.#options
    this.#unkept++
    const time = serverNow()
    if (journal === undefined && onEntry === undefined) return state.process(event, time)
    const plain = withPlainKline(event)
    if (journal !== undefined) state.klines.observe(plain)
    const outputs = this.#timed(event, time)
    const decisions = outputs.length === 0 ? undefined : outputs
    this.#append({ kind: 'event', time, body: plain, decisions })
    if (journal === undefined) return outputs
    if (++this.#uncommitted >= MOST_UNCOMMITTED || mustLast(event) || outputs.some(isHold)) this.commit()
    return outputs
  }

  /**
   * Records a request before it is sent. The returned function commits it to disk, with everything recorded
   * until then; it is called right before the first byte of each request, so that waiting requests share the
   * commit of the first.
   */
  recordSend(sentRequest: SentRequest): (() => void) | undefined {
    const { state, journal, serverNow } = this.#options
    state.sentRequests.add(sentRequest)
    const seq = this.#append({ kind: 'send', time: serverNow(), body: sentRequest })
    if (journal === undefined) return undefined
    return () => {
      if (seq > this.#durableSeq) this.commit()
    }
  }

  /** Records the latest processed own trades. */
  observeTrades(seen: TradesSeen): void {
    const { state, serverNow } = this.#options
    state.sentRequests.observeTrades(seen)
    this.#append({ kind: 'note', time: serverNow(), body: seen })
    this.#uncommitted++
  }

  /** Records the latest processed transactions of a futures account. */
  observeTransactions(seen: TransactionsSeen): void {
    const { state, serverNow } = this.#options
    state.sentRequests.observeTransactions(seen)
    this.#append({ kind: 'note', time: serverNow(), body: seen })
    this.#uncommitted++
  }

  /** Records a command of an operator with its result, on the disk at once. */
  recordCommand(record: CommandRecord): void {
    this.#append({ kind: 'operator', time: this.#options.serverNow(), body: record })
    this.commit()
  }

  /** Entries that are not on the disk yet. */
  get uncommitted(): number {
    return this.#uncommitted
  }

  /** Processes an event; of the close of a kline, observes the time that took. */
  #timed(event: EngineEvent, time: number): readonly EngineOutput[] {
    const { state, onDecided } = this.#options
    if (event.type !== 'klineClosed' || onDecided === undefined) return state.process(event, time)
    const startedAt = performance.now()
    const outputs = state.process(event, time)
    onDecided(event.symbol, performance.now() - startedAt)
    return outputs
  }

  /** Appends an entry, and shows it; returns its number, 0 without a journal. */
  #append(entry: NewEntry): number {
    const { journal, onEntry } = this.#options
    const seq = journal?.append(entry) ?? 0
    onEntry?.(entry)
    return seq
  }

  /** Commits pending entries to disk. */
  commit(): void {
    const { journal } = this.#options
    if (journal === undefined) return
    this.#commitTimed(journal)
    this.#uncommitted = 0
    this.#durableSeq = journal.seq
  }

  /** Commits; observes the time that this takes where there is anything to commit. */
  #commitTimed(journal: JournalWriter): void {
    const { onCommitted } = this.#options
    const startedAt = performance.now()
    const isDue = journal.seq !== this.#durableSeq
    journal.commit()
    if (isDue) onCommitted?.(performance.now() - startedAt)
  }

  /** Stores a snapshot, if due; if none is possible, drops the data that only a snapshot would need. */
  keepIfDue(): void {
    const { state, journal, snapshotEntries } = this.#options
    if (journal !== undefined && this.#mayKeep) {
      if (journal.seq - this.#keptAt >= snapshotEntries) this.keep()
    } else if (this.#unkept >= snapshotEntries) {
      state.forgetPast()
      this.#unkept = 0
    }
  }

  /** Stores a snapshot, so that a restart need not replay earlier entries. */
  keep(): void {
    const { journal, state, serverNow } = this.#options
    if (journal === undefined || !this.#mayKeep) return
    const snapshot = this.#keepable()
    if (snapshot === undefined) return
    journal.snapshot(serverNow(), snapshot, state.klines.drainFresh())
    state.klines.forgetOld()
    this.#keptAt = journal.seq
    this.#uncommitted = 0
    this.#durableSeq = journal.seq
  }

  /** The state, if one can be kept. */
  #keepable(): BotSnapshot | undefined {
    const snapshot = this.#options.state.snapshot()
    if (typeof snapshot !== 'string') return snapshot
    this.#mayKeep = false
    this.#options.onNoSnapshot(snapshot)
    return undefined
  }
}

/** The extreme price of a trailing stop, and an order that was refused and that no query shows, cannot be requested again. */
function mustLast(event: EngineEvent): boolean {
  return event.type === 'trailingStopMoved' || (event.type === 'orderUpdated' && event.event === 'rejected')
}

/** A restart must find a halt that an operator has seen. */
function isHold({ type }: EngineOutput): boolean {
  return type === 'tradingStateChanged'
}

/** Some klines are views without own fields; a journal needs the fields. */
function withPlainKline(event: EngineEvent): EngineEvent {
  return 'kline' in event ? { ...event, kline: plainKline(event.kline) } : event
}

function plainKline({ openTime, open, high, low, close, volume }: Kline): Kline {
  return { openTime, open, high, low, close, volume }
}
