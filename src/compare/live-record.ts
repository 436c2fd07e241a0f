import type { SessionRecord } from '../bot/state/session-record.ts'
import type { EngineEvent, KlineClosed, MarkPriceSeen } from '../domain/events/engine-event.ts'
import { type EngineOutput, isCommand, type TradingStateChanged } from '../domain/events/engine-output.ts'
import type { KlinesMissed } from '../domain/events/trading-event.ts'
import { type HoldSource, scopeKey, type TradingScope } from '../domain/events/trading-hold.ts'
import type { Fees, Instrument } from '../domain/instrument.ts'
import { closeTimeOf, type Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { MarketDataEvent } from '../domain/market-data/market-data.ts'
import { priceOf } from '../domain/numbers/grid.ts'
import { wholeId } from '../domain/orders/order-parts.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { SentQuote, SentRequest } from '../execution/sent-requests.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { TradingRecord } from './trading-record.ts'

/** A request as it left: at its time, ms UTC, and the best prices known then. */
export interface OrderDeparture {
  readonly time: number
  readonly quote: SentQuote | undefined
}

/** A change of what holds trading back in a scope. */
interface Change {
  readonly time: number
  readonly sources: readonly HoldSource[]
}

/** The end of a protection's hold by a command of the operator. */
interface Lifted {
  readonly key: string
  readonly source: HoldSource
  /** ms UTC. */
  readonly time: number
}

/** A book of a strategy, as the scope of holds. */
export interface BookScope extends TradingScope {
  readonly symbol: string
  readonly strategy: string
  readonly book: string
}

/** A time that is over, in which a book or a symbol had stopped, or, without a key, the bot was down. */
interface Outage {
  readonly key?: string
  /** ms UTC. */
  readonly from: number
  readonly until: number
}

/** The range of a kline, and the time of its close, ms UTC. */
interface ReachedPrices extends Pick<Kline, 'low' | 'high'> {
  readonly closeTime: number
}

/** Price that liquidates a position, from a time on, ms UTC; `undefined` while none is held, 0 if none does. */
interface LiquidationPrice {
  readonly time: number
  readonly price: number | undefined
}

/** A session, and what it was made of. */
export interface StartedSession {
  /** When it began, ms UTC. */
  readonly time: number
  readonly session: SessionRecord
}

/** An order that the bot placed as it saw a datum. */
export interface DecisionOnDatum {
  readonly event: MarketDataEvent
  readonly request: OrderRequest
}

/** Everything that a journal tells of a span: what the bot saw, was told, did, and what held it back. Times in ms UTC. */
export class LiveRecord {
  readonly trading = new TradingRecord()
  readonly sessions: StartedSession[] = []
  readonly data: MarketDataEvent[] = []
  readonly decisionsOnData: DecisionOnDatum[] = []
  readonly missed: KlinesMissed[] = []
  /** Mark prices of contracts as they were known when the klines of a moment were decided on, by their close time. */
  readonly marks = new Map<number, MarkPriceSeen[]>()
  readonly departures = new Map<string, OrderDeparture>()
  /** Klines by `symbol interval` and open time. */
  readonly klines = new Map<string, Map<number, Kline>>()
  /** When a kline was decided on, by `symbol interval` and close time. */
  readonly #shown = new Map<string, Map<number, number>>()
  /** When the kline was shown that an order was decided on, of its own market or a feed, by the order's id. */
  readonly #decided = new Map<string, number>()
  /** Close times of all klines, by stream. */
  readonly #closes = new Map<string, Set<number>>()
  /** When the latest fill of an order was booked, by its id. */
  readonly #booked = new Map<string, number>()
  readonly #holds = new Map<string, Change[]>()
  /** Stopped books and halted symbols, with the time. */
  readonly #stopped = new Map<string, number>()
  readonly #outages: Outage[] = []
  readonly #commands: number[] = []
  readonly #lifted: Lifted[] = []
  /** By book. */
  readonly #liquidationPrices = new Map<string, LiquidationPrice[]>()
  /** Those that no kline has followed yet. */
  #freshMarks: MarkPriceSeen[] = []
  #time = Number.NaN

  /** Begins with a session that is under way. */
  constructor(session: StartedSession) {
    this.sessions.push(session)
  }

  /** Time of the latest entry. */
  get time(): number {
    return this.#time
  }

  /** Number of klines. */
  get size(): number {
    let size = 0
    for (const { size: more } of this.klines.values()) size += more
    return size
  }

  /** Takes an entry of the journal; the casts name what `RecordedEngine` writes. */
  take({ kind, time, body, decisions }: JournalEntry): void {
    const before = this.#time
    this.#time = time
    switch (kind) {
      case 'session':
        this.sessions.push({ time, session: body as SessionRecord })
        if (!Number.isNaN(before)) this.#outages.push({ from: before, until: time })
        for (const [key, from] of this.#stopped) this.#outages.push({ key, from, until: time })
        this.#stopped.clear()
        break
      case 'event':
        this.#noteLifted(body as EngineEvent, time, (decisions ?? []) as readonly EngineOutput[])
        this.#see(body as EngineEvent, time, (decisions ?? []) as readonly EngineOutput[])
        for (const output of (decisions ?? []) as readonly EngineOutput[]) this.#takeOutput(output, time)
        break
      case 'send': {
        const { action, clientOrderId, timestamp, quote } = body as SentRequest
        const id = wholeId(clientOrderId)
        if (action === 'place' && !this.departures.has(id))
          this.departures.set(id, { time: timestamp, quote })
        break
      }
      case 'operator':
        this.#commands.push(time)
        break
      case 'note':
    }
  }

  /** Notes the prices (quote per base) that liquidate the open positions, by their books. */
  noteLiquidationPrices(prices: ReadonlyMap<string, number>, time: number): void {
    for (const book of new Set([...prices.keys(), ...this.#liquidationPrices.keys()])) {
      const changes = this.#liquidationPrices.get(book) ?? []
      this.#liquidationPrices.set(book, changes)
      const price = prices.get(book)
      const last = changes.at(-1)
      if (last?.price !== price) changes.push({ time: Math.max(time, last?.time ?? time), price })
    }
  }

  /** The latest price that liquidated the position of a book between two times; `undefined` where none was held. */
  liquidationPriceIn(book: string, from: number, until: number): number | undefined {
    const changes = this.#liquidationPrices.get(book) ?? []
    const inForce = changes.filter(
      ({ time }, index) => time <= until && (changes[index + 1]?.time ?? Number.POSITIVE_INFINITY) > from,
    )
    return inForce.findLast(({ price }) => price !== undefined)?.price
  }

  /** Fees of an instrument in the session that ran at a time; `undefined` where that one did not trade it. */
  feesAt(symbol: string, time: number): Fees | undefined {
    return this.#instrumentAt(symbol, time)?.fees
  }

  /** The latest mark price (quote per base) that was known when the kline that closed at a time was decided on. */
  markAt(symbol: string, closeTime: number): number | undefined {
    const instrument = this.#instrumentAt(symbol, closeTime)
    let latest: MarkPriceSeen | undefined
    for (const [time, marks] of this.marks)
      if (time <= closeTime) latest = marks.findLast(mark => mark.symbol === symbol) ?? latest
    return latest && instrument && priceOf(instrument, latest.price)
  }

  /** The range of the kline of a stream that opened at a time. */
  rangeAt(stream: string, openTime: number): ReachedPrices | undefined {
    const kline = this.klines.get(stream)?.get(openTime)
    const interval = stream.slice(stream.lastIndexOf(' ') + 1) as Interval // as `#keep` writes it
    return kline && { low: kline.low, high: kline.high, closeTime: closeTimeOf(openTime, interval) }
  }

  /** When the bot decided on the kline of a stream that closed at a time; `undefined` if it did not. */
  shownAt(stream: string, closeTime: number): number | undefined {
    return this.#shown.get(stream)?.get(closeTime)
  }

  /** When the bot decided an order: as it was shown the kline of a feed, or that of a stream. */
  decidedWhen(
    stream: string,
    { clientOrderId, decidedAt }: Pick<OrderRequest, 'clientOrderId' | 'decidedAt'>,
  ): number | undefined {
    return this.#decided.get(clientOrderId) ?? this.shownAt(stream, decidedAt)
  }

  /** True if a kline of a stream closed at a time, shown live or read afterwards. */
  hasClose(stream: string, time: number): boolean {
    return this.#closes.get(stream)?.has(time) === true
  }

  /** Close time of the latest kline of a stream; NaN without one. */
  lastClose(stream: string): number {
    return [...(this.#closes.get(stream) ?? [])].reduce(
      (last, time) => (last > time ? last : time),
      Number.NaN,
    )
  }

  /** Sources of what held trading back at a time, from the account down to the book. */
  heldBy(scope: BookScope, time: number): readonly HoldSource[] {
    return scopesAbove(scope).flatMap(one => {
      const changes = this.#holds.get(scopeKey(one)) ?? []
      return changes.findLast(change => change.time <= time)?.sources ?? []
    })
  }

  /** True if the operator lifted a hold of a protection, in a scope or one above it, between two times. */
  isLiftedBetween(scope: BookScope, source: HoldSource, from: number, until: number): boolean {
    const keys = scopesAbove(scope).map(scopeKey)
    return this.#lifted.some(
      lifted =>
        keys.includes(lifted.key) && lifted.source === source && lifted.time >= from && lifted.time <= until,
    )
  }

  /** True if the strategy of a book had stopped, or its symbol was halted, by a time. */
  hasStopped(book: string, symbol: string, time: number): boolean {
    return [book, symbol].some(key => (this.#stopped.get(key) ?? Number.POSITIVE_INFINITY) <= time)
  }

  /**
   * Fraction of the time from `start`, ms UTC, to the latest entry in which entries were held, stopped, or the bot was
   * down, on average over the given scopes.
   */
  downtime(scopes: readonly BookScope[], start: number): number {
    const span = this.#time - start
    if (!(span > 0) || scopes.length === 0) return 0
    return scopes.reduce((sum, scope) => sum + this.#downMs(scope, start), 0) / (span * scopes.length)
  }

  /** Time in which a scope could not enter, ms. */
  #downMs(scope: BookScope, start: number): number {
    const keys = [scope.book, scope.symbol]
    const outages = this.#outages.filter(({ key }) => key === undefined || keys.includes(key))
    const stopped = keys.flatMap(key => {
      const from = this.#stopped.get(key)
      return from === undefined ? [] : [{ from, until: this.#time }]
    })
    const held = scopesAbove(scope).flatMap(one => this.#heldTimes(scopeKey(one)))
    let [down, since] = [0, start]
    for (const { from, until } of [...outages, ...stopped, ...held].sort(
      (left, right) => left.from - right.from,
    )) {
      down += Math.max(0, until - Math.max(from, since))
      since = Math.max(since, until)
    }
    return down
  }

  /** Times in which the scope of a key itself was held; the last may go on until now. */
  #heldTimes(key: string): readonly Omit<Outage, 'key'>[] {
    const changes = this.#holds.get(key) ?? []
    return changes.flatMap(({ time, sources }, index) =>
      sources.length === 0 ? [] : [{ from: time, until: changes[index + 1]?.time ?? this.#time }],
    )
  }

  /** True if an order of a book, decided before a time, was filled after the bot had decided on the klines of that time. */
  isUnderWay(book: string, time: number, shownAt: number): boolean {
    for (const { book: of, request } of this.trading.orders.values()) {
      if (of !== book || request.decidedAt >= time) continue
      if ((this.#booked.get(request.clientOrderId) ?? Number.NEGATIVE_INFINITY) >= shownAt) return true
    }
    return false
  }

  /** True if an operator commanded something between two times. */
  isCommandedBetween(from: number, until: number): boolean {
    return this.#commands.some(time => time >= from && time <= until)
  }

  /** The session that ran at a time. */
  sessionAt(time: number): StartedSession {
    const [first] = this.sessions
    return this.sessions.findLast(session => session.time <= time) ?? (first as StartedSession) // made with one
  }

  #instrumentAt(symbol: string, time: number): Instrument | undefined {
    return this.sessionAt(time).session.instruments.find(one => one.symbol === symbol)
  }

  #see(event: EngineEvent, time: number, outputs: readonly EngineOutput[]): void {
    switch (event.type) {
      case 'klineClosed':
        this.#noteShown(event, time)
        this.#noteDecided(event, time, outputs)
        this.#noteMarks(event)
        this.#keep(event)
        break
      case 'markPriceSeen':
        this.#freshMarks.push(event)
        break
      case 'historySeen':
        this.#keep(event)
        break
      case 'klinesMissed':
        this.missed.push(event)
        break
      case 'tickerSeen':
      case 'depthSeen':
      case 'publicTradeSeen':
      case 'indexPriceSeen':
      case 'fundingRateSeen':
        this.data.push(event)
        for (const output of outputs)
          if (output.type === 'placeOrder') this.decisionsOnData.push({ event, request: output.request })
        break
      default:
    }
  }

  #keep({ symbol, interval, kline }: Pick<KlineClosed, 'symbol' | 'interval' | 'kline'>): void {
    const stream = `${symbol} ${interval}`
    const klines = this.klines.get(stream) ?? new Map<number, Kline>()
    this.klines.set(stream, klines)
    if (!klines.has(kline.openTime)) klines.set(kline.openTime, kline)
    const closes = this.#closes.get(stream) ?? new Set<number>()
    this.#closes.set(stream, closes)
    closes.add(closeTimeOf(kline.openTime, interval))
  }

  #noteShown({ symbol, interval, kline }: KlineClosed, time: number): void {
    const stream = `${symbol} ${interval}`
    const shown = this.#shown.get(stream) ?? new Map<number, number>()
    this.#shown.set(stream, shown)
    shown.set(closeTimeOf(kline.openTime, interval), time)
  }

  #noteDecided({ kline, interval }: KlineClosed, time: number, outputs: readonly EngineOutput[]): void {
    const closeTime = closeTimeOf(kline.openTime, interval)
    for (const output of outputs)
      if (output.type === 'placeOrder' && output.request.decidedAt === closeTime)
        this.#decided.set(output.request.clientOrderId, time)
  }

  /** Call it before the new holds are noted. */
  #noteLifted(event: EngineEvent, time: number, outputs: readonly EngineOutput[]): void {
    if (event.type !== 'tradingCommanded' || event.command !== 'resume' || event.by !== 'operator') return
    for (const output of outputs) {
      if (output.type !== 'tradingStateChanged') continue
      const key = scopeKey(output.scope)
      for (const source of this.#holds.get(key)?.at(-1)?.sources ?? [])
        if (source !== 'operator' && !output.holds.some(hold => hold.source === source))
          this.#lifted.push({ key, source, time })
    }
  }

  #noteMarks({ kline, interval }: KlineClosed): void {
    if (this.#freshMarks.length === 0) return
    const closeTime = closeTimeOf(kline.openTime, interval)
    this.marks.set(closeTime, [...(this.marks.get(closeTime) ?? []), ...this.#freshMarks])
    this.#freshMarks = []
  }

  #takeOutput(output: EngineOutput, time: number): void {
    if (output.type === 'resizeOrder') this.trading.resize(output.clientOrderId, output.quantity)
    if (isCommand(output)) return
    this.trading.take(output)
    if (output.type === 'fillBooked') this.#booked.set(output.order.request.clientOrderId, time)
    if (output.type === 'tradingStateChanged') this.#hold(output, time)
    if (output.type === 'instrumentHalted') this.#stopped.set(output.symbol, time)
    if (output.type === 'strategyFailed') this.#stopped.set(output.book, time)
  }

  #hold({ scope, holds }: TradingStateChanged, time: number): void {
    const key = scopeKey(scope)
    const changes = this.#holds.get(key) ?? []
    this.#holds.set(key, changes)
    changes.push({ time, sources: holds.map(({ source }) => source) })
  }
}

/** The scopes whose holds count for one, from the account down. */
export function scopesAbove({ symbol, strategy, book }: BookScope): readonly TradingScope[] {
  return [{}, { symbol }, { symbol, strategy, book }]
}
