import type { EngineEvent } from '../../domain/events/engine-event.ts'
import { type EngineOutput, isCommand } from '../../domain/events/engine-output.ts'
import type { Explain } from '../../domain/events/explanation.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import { Engine } from '../../engine/engine.ts'
import {
  type SentRequest,
  SentRequests,
  type TradesSeen,
  type TransactionsSeen,
} from '../../execution/sent-requests.ts'
import type { JournalEntry, KlineBlock } from '../../journal/journal-entry.ts'
import { journalText } from '../../journal/journal-text.ts'
import { isPlainData } from '../../journal/plain-data.ts'
import { Ledger } from '../../ledger/ledger.ts'
import type { Strategy } from '../../strategy/define-strategy.ts'
import { AccountMoves, movedBy } from './account-moves.ts'
import type { BotSnapshot } from './bot-snapshot.ts'
import { DayStart, type DayStartState } from './day-start.ts'
import { KlineRecord } from './kline-record.ts'
import { OutsideCloses } from './outside-closes.ts'
import type { SessionRecord } from './session-record.ts'
import { TripTotals } from './trip-totals.ts'

/** Gives the strategy in a file. */
export type LoadStrategy = (file: string) => Promise<Strategy>

/**
 * The persistent state of a bot: the engine with its ledger, the klines behind its indicators, the requests
 * sent to the exchange. A running bot, its restart and a replay of its journal all use this one class.
 */
export class BotState {
  readonly klines = new KlineRecord()
  /** Totals of the round trips of all sessions. */
  readonly roundTrips = new TripTotals()
  /** Closes without an order of this bot, of all sessions. */
  readonly outside = new OutsideCloses()
  /** Moved in or out of the account since this was made. */
  readonly moves = new AccountMoves()
  readonly #load: LoadStrategy
  readonly #explain: Explain | undefined
  readonly #dayStart = new DayStart()
  #sentRequests = new SentRequests()
  #session: SessionRecord | undefined
  #engine: Engine | undefined

  /** `explain` receives what every decision follows from, also those of a replay. */
  constructor(load: LoadStrategy, explain?: Explain) {
    this.#load = load
    this.#explain = explain
  }

  /** Throws `InvariantError` before the first session. */
  get engine(): Engine {
    if (this.#engine === undefined)
      throw new InvariantError('No session has begun, so there is no engine yet.')
    return this.#engine
  }

  get sentRequests(): SentRequests {
    return this.#sentRequests
  }

  /** Equity at the beginning of the day of a time, ms UTC; `undefined` before the first event. */
  dayStartAt(time: number): DayStartState | undefined {
    return this.#dayStart.at(time, this.engine.ledger)
  }

  /** The latest session; `undefined` before the first. */
  get session(): SessionRecord | undefined {
    return this.#session
  }

  /**
   * Begins a session: from scratch, or from the state of the one before it. `strategies` are its strategies
   * in order, if already loaded.
   */
  async begin(session: SessionRecord, strategies?: readonly Strategy[]): Promise<void> {
    const before = this.#session
    if (!session.continues || before === undefined) {
      this.#engine = await this.#engineOf(session, strategies)
      this.#sentRequests = new SentRequests()
    } else if (setupOf(before) !== setupOf(session)) {
      const state = this.engine.snapshot()
      this.engine.dispose()
      this.#engine = await this.#engineOf(session, strategies)
      this.#engine.restore(state, (symbol, interval) => this.klines.of(symbol, interval))
    }
    this.#session = session
    this.#nameSession(session)
    this.engine.beginSession()
    this.#dayStart.begin(this.engine.ledger)
    this.moves.begin(this.engine.ledger)
  }

  async restore(
    { session, engine, dispatches, dayStart, roundTrips, outside }: BotSnapshot,
    klines: readonly KlineBlock[],
  ): Promise<void> {
    this.klines.load(klines)
    this.#session = session
    this.#engine = await this.#engineOf(session)
    this.#engine.restore(engine, (symbol, interval) => this.klines.of(symbol, interval))
    this.#nameSession(session)
    this.#sentRequests.restore(dispatches)
    this.#dayStart.begin(this.engine.ledger, dayStart)
    this.moves.begin(this.engine.ledger)
    this.roundTrips.restore(roundTrips)
    this.outside.restore(outside)
  }

  /** Drops data that only a snapshot needs: the klines, and sent requests of ended orders. */
  forgetPast(): void {
    this.#forgetOver()
    this.klines.drainFresh()
    this.klines.forgetOld()
  }

  /** Everything except the klines; a sentence instead if a strategy's state does not fit into a journal. */
  snapshot(): BotSnapshot | string {
    const engine = this.engine.snapshot()
    const odd = engine.desks.find(({ memory }) => !isPlainData(memory))
    if (odd !== undefined) {
      return `The state of strategy "${odd.strategy}" on ${odd.symbol} is more than plain data (numbers, texts, lists, records, Maps, Sets), so that the journal cannot be shortened, and a restart has to run all of it again. Keep plain data; a strategy of streams that remembers nothing but its klines says so by remembers: 'klines'.`
    }
    if (this.#session === undefined)
      throw new InvariantError('No session has begun, so there is no state yet.')
    this.#forgetOver()
    const dayStart = this.#dayStart.state
    const roundTrips = this.roundTrips.state
    return {
      ...{ session: this.#session, engine, dispatches: this.#sentRequests.snapshot() },
      ...(dayStart !== undefined && { dayStart }),
      ...(roundTrips !== undefined && { roundTrips }),
      outside: this.outside.state,
    }
  }

  /** Takes one event at a time, ms UTC, as `Engine.process` does. */
  process(event: EngineEvent, time: number): readonly EngineOutput[] {
    const { ledger } = this.engine
    this.#dayStart.turn(time, ledger)
    if (event.type === 'klineClosed' || event.type === 'historySeen')
      this.#dayStart.observeKline(event, ledger)
    // Every later read of the account values an instrument at the close of its kline.
    if (event.type === 'klineClosed') this.engine.mark(event.symbol, event.kline.close)
    const { result: outputs, moved } = movedBy(event, ledger, () => this.#process(event))
    this.#dayStart.take(moved, ledger)
    this.moves.take(moved, ledger)
    this.roundTrips.observe(outputs, time, symbol => ledger.instrument(symbol).quote)
    for (const output of outputs)
      if (!isCommand(output)) this.outside.observe(output, symbol => ledger.instrument(symbol))
    return outputs
  }

  #process(event: EngineEvent): readonly EngineOutput[] {
    const outputs = this.engine.process(event)
    this.#sentRequests.observe(outputs)
    // The booking and its record are one entry, so that no crash can separate them.
    if (event.type === 'fundingPaid' && event.payment.id !== undefined)
      this.#sentRequests.noteFunding({ id: event.payment.id, time: event.payment.time })
    if (event.type === 'balancesReported' && event.trade !== undefined)
      this.#sentRequests.noteOthersTrade(event.trade)
    return outputs
  }

  /** Processes an entry of a journal; returns the outputs of an event. */
  async take({ kind, body, time }: JournalEntry): Promise<readonly EngineOutput[]> {
    switch (kind) {
      case 'session':
        await this.begin(body as SessionRecord) // what `RecordedEngine` wrote, as are those below
        return []
      case 'event':
        this.klines.observe(body as EngineEvent)
        return this.process(body as EngineEvent, time)
      case 'send':
        this.#sentRequests.add(body as SentRequest)
        return []
      case 'note':
        if (isNote<TradesSeen>(body, 'tradesSeen')) this.#sentRequests.observeTrades(body)
        if (isNote<TransactionsSeen>(body, 'transactionsSeen')) this.#sentRequests.observeTransactions(body)
        return []
      case 'operator':
        return []
    }
  }

  #nameSession({ startedAt, tag }: SessionRecord): void {
    if (startedAt !== undefined) this.engine.nameSession({ startedAt, tag })
  }

  #forgetOver(): void {
    const working = new Set(this.engine.ledger.orders.working.map(({ request }) => request.clientOrderId))
    this.#sentRequests.forgetOver(id => working.has(id))
  }

  async #engineOf(
    { bot, risk, strategies, instruments, balances }: SessionRecord,
    loaded?: readonly Strategy[],
  ): Promise<Engine> {
    const traded = await Promise.all(
      strategies.map(async ({ file, ...declared }, index) => ({
        ...declared,
        strategy: loaded?.[index] ?? (await this.#load(file)),
      })),
    )
    const engine = new Engine({ bot, ledger: new Ledger(instruments, balances), strategies: traded, risk })
    engine.explainTo(this.#explain)
    return engine
  }
}

/** Settings of an engine as text, for comparison. */
function setupOf({ bot, risk, strategies, instruments }: SessionRecord): string {
  return journalText({ bot, risk, strategies, instruments })
}

/** True for a note of that type, as written by `RecordedEngine`. */
function isNote<Note extends { readonly type: string }>(body: unknown, type: Note['type']): body is Note {
  return typeof body === 'object' && body !== null && 'type' in body && body.type === type
}
