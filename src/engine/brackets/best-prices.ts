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

interface Best {
  readonly clientOrderId: string
  /** Quote per base. */
  price: number
}

/**
 * The best price since the fill of each open entry of one strategy: the highest for a long one, the lowest
 * for a short one. It belongs to the position and not to an order, so that a replacing trailing stop
 * continues from it.
 */
export class BestPrices {
  readonly #instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  /** A list: there are few open entries, and a map would have to hash every id. */
  #bests: Best[] = []

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
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position === undefined) continue
      const extreme = position.direction === 'long' ? high : low
      for (const lot of position.lots) {
        if (closeTime <= lot.time) continue
        this.#note(position, lot, this.#isWhole(lot, openTime) ? extreme : close)
      }
    }
    this.#forgetClosed()
  }

  /** The same as `observeKline` for each of the rows `from` to `to - 1`, without fills between them. */
  observeRows(klines: KlineSeries, from: number, to: number, interval: Interval): void {
    if (from === to || !this.#isHolding()) return
    const first = new KlineRow(klines, from)
    this.observeKline(first, closeTimeOf(first.openTime, interval))
    if (from + 1 === to) return
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position === undefined) continue
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
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position !== undefined) for (const lot of position.lots) this.#note(position, lot, price)
    }
    this.#forgetClosed()
  }

  /** The best price of an open entry; `undefined` if none was seen since it filled. */
  of(clientOrderId: string): number | undefined {
    return this.#find(clientOrderId)?.price
  }

  snapshot(): BestPricesState {
    return this.#bests.map(({ clientOrderId, price }) => [clientOrderId, price])
  }

  restore(state: BestPricesState): void {
    this.#bests = state.map(([clientOrderId, price]) => ({ clientOrderId, price }))
  }

  /** True while a position is held; drops closed entries. */
  #isHolding(): boolean {
    const { all } = this.#books
    let isHolding = false
    for (const book of all) if (this.#ledger.position(book) !== undefined) isHolding = true
    if (!isHolding && this.#bests.length > 0) this.#bests = []
    return isHolding
  }

  /** Drops closed entries once there are more than open ones. */
  #forgetClosed(): void {
    let lots = 0
    for (const book of this.#books.all) lots += this.#ledger.position(book)?.lots.length ?? 0
    if (this.#bests.length > lots) this.#forget()
  }

  #note({ direction }: Position, { clientOrderId, price }: Lot, seen: number): void {
    const isShort = direction === 'short'
    const best = this.#find(clientOrderId)
    if (best !== undefined) best.price = betterPrice(isShort, best.price, seen)
    else {
      const entered = priceOf(this.#instrument, price)
      this.#bests.push({ clientOrderId, price: betterPrice(isShort, entered, seen) })
    }
  }

  /**
   * True if an entry filled before the kline began; a market entry at its open time counts, because it fills
   * at the open. One that the ledger remembers no more is long over.
   */
  #isWhole({ clientOrderId, time }: Lot, openTime: number): boolean {
    if (openTime !== time) return openTime > time
    const order = this.#ledger.orders.get(clientOrderId)
    return order === undefined || order.request.spec.type === 'market'
  }

  #find(clientOrderId: string): Best | undefined {
    for (const best of this.#bests) if (best.clientOrderId === clientOrderId) return best
    return undefined
  }

  #forget(): void {
    const held = new Set<string>()
    for (const book of this.#books.all)
      for (const { clientOrderId } of this.#ledger.position(book)?.lots ?? []) held.add(clientOrderId)
    this.#bests = this.#bests.filter(({ clientOrderId }) => held.has(clientOrderId))
  }
}
