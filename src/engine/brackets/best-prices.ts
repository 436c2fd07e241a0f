import type { Instrument } from '../../domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { KlineRow, type KlineSeries } from '../../domain/market-data/kline-series.ts'
import { priceOf } from '../../domain/numbers/grid.ts'
import { betterPrice } from '../../domain/orders/trailing-stop.ts'
import type { Lot, Position } from '../../domain/position.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PositionBooks } from '../position-books.ts'

/** The best price of each open entry, quote per base, by its clientOrderId. */
export type BestPricesState = readonly (readonly [clientOrderId: string, best: number])[]

/**
 * The best price since the fill of each open entry of one strategy: the highest for a long one, the lowest
 * for a short one. It belongs to the position and not to an order, so that a replacing trailing stop
 * continues from it.
 */
export class BestPrices {
  readonly #instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  #bests = new Map<string, number>()

  constructor(instrument: Instrument, books: PositionBooks, ledger: Ledger) {
    this.#instrument = instrument
    this.#books = books
    this.#ledger = ledger
  }

  /**
   * Updates the best prices with a kline that closed at `closeTime`, ms UTC. Of the kline that an entry
   * filled inside, only the close certainly came later.
   */
  observeKline(kline: Kline, closeTime: number): void {
    if (!this.#isHolding()) return
    const { openTime, high, low, close } = kline
    for (const position of this.#positions()) {
      const extreme = position.direction === 'long' ? high : low
      for (const lot of position.lots) {
        if (closeTime <= lot.time) continue
        this.#note(position, lot, this.#isWhole(lot, openTime) ? extreme : close)
      }
    }
  }

  /** The same as `observeKline` for each of the rows `from` to `to - 1`, without fills between them. */
  observeRows(klines: KlineSeries, from: number, to: number, interval: Interval): void {
    if (from === to || !this.#isHolding()) return
    const first = new KlineRow(klines, from)
    this.observeKline(first, closeTimeOf(first.openTime, interval))
    if (from + 1 === to) return
    for (const position of this.#positions()) {
      const isLong = position.direction === 'long'
      const column = isLong ? klines.high : klines.low
      let best = column[from + 1] as number // a row, here and below
      for (let row = from + 2; row < to; row++) {
        const price = column[row] as number
        if (isLong ? price > best : price < best) best = price
      }
      for (const lot of position.lots) this.#note(position, lot, best)
    }
  }

  /** Updates the best prices with the latest price, quote per base. */
  observePrice(price: number): void {
    for (const position of this.#positions())
      for (const lot of position.lots) this.#note(position, lot, price)
  }

  /** The best price of an open entry; `undefined` if none was seen since it filled. */
  of(clientOrderId: string): number | undefined {
    return this.#bests.get(clientOrderId)
  }

  snapshot(): BestPricesState {
    return [...this.#bests]
  }

  restore(state: BestPricesState): void {
    this.#bests = new Map(state)
  }

  /** True while a position is held; drops closed entries. */
  #isHolding(): boolean {
    const { all } = this.#books
    let isHolding = false
    for (const book of all) if (this.#ledger.position(book) !== undefined) isHolding = true
    if (!isHolding && this.#bests.size > 0) this.#bests.clear()
    return isHolding
  }

  *#positions(): Iterable<Position> {
    let lots = 0
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position === undefined) continue
      lots += position.lots.length
      yield position
    }
    if (this.#bests.size > lots) this.#forget()
  }

  #note({ direction }: Position, { clientOrderId, price }: Lot, seen: number): void {
    const best = this.#bests.get(clientOrderId) ?? priceOf(this.#instrument, price)
    this.#bests.set(clientOrderId, betterPrice(direction === 'short', best, seen))
  }

  /**
   * True if an entry filled before the kline began; a market entry at its open time counts, because it fills
   * at the open. A lone order, which the ledger never lists, is a market entry.
   */
  #isWhole({ clientOrderId, time }: Lot, openTime: number): boolean {
    if (openTime !== time) return openTime > time
    const order = this.#ledger.orders.get(clientOrderId)
    return order === undefined || order.request.spec.type === 'market'
  }

  #forget(): void {
    const held = new Set<string>()
    for (const book of this.#books.all)
      for (const { clientOrderId } of this.#ledger.position(book)?.lots ?? []) held.add(clientOrderId)
    for (const id of this.#bests.keys()) if (!held.has(id)) this.#bests.delete(id)
  }
}
