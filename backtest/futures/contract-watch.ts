import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Liquidation } from '../../src/domain/events/liquidation.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { negate, times } from '../../src/domain/numbers/amount.ts'
import {
  notionalOf,
  priceOf,
  roundToTicks,
  type Steps,
  steps,
  type Ticks,
} from '../../src/domain/numbers/grid.ts'
import type { Direction } from '../../src/domain/orders/side.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { nextSettlement, type Settlement } from './funding-rates.ts'
import type { FuturesData } from './futures-data.ts'
import { type Levels, LiquidationLevels } from './liquidation-levels.ts'
import { MarkKlines } from './mark-klines.ts'

export interface ContractWatchOptions {
  readonly instrument: Instrument
  /** Length of the klines that are traded on. */
  readonly interval: Interval
  /** Given if the klines are recorded ticks, which end as soon as they begin; `hasMarks` if these are mark prices. */
  readonly ticks: { readonly hasMarks: boolean } | undefined
  readonly ledger: Ledger
  readonly data: FuturesData
  /** True if `calmUntil` sees coarser klines than those that are traded on. */
  readonly isDetailed: boolean
  /** True if the contracts of a book are traded on these klines, so that their funding is settled here. */
  readonly owns: (book: string) => boolean
  /** Tells the engine the latest price of the contract, quote per base. */
  readonly mark: (price: number) => void
  readonly process: (event: EngineEvent) => void
  /** Carries a liquidation out. */
  readonly liquidate: (liquidation: Liquidation) => void
}

/** A straight way of the price (quote per base) from one point of a kline's path to the next, and that of the mark price meanwhile. */
export interface Leg {
  readonly from: number
  readonly to: number
  readonly markFrom: number
  readonly markTo: number
}

/** Settles funding and liquidates under-margined positions while klines of one contract are played. */
export class ContractWatch {
  readonly #options: ContractWatchOptions
  readonly #marks: MarkKlines | undefined
  readonly #levels: LiquidationLevels
  /** Everything up to here is settled, ms UTC. */
  #settledUntil = Number.NEGATIVE_INFINITY
  #next: Settlement | undefined
  #mark: Kline | undefined
  /** Mark price of the point that a path has reached. */
  #reached: Ticks | undefined
  #hasOpenedInside = false
  /** The mark price that the engine was told last, quote per base. */
  #noted = Number.NaN

  constructor(options: ContractWatchOptions) {
    const { instrument, ledger, data } = options
    this.#options = options
    this.#marks = data.mark === undefined ? undefined : new MarkKlines(data.mark)
    this.#levels = new LiquidationLevels(instrument, ledger)
  }

  /** True while contracts are held, so that funding or a liquidation may be due on any kline. */
  get isHolding(): boolean {
    return !this.#options.ledger.contracts.areNone
  }

  /** The first of the rows `from` to `to - 1` on which funding or a liquidation may be due, or `to`; orders apart. */
  calmUntil(klines: KlineSeries, from: number, to: number): number {
    const { ledger, instrument, interval, isDetailed } = this.#options
    if (ledger.contracts.areNone) return to
    if (isDetailed || this.#marks !== undefined) return from
    const { openTime, open, low, high } = klines
    const settlement = this.#settlementAfter(this.#settledUntil)?.time ?? Number.POSITIVE_INFINITY
    const { below, above } = this.#levels.around(roundToTicks(instrument, open[from] as number, 'nearest'))
    for (let row = from; row < to; row++) {
      // Inside the bounds.
      if ((low[row] as number) <= below || (high[row] as number) >= above) return row
      if (settlement < closeTimeOf(openTime[row] as number, interval)) return row
    }
    return to
  }

  /** Begins a kline: settles funding due until its open, then liquidates at the mark price of the open. */
  open(kline: Kline, time: number): void {
    // What is due between two ticks is settled at the price known then.
    if (this.#options.ticks !== undefined) this.#settle(kline.openTime)
    this.#mark = this.#marks?.at(kline.openTime) ?? kline
    this.#reached = undefined
    this.#hasOpenedInside = false
    this.#noteMark(this.#mark.open, time)
    this.#settle(kline.openTime)
    this.#takeOverAtOpen()
  }

  /**
   * After the trades of the open: liquidates there, then settles funding due before the close, at the price
   * of the open, the latest known one.
   */
  settleAfterOpen(kline: Kline): void {
    this.#takeOverAtOpen()
    if (this.#options.ticks !== undefined) return
    // A settlement at the very close belongs to the next kline.
    this.#settle(closeTimeOf(kline.openTime, this.#options.interval) - 1)
    this.#takeOverAtOpen()
  }

  /** Liquidates positions due at the mark price of the open. */
  #takeOverAtOpen(): void {
    if (this.#mark === undefined || this.#options.ledger.contracts.areNone) return
    const tick = this.#openTick(this.#mark)
    const { below, above } = this.#levels.around(tick)
    if (this.#mark.open <= below || this.#mark.open >= above) this.liquidateAt(tick)
  }

  /** Ends a kline, so that the next decisions see its last mark price. */
  close(time: number): void {
    if (this.#mark !== undefined) this.#noteMark(this.#mark.close, time)
  }

  /** Notes that an order opened contracts after the open of the kline. */
  noteOpening(): void {
    this.#hasOpenedInside = true
  }

  /** True if contracts were opened after the open of the kline. */
  get hasOpenedInside(): boolean {
    return this.#hasOpenedInside
  }

  /**
   * Liquidates positions that the mark price reaches inside the kline; with `stop`, only those reached no
   * later than that stop price. Returns true if any was liquidated.
   */
  inside(stop?: { readonly isBuy: boolean; readonly price: number }): boolean {
    const mark = this.#mark
    if (mark === undefined || this.#options.ledger.contracts.areNone) return false
    const { below, above } = this.#levels.around(this.#openTick(mark))
    const { low, high } = mark
    if (low <= below && (stop === undefined || (!stop.isBuy && stop.price <= below)))
      return this.liquidateAt(this.#tick(below))
    if (high >= above && (stop === undefined || (stop.isBuy && stop.price >= above)))
      return this.liquidateAt(this.#tick(above))
    return false
  }

  /** True if the kline's range of the mark price reaches a liquidation. */
  get isInReach(): boolean {
    const mark = this.#mark
    const levels = this.levelsInside
    if (mark === undefined || levels === undefined) return false
    const { below, above } = levels
    return mark.low <= below || mark.high >= above
  }

  /** The nearest liquidation prices around the point that a path has reached, or around the open. */
  get levelsInside(): Levels | undefined {
    if (this.#mark === undefined || this.#options.ledger.contracts.areNone) return undefined
    return this.#levels.around(this.#reached ?? this.#openTick(this.#mark))
  }

  /** Notes the mark price (quote per base) of the point that a path has reached. */
  reach(mark: number): void {
    this.#reached = this.#tick(mark)
  }

  /** Contracts of the instrument that are held on one side, in steps. */
  heldOn(direction: Direction): Steps {
    let held = 0
    for (const { instrument, position } of this.#options.ledger.contracts.held)
      if (instrument.symbol === this.#options.instrument.symbol && position.direction === direction)
        held += position.quantity
    return steps(held)
  }

  /** First liquidation on the rest of a leg from `price` on: its price and its mark price, or `undefined`. */
  dueOn(leg: Leg, price: number): { readonly price: number; readonly mark: Ticks } | undefined {
    if (this.#options.ledger.contracts.areNone) return undefined
    const { from, to, markFrom, markTo } = leg
    const isSame = from === markFrom && to === markTo
    const done = to === from ? 0 : (price - from) / (to - from)
    const mark = this.#tick(isSame ? price : markFrom + done * (markTo - markFrom))
    const { below, above } = this.#levels.around(mark)
    const level = markTo <= below ? below : markTo >= above ? above : undefined
    const priced = priceOf(this.#options.instrument, mark)
    const isDue = priced <= below || priced >= above
    if (isDue || level === undefined) return isDue ? { price, mark } : undefined
    return {
      price: isSame ? level : from + ((level - markFrom) / (markTo - markFrom)) * (to - from),
      mark: this.#tick(level),
    }
  }
  /** The mark price at the points of a path, beside those of the kline. */
  get mark(): Kline | undefined {
    return this.#mark
  }

  /** Liquidates positions due at a mark price; returns true if any was. */
  liquidateAt(mark: Ticks): boolean {
    const { instrument, ledger, liquidate } = this.#options
    const due = ledger.liquidations.due(instrument, mark)
    for (const liquidation of due) liquidate(liquidation)
    return due.length > 0
  }

  #settle(until: number): void {
    const { ledger, owns } = this.#options
    // No position exists here before the first kline, whatever other markets hold; a constant rate has no
    // first settlement.
    if (this.#settledUntil === Number.NEGATIVE_INFINITY) this.#settledUntil = until
    while (!ledger.contracts.areNone) {
      const next = this.#settlementAfter(this.#settledUntil)
      if (next === undefined || next.time > until) break
      this.#settledUntil = next.time
      for (const { book } of [...ledger.contracts.held]) if (owns(book)) this.#pay(book, next)
    }
    this.#settledUntil = Math.max(this.#settledUntil, until)
  }

  #pay(book: string, { rate, time }: Settlement): void {
    const { ledger, instrument, process } = this.#options
    const position = ledger.contracts.of(book)
    if (position === undefined || this.#mark === undefined) return
    const { symbol } = instrument
    const price = this.#openTick(this.#mark)
    const size = times(notionalOf(instrument, price, position.quantity), rate)
    const amount = position.direction === 'long' ? size : negate(size)
    process({ type: 'fundingPaid', payment: { symbol, book, amount, rate, price, time } })
  }

  #settlementAfter(time: number): Settlement | undefined {
    const rates = this.#options.data.funding
    if (rates === undefined) return undefined
    if (this.#next === undefined || this.#next.time <= time) this.#next = nextSettlement(rates, time)
    return this.#next
  }

  #noteMark(price: number, time: number): void {
    const { instrument, mark, process } = this.#options
    if (this.#marks === undefined && this.#options.ticks?.hasMarks !== true) {
      mark(price)
      return
    }
    // Ticks tell the same mark price again and again.
    if (this.#noted === price) return
    this.#noted = price
    process({ type: 'markPriceSeen', symbol: instrument.symbol, price: this.#tick(price), time })
  }

  #openTick({ open }: Kline): Ticks {
    return this.#tick(open)
  }

  #tick(price: number): Ticks {
    return roundToTicks(this.#options.instrument, price, 'nearest')
  }
}
