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
  /** Of one that a snapshot held, known once its position was seen. */
  isShort: boolean
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
  /** `Ledger.changes` when the positions were read last. */
  #changes = -1
  #isHeld = false
  /** From this open time on (ms UTC) every open entry was held through whole klines, of which only extremes count. */
  #wholeFrom = Number.POSITIVE_INFINITY
  /** Extremes of such klines that no entry was told yet; infinite without any. */
  #high = Number.NEGATIVE_INFINITY
  #low = Number.POSITIVE_INFINITY

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
    if (openTime >= this.#wholeFrom) {
      if (high > this.#high) this.#high = high
      if (low < this.#low) this.#low = low
      return
    }
    let areWhole = true
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position === undefined) continue
      const extreme = position.direction === 'long' ? high : low
      for (const lot of position.lots) {
        const isWhole = closeTime > lot.time && this.#isWhole(lot, openTime)
        if (!isWhole) areWhole = false
        if (closeTime > lot.time) this.#note(position, lot, isWhole ? extreme : close)
      }
    }
    if (areWhole) this.#wholeFrom = Math.min(this.#wholeFrom, openTime)
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
    if (!this.#isHolding()) return
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position !== undefined) for (const lot of position.lots) this.#note(position, lot, price)
    }
  }

  /** The best price of an open entry; `undefined` if none was seen since it filled. */
  of(clientOrderId: string): number | undefined {
    this.#tellExtremes()
    return this.#find(clientOrderId)?.price
  }

  snapshot(): BestPricesState {
    this.#tellExtremes()
    return this.#bests.map(({ clientOrderId, price }) => [clientOrderId, price])
  }

  restore(state: BestPricesState): void {
    this.#tellExtremes()
    this.#changes = -1
    this.#bests = state.map(([clientOrderId, price]) => ({ clientOrderId, isShort: false, price }))
  }

  /** True while a position is held; drops closed entries. */
  #isHolding(): boolean {
    const { changes } = this.#ledger
    return changes === this.#changes ? this.#isHeld : this.#readHolding(changes)
  }

  #readHolding(changes: number): boolean {
    this.#tellExtremes()
    this.#wholeFrom = Number.POSITIVE_INFINITY
    this.#changes = changes
    this.#isHeld = this.#books.all.some(book => this.#ledger.position(book) !== undefined)
    if (!this.#isHeld) this.#bests = []
    else if (this.#bests.length > 0) this.#forgetClosed()
    return this.#isHeld
  }

  /** Tells the entries the extremes of the whole klines since the latest that they were told. */
  #tellExtremes(): void {
    if (this.#low === Number.POSITIVE_INFINITY) return
    for (const best of this.#bests)
      best.price = betterPrice(best.isShort, best.price, best.isShort ? this.#low : this.#high)
    this.#high = Number.NEGATIVE_INFINITY
    this.#low = Number.POSITIVE_INFINITY
  }

  /** Drops entries that closed; an order that filled in parts has as many lots, which close one by one. */
  #forgetClosed(): void {
    const held = this.#heldEntries()
    if (this.#bests.some(({ clientOrderId }) => !held.has(clientOrderId)))
      this.#bests = this.#bests.filter(({ clientOrderId }) => held.has(clientOrderId))
  }

  #heldEntries(): ReadonlySet<string> {
    const held = new Set<string>()
    for (const book of this.#books.all)
      for (const { clientOrderId } of this.#ledger.position(book)?.lots ?? []) held.add(clientOrderId)
    return held
  }

  #note({ direction }: Position, { clientOrderId, price }: Lot, seen: number): void {
    const isShort = direction === 'short'
    const best = this.#find(clientOrderId)
    if (best !== undefined) {
      best.isShort = isShort
      best.price = betterPrice(isShort, best.price, seen)
    } else {
      const entered = priceOf(this.#instrument, price)
      this.#bests.push({ clientOrderId, isShort, price: betterPrice(isShort, entered, seen) })
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
}
