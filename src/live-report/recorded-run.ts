import { ChartRecorder } from '../../backtest/report/chart/chart-recorder.ts'
import { DenialTally } from '../../backtest/results/denial-tally.ts'
import { MissedTargetTally } from '../../backtest/results/missed-targets.ts'
import { openResultOf } from '../bot/log/start-worth.ts'
import { isMove } from '../bot/state/account-moves.ts'
import type { SessionRecord } from '../bot/state/session-record.ts'
import { type OpenCost, openCost } from '../bot/text/position-status.ts'
import { TradingRecord } from '../compare/trading-record.ts'
import type {
  EngineEvent,
  HistorySeen,
  KlineClosed,
  TrailingStopMoved,
} from '../domain/events/engine-event.ts'
import { type EngineOutput, isCommand, type TradingStateChanged } from '../domain/events/engine-output.ts'
import type { Liquidation } from '../domain/events/liquidation.ts'
import type { KlinesMissed } from '../domain/events/trading-event.ts'
import { closeTimeOf } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { type Amount, add, amountToNumber, subtract, ZERO } from '../domain/numbers/amount.ts'
import type { Position } from '../domain/position.ts'
import type { JournalEntry, JournalSnapshot } from '../journal/journal-entry.ts'
import { RecordedLedger } from './recorded-ledger.ts'
import { isOver, RunStart, type Worth } from './run-start.ts'

/** A session with the time at which it began, ms UTC. */
export interface RunSession {
  readonly time: number
  readonly session: SessionRecord
}

/**
 * What a bot did from one moment on, from the entries of its journal: orders, round trips, klines and the course of its
 * equity. Times in ms UTC, money in the quote asset of its first instrument.
 */
export class RecordedRun {
  readonly books = new RecordedLedger()
  readonly trading = new TradingRecord()
  readonly denials = new DenialTally()
  readonly missedTargets = new MissedTargetTally()
  readonly chart = new ChartRecorder()
  /** That in which the run began, and those after it. */
  readonly sessions: RunSession[] = []
  readonly liquidations: (Liquidation & { readonly time: number })[] = []
  readonly tradingChanges: TradingStateChanged[] = []
  readonly endings: string[] = []
  readonly missed: KlinesMissed[] = []
  /** Klines by `symbol interval` and open time. */
  readonly klines = new Map<string, Map<number, Kline>>()
  /** The course of equity, without what was moved in or out. */
  readonly curve: { readonly time: number[]; readonly equity: number[] } = { time: [], equity: [] }
  readonly #from: number
  #start: RunStart | undefined
  #signals = 0
  #orders = 0
  #moved = ZERO
  #time = Number.NaN

  /** Nothing before `from` is part of it. */
  constructor(from: number) {
    this.#from = from
  }

  /** When the run began, and what was owned then; `undefined` before that. */
  get start(): (Worth & { readonly time: number }) | undefined {
    const start = this.#start
    return start && { ...start.worthIn(this.quote), time: start.time }
  }

  /** Number of signals. */
  get signals(): number {
    return this.#signals
  }

  /** Number of orders, protective ones apart. */
  get orders(): number {
    return this.#orders
  }

  /** Moved in or out of the account, and what others traded there. */
  get moved(): Amount {
    return this.#moved
  }

  /** Time of the latest entry. */
  get time(): number {
    return this.#time
  }

  get quote(): string {
    return this.sessions.at(-1)?.session.instruments[0]?.quote ?? ''
  }

  /** True for a symbol whose money is the quote asset of the report. */
  countsIn(symbol: string): boolean {
    return this.books.ledger.instruments.some(one => one.symbol === symbol && one.quote === this.quote)
  }

  get openPositions(): readonly Position[] {
    const { ledger } = this.books
    return ledger.instruments
      .filter(({ quote }) => quote === this.quote)
      .flatMap(({ symbol }) => ledger.positionsOf(symbol))
  }

  /** Everything owned after the latest entry, moved or earned. */
  get equity(): Amount {
    return this.books.ledger.equity(this.quote)
  }

  /** The same, and the part of it that is still open. */
  get worth(): Worth {
    const { ledger } = this.books
    const prices = { priceOf: (symbol: string) => ledger.markPriceOf(symbol) }
    return { equity: this.equity, open: openResultOf(this.#openCosts, this.quote, prices) }
  }

  get #openCosts(): readonly OpenCost[] {
    return this.openPositions.flatMap(({ book }) => openCost(this.books.ledger, book) ?? [])
  }

  /** Begins with the state before the first entry that is left. */
  restore(base: JournalSnapshot, session: SessionRecord): void {
    this.books.restore(base)
    this.sessions.push({ time: base.time, session })
    this.#begin(base.time)
  }

  /** Takes an entry. */
  take(entry: JournalEntry): void {
    const { kind, time, body, decisions } = entry
    this.#time = time
    if (kind === 'session') {
      this.sessions.push({ time, session: body as SessionRecord }) // what `RecordedEngine` wrote, as below
      this.books.take(entry)
      this.#begin(time)
      return
    }
    this.#begin(time)
    const event = kind === 'event' ? (body as EngineEvent) : undefined
    if (this.#start === undefined || event === undefined) {
      this.books.take(entry)
      return
    }
    this.#book(entry, event, this.#start)
    for (const output of (decisions ?? []) as readonly EngineOutput[]) this.#observe(output, time)
  }

  /** Ends the course of equity at the latest entry. */
  close(): void {
    if (this.#start !== undefined) this.#point(this.#time)
  }

  /** Begins before the first entry of the span, so that every trade in it counts. */
  #begin(time: number): void {
    const [first] = this.sessions
    if (this.#start !== undefined || first === undefined || time < this.#from) return
    this.#start = new RunStart(this.books, Math.max(this.#from, first.time), this.#openCosts)
    this.sessions.splice(0, this.sessions.length - 1)
    this.#drawStanding(this.#start.time)
  }

  #book(entry: JournalEntry, event: EngineEvent, start: RunStart): void {
    start.expect(event)
    const worth = start.isSettled ? undefined : start.worthIn(this.quote).equity
    const before = this.#isMoving(event) ? this.equity : undefined
    this.books.take(entry)
    const learned = worth === undefined ? ZERO : subtract(start.worthIn(this.quote).equity, worth)
    if (learned !== ZERO) this.#lift(amountToNumber(learned))
    if (before !== undefined) this.#moved = add(this.#moved, subtract(subtract(this.equity, before), learned))
    if (event.type === 'klinesMissed') this.missed.push(event)
    if (event.type === 'trailingStopMoved') this.#trail(event)
    if (event.type !== 'klineClosed' && event.type !== 'historySeen') return
    if (isOver(event, start.time)) return
    this.#keep(event)
    if (event.type === 'klineClosed') this.#point(closeTimeOf(event.kline.openTime, event.interval))
  }

  /** Stops and targets that stand already as the run begins. */
  #drawStanding(time: number): void {
    const { orders } = this.books.ledger
    for (const order of orders.working) {
      const best = orders.bestOf(order.request.clientOrderId)
      if (best !== undefined) this.chart.trail(order.request, best, time)
      this.chart.onNotice({ type: 'orderChanged', order, time })
    }
  }

  #trail({ clientOrderId, best, time }: TrailingStopMoved): void {
    const request = this.books.ledger.orders.get(clientOrderId)?.request
    if (request !== undefined) this.chart.trail(request, best, time)
  }

  /** The start is worth more than was known when these points were noted. */
  #lift(more: number): void {
    const { equity } = this.curve
    for (let row = 0; row < equity.length; row++) equity[row] = (equity[row] as number) + more // a row
  }

  /** True for an event that changes what is owned without a trade of this bot; so does the first price of what was moved in before it. */
  #isMoving(event: EngineEvent): boolean {
    if (event.type === 'klineClosed' || event.type === 'historySeen')
      return this.books.knows(event.symbol) && this.books.ledger.markOf(event.symbol) === undefined
    return isMove(event)
  }

  #point(at: number): void {
    const { time, equity } = this.curve
    const worth = amountToNumber(subtract(this.equity, this.#moved))
    if (at <= (time.at(-1) ?? Number.NEGATIVE_INFINITY)) {
      equity[equity.length - 1] = worth
      return
    }
    time.push(at)
    equity.push(worth)
  }

  #keep({ symbol, interval, kline }: KlineClosed | HistorySeen): void {
    const stream = `${symbol} ${interval}`
    const klines = this.klines.get(stream) ?? new Map<number, Kline>()
    this.klines.set(stream, klines)
    if (!klines.has(kline.openTime)) klines.set(kline.openTime, kline)
  }

  #observe(output: EngineOutput, time: number): void {
    if (isCommand(output)) {
      if (output.type === 'placeOrder' && output.request.protects === undefined) this.#orders++
      return
    }
    this.trading.take(output)
    this.chart.onNotice(output)
    switch (output.type) {
      case 'signaled':
        this.#signals++
        break
      case 'denied':
        this.denials.push(output.denial)
        break
      case 'targetMissed':
        this.missedTargets.push(output)
        break
      case 'tradingStateChanged':
        this.tradingChanges.push(output)
        break
      case 'positionLiquidated':
        this.liquidations.push({ ...output.liquidation, time })
        break
      case 'strategyFailed':
        this.endings.push(`The strategy of ${output.book} was stopped: ${output.error.message}`)
        break
      case 'strategyEnded':
        this.endings.push(`The strategy of ${output.book} ended: ${output.why}`)
        break
      case 'instrumentHalted':
        this.endings.push(`${output.symbol} was halted: ${output.reason}`)
        break
      default:
    }
  }
}
