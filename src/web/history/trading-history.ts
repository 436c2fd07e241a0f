import { MissedTargetDays } from '../../bot/log/missed-target-days.ts'
import { type NoticeLine, noticeLines } from '../../bot/log/notice-lines.ts'
import type { CommandRecord } from '../../bot/state/command-record.ts'
import type { SessionRecord } from '../../bot/state/session-record.ts'
import type { EngineEvent } from '../../domain/events/engine-event.ts'
import { type EngineOutput, isCommand } from '../../domain/events/engine-output.ts'
import type { Explanation } from '../../domain/events/explanation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { priceText } from '../../domain/numbers/grid.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import type { RoundTrip } from '../../domain/round-trip.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { SentRequest } from '../../execution/sent-requests.ts'
import type { NewEntry } from '../../journal/journal.ts'
import { type DecidedKline, DecidedKlines } from './decided-klines.ts'
import { decisionsOf, type TakenEvent, withoutWaiting } from './decision-builder.ts'
import type { DecisionRecord } from './decision-record.ts'
import { Decisions } from './decisions.ts'
import { EquityCourse } from './equity-course.ts'
import { quantityWithUnitOf } from './order-texts.ts'
import { OrderTimelines } from './order-timelines.ts'
import { Recent } from './recent.ts'

/** Entries that wait to be worked up; more of them are worked up at once. */
const MOST_PENDING = 500

const NONE: readonly Explanation[] = []

/** Largest numbers of what a history keeps. */
export interface HistoryBounds {
  /** Decisions that came to something, and as many that did not. */
  readonly decisions: number
  /** Orders that are over. */
  readonly orders: number
  /** Round trips, and as many fills. */
  readonly trips: number
  /** Lines of the log. */
  readonly lines: number
  /** Of each stream. */
  readonly klines: number
}

/** Of a running bot, whose memory is for trading. */
const LIVE_BOUNDS: HistoryBounds = {
  ...{ decisions: 3000, orders: 2000, trips: 2000 },
  ...{ lines: 1000, klines: 1500 },
}
/** Of a process that only shows a journal: some months of one that decides every minute. */
export const JOURNAL_BOUNDS: HistoryBounds = {
  ...{ decisions: 100_000, orders: 100_000, trips: 100_000 },
  ...{ lines: 100_000, klines: 100_000 },
}
/** Of lists that tell everything, and of nothing else. */
export const LIST_BOUNDS: HistoryBounds = {
  ...{ decisions: 0, klines: 0 },
  ...{ orders: 1_000_000, trips: 1_000_000, lines: 1_000_000 },
}

/** A line of the log with its time, ms UTC. */
export interface DatedLine extends NoticeLine {
  readonly time: number
}

/** A command of an operator with its time, ms UTC. */
export interface AuditLine extends Omit<CommandRecord, 'type'> {
  readonly time: number
}

/** A round trip; money and prices are exact text. */
export interface ShownTrip {
  readonly symbol: string
  /** Symbol, with the strategy where several trade it. */
  readonly book: string
  readonly direction: string
  readonly quantity: string
  readonly entryTime: number
  readonly entryPrice: string
  readonly exitTime: number
  readonly exitPrice: string
  readonly pnl: string
  readonly fees: string
  readonly quote: string
  readonly entryReason: string
  readonly exitReason: string
  readonly tag?: string
}

/** A fill for the chart. */
export interface ShownFill {
  readonly time: number
  readonly symbol: string
  readonly side: string
  readonly price: number
  readonly clientOrderId: string
}

type FillBooked = Extract<EngineOutput, { type: 'fillBooked' }>

interface Pending {
  readonly entry: NewEntry
  readonly explanations: readonly Explanation[]
}

/**
 * What a bot did and why, from the entries of its journal, as they come or read again. Taking an entry costs one push:
 * it is worked up when somebody looks.
 */
export class TradingHistory {
  readonly #pending: Pending[] = []
  #explanations: Explanation[] = []
  readonly #instruments = new Map<string, Instrument>()
  readonly #decisions: Decisions
  readonly #orders: OrderTimelines
  readonly #klines: DecidedKlines
  readonly #trips: Recent<ShownTrip>
  readonly #fills: Recent<ShownFill>
  readonly #missedTargets = new MissedTargetDays()
  readonly #lines: Recent<DatedLine>
  readonly #audit = new Recent<AuditLine>(500)
  /** At the closes of klines. */
  readonly equity = new EquityCourse()
  #session: SessionRecord | undefined
  #version = 0
  #count = 0
  #begunAt: number | undefined

  constructor(bounds = LIVE_BOUNDS) {
    this.#decisions = new Decisions(bounds.decisions)
    this.#orders = new OrderTimelines(bounds.orders)
    this.#klines = new DecidedKlines(bounds.klines)
    this.#trips = new Recent(bounds.trips)
    this.#fills = new Recent(bounds.trips)
    this.#lines = new Recent(bounds.lines)
  }

  /** Entries before the first that is taken were there: what they tell is not known here. `time` is that of the first, ms UTC. */
  beginAt(time: number): void {
    this.#begunAt = time
  }

  /** Time from which everything is known, ms UTC, but for what is dropped later; `undefined` where nothing was before. */
  get begunAt(): number | undefined {
    return this.#begunAt
  }

  /** Time from which all decisions are known, of those that came to something or of all, ms UTC; `undefined` where all are. */
  decisionsSince(kind: 'some' | 'all'): number | undefined {
    this.#settle()
    return this.#decisions.since(kind) ?? this.#begunAt
  }

  /** Takes what the decisions of the next event follow from; before a session, those of entries that a restart runs again. */
  readonly explain = (explanation: Explanation): void => {
    this.#explanations.push(explanation)
  }

  /** Takes an entry. */
  readonly onEntry = (entry: NewEntry): void => {
    this.#version++
    const isExplained = entry.kind === 'event' || entry.kind === 'session'
    this.#pending.push({ entry, explanations: isExplained ? this.#explained() : NONE })
    if (this.#pending.length >= MOST_PENDING) this.#settle()
  }

  /** Hands over what was explained since the entry before: no two events may share a list that still grows. */
  #explained(): readonly Explanation[] {
    const explained = this.#explanations
    if (explained.length === 0) return NONE
    this.#explanations = []
    return explained
  }

  /** Number of entries so far. */
  get version(): number {
    return this.#version
  }

  /** The latest session. */
  get session(): SessionRecord | undefined {
    this.#settle()
    return this.#session
  }

  /** Oldest first, as are all lists here. */
  get decisions(): readonly DecisionRecord[] {
    this.#settle()
    return this.#decisions.all
  }

  get orders(): OrderTimelines {
    this.#settle()
    return this.#orders
  }

  get trips(): readonly ShownTrip[] {
    this.#settle()
    return this.#trips.all
  }

  get fills(): readonly ShownFill[] {
    this.#settle()
    return this.#fills.all
  }

  get lines(): readonly DatedLine[] {
    this.#settle()
    return this.#lines.all
  }

  get audit(): readonly AuditLine[] {
    this.#settle()
    return this.#audit.all
  }

  /** Streams of klines that were seen, as `symbol interval`. */
  get streams(): readonly string[] {
    this.#settle()
    return this.#klines.streams
  }

  /** The klines of a stream. */
  klines(stream: string): readonly DecidedKline[] {
    this.#settle()
    return this.#klines.of(stream)
  }

  #settle(): void {
    for (const { entry, explanations } of this.#pending.splice(0)) {
      try {
        this.#take(entry, explanations)
      } catch (error) {
        // The bot trades on, whatever its window makes of an entry.
        const reason = error instanceof Error ? error.message : String(error)
        this.#lines.push({
          level: 'error',
          text: `The window cannot show an entry: ${reason}`,
          time: entry.time,
        })
      }
    }
  }

  /** The casts name what `RecordedEngine` writes. */
  #take({ kind, time, body, decisions }: NewEntry, explanations: readonly Explanation[]): void {
    switch (kind) {
      case 'session':
        this.#session = body as SessionRecord
        for (const instrument of this.#session.instruments)
          this.#instruments.set(instrument.symbol, instrument)
        // A restart ran entries again: what it explained belongs to klines of before, and to no decision.
        for (const explanation of explanations) this.#klines.explain(explanation)
        break
      case 'event':
        this.#takeEvent({
          event: body as EngineEvent,
          outputs: (decisions ?? []) as readonly EngineOutput[],
          explanations,
          time,
        })
        break
      case 'send':
        this.#orders.send(body as SentRequest, time)
        break
      case 'operator': {
        const { type: _, ...command } = body as CommandRecord
        this.#audit.push({ ...command, time })
        break
      }
      case 'note':
    }
  }

  #takeEvent(taken: TakenEvent): void {
    const { event, outputs, explanations, time } = taken
    if (event.type === 'klineClosed' || event.type === 'historySeen') this.#klines.add(event)
    for (const explanation of explanations) this.#klines.explain(explanation)
    const instrumentOf = (symbol: string) => this.#instrumentOf(symbol)
    const decisionOf = new Map<string, number>()
    for (const decision of decisionsOf(taken, instrumentOf)) {
      const { made, owners } = withoutWaiting({ ...decision, id: ++this.#count }, this.#decisions.some)
      for (const [before, owner] of owners) this.#decisions.replace(before, owner)
      this.#decisions.push(made)
      for (const { id, orders } of [made, ...owners.values()])
        for (const { clientOrderId } of orders) decisionOf.set(clientOrderId, id)
    }
    for (const output of outputs) {
      if (output.type !== 'placeOrder') continue
      const { request } = output
      this.#orders.add(instrumentOf(request.symbol), request, decisionOf.get(request.clientOrderId) ?? 0)
    }
    if (event.type === 'orderUpdated') this.#orders.observe(event, time)
    if (event.type === 'trailingStopMoved') this.#orders.trail(event, time)
    if (event.type === 'filled') this.#fill(event.fill, time)
    for (const output of outputs) {
      if (output.type === 'fillBooked' && event.type === 'liquidated') this.#closeByForce(output, time)
      this.#takeOutput(output, time)
    }
  }

  #takeOutput(output: EngineOutput, time: number): void {
    if (output.type === 'resizeOrder')
      this.#orders.resize(this.#instrumentOf(output.symbol), output.clientOrderId, output.quantity)
    if (isCommand(output)) return
    if (output.type === 'orderChanged' || output.type === 'fillBooked') {
      const { order } = output
      this.#orders.change(this.#instrumentOf(order.request.symbol), order, time)
    }
    if (output.type === 'roundTripClosed') this.#trips.push(this.#tripOf(output.roundTrip))
    if (this.#missedTargets.isRepeated(output)) return
    for (const line of noticeLines(output, symbol => this.#instrumentOf(symbol)))
      this.#lines.push({ ...line, time })
  }

  #fill(fill: Fill, time: number): void {
    this.#orders.fill(this.#instrumentOf(fill.symbol), fill, time)
    this.#draw(fill)
  }

  /** A position was closed without an order of this bot, for which the books have an order of their own. */
  #closeByForce({ fill, order }: FillBooked, time: number): void {
    this.#orders.addForcedClose(this.#instrumentOf(fill.symbol), fill, order, time)
    this.#draw(fill)
  }

  #draw({ symbol, side, price, clientOrderId, time }: Fill): void {
    const shown = Number(priceText(this.#instrumentOf(symbol), price))
    this.#fills.push({ time, symbol, side, price: shown, clientOrderId })
  }

  #tripOf(trip: RoundTrip): ShownTrip {
    const instrument = this.#instrumentOf(trip.symbol)
    const { symbol, book, direction, entryTime, exitTime, entryReason, exitReason, tag } = trip
    return {
      ...{ symbol, book, direction, entryTime, exitTime, entryReason, exitReason },
      quantity: quantityWithUnitOf(instrument, trip.quantity),
      entryPrice: priceText(instrument, trip.entryPrice),
      exitPrice: priceText(instrument, trip.exitPrice),
      pnl: amountToText(trip.pnl),
      fees: amountToText(trip.fees),
      quote: instrument.quote,
      ...(tag !== undefined && { tag }),
    }
  }

  /** The instrument of a symbol; `undefined` of one that is followed and not traded. */
  instrument(symbol: string): Instrument | undefined {
    this.#settle()
    return this.#instruments.get(symbol)
  }

  #instrumentOf(symbol: string): Instrument {
    const instrument = this.#instruments.get(symbol)
    if (instrument !== undefined) return instrument
    throw new InvariantError(`No session of the journal trades ${symbol}.`)
  }
}
