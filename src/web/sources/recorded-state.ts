import { basename, extname } from 'node:path'
import type { LoadedStrategy } from '../../bot/bot-options.ts'
import { AccountMoves, movedBy } from '../../bot/state/account-moves.ts'
import { botSnapshotIn } from '../../bot/state/bot-snapshot.ts'
import type { LoadStrategy } from '../../bot/state/bot-state.ts'
import { DayStart, type DayStartState } from '../../bot/state/day-start.ts'
import { OutsideCloses } from '../../bot/state/outside-closes.ts'
import type { JournaledStrategy, SessionRecord } from '../../bot/state/session-record.ts'
import { TripTotals } from '../../bot/state/trip-totals.ts'
import type { EngineEvent } from '../../domain/events/engine-event.ts'
import { type EngineOutput, isCommand } from '../../domain/events/engine-output.ts'
import { scopeKey, type TradingHold } from '../../domain/events/trading-hold.ts'
import { Engine } from '../../engine/engine.ts'
import type { JournalEntry, JournalSnapshot } from '../../journal/journal-entry.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { RecordedLedger } from '../../live-report/recorded-ledger.ts'
import { defineStrategy } from '../../strategy/define-strategy.ts'

/** An engine on recorded books, and the strategies that it is named by; neither decides anything. */
export interface RecordedEngineParts {
  readonly engine: Engine
  readonly strategies: readonly LoadedStrategy[]
}

/** The state of a bot by the events and the recorded decisions of its journal alone, whatever became of its code. */
export class RecordedState {
  readonly roundTrips = new TripTotals()
  readonly moves = new AccountMoves()
  readonly outside = new OutsideCloses()
  readonly #load: LoadStrategy
  readonly #books = new RecordedLedger()
  readonly #dayStart = new DayStart()
  /** Holds by the text of their scope. */
  readonly #holds = new Map<string, readonly TradingHold[]>()
  #session: SessionRecord | undefined

  constructor(load: LoadStrategy) {
    this.#load = load
  }

  /** The latest session; `undefined` before the first. */
  get session(): SessionRecord | undefined {
    return this.#session
  }

  /** Throws `InvariantError` before the first session. */
  get ledger(): Ledger {
    return this.#books.ledger
  }

  /** Equity at the beginning of the day of a time, ms UTC; `undefined` before the first event. */
  dayStartAt(time: number): DayStartState | undefined {
    return this.#dayStart.at(time, this.ledger)
  }

  /** Begins with the state before the first entry that is left. */
  restore(base: JournalSnapshot): void {
    const { session, engine, dayStart, roundTrips, outside } = botSnapshotIn(base)
    this.#session = session
    this.#books.restore(base)
    this.#dayStart.begin(this.ledger, dayStart)
    this.moves.begin(this.ledger)
    this.roundTrips.restore(roundTrips)
    this.outside.restore(outside)
    for (const [scope, { holds }] of Object.entries(engine.risk.scopes)) this.#holds.set(scope, holds)
  }

  /** Takes an entry; the casts name what `RecordedEngine` writes. */
  take(entry: JournalEntry): void {
    if (entry.kind === 'session') this.#begin(entry)
    if (entry.kind !== 'event') return
    const event = entry.body as EngineEvent
    const { ledger } = this
    this.#dayStart.turn(entry.time, ledger)
    if (event.type === 'klineClosed' || event.type === 'historySeen')
      this.#dayStart.observeKline(event, ledger)
    const { moved } = movedBy(event, ledger, () => this.#books.take(entry))
    this.#dayStart.take(moved, ledger)
    this.moves.take(moved, ledger)
    const outputs = (entry.decisions ?? []) as readonly EngineOutput[]
    this.roundTrips.observe(outputs, entry.time, symbol => ledger.instrument(symbol).quote)
    for (const output of outputs) {
      if (output.type === 'tradingStateChanged') this.#holds.set(scopeKey(output.scope), output.holds)
      if (!isCommand(output)) this.outside.observe(output, symbol => ledger.instrument(symbol))
    }
  }

  #begin(entry: JournalEntry): void {
    const session = entry.body as SessionRecord
    this.#books.take(entry)
    this.#session = session
    if (!session.continues) this.#holds.clear()
    this.#dayStart.begin(this.ledger)
    this.moves.begin(this.ledger)
  }

  /** The books as an engine shows them, with the holds that stand. */
  async parts(): Promise<RecordedEngineParts> {
    const { bot, risk, strategies: given = [] } = this.#session ?? { bot: '' }
    const strategies = await Promise.all(given.map(one => this.#namedOnly(one)))
    const engine = new Engine({ bot, risk, ledger: this.ledger, strategies })
    for (const scope of engine.risk.scopes)
      scope.restore({ holds: this.#holds.get(scopeKey(scope.scope)) ?? [], protections: {} })
    const named = strategies.map((one, index) => ({
      ...{ ...one, file: given[index]?.file ?? '', parameters: given[index]?.parameters ?? {} },
      strategy: { ...one.strategy, parameterValues: (values: LoadedStrategy['parameters']) => values },
    }))
    return { engine, strategies: named }
  }

  /** A strategy that decides nothing, by the name of the one in a file, or that of the file where this cannot be loaded any more. */
  async #namedOnly({ file, markets = {}, ...declared }: JournaledStrategy) {
    const fileName = basename(file, extname(file))
    const name = await this.#load(file).then(
      loaded => loaded.name,
      () => fileName,
    )
    const strategy = defineStrategy({ name, markets: Object.keys(markets), onKline: () => undefined })
    return { ...declared, markets, strategy, parameters: {} }
  }
}
