import type { Kline } from '../../../src/domain/market-data/kline.ts'

/** Fee of every fill, and what a market or stop order loses, as fractions: those that the guide names. */
export const FEE = 0.001
export const SLIPPAGE = 0.0002

/** Notional of the smallest order, in quote. */
export const SMALLEST = 10

/** Where a trailing stop stands while the best price is `best`, after an entry at `entry`; it starts at the price `from`. */
export interface Trail {
  readonly level: (best: number, entry: number) => number
  readonly from?: (entry: number) => number
}

/** What an entry brings: levels by the price that it traded at, and parts of what it bought. */
export interface Bracket {
  readonly stop?: (entry: number) => number
  readonly targets?: readonly { readonly at: (entry: number) => number; readonly part: number }[]
  readonly trails?: readonly Trail[]
}

/** An entry that rests, of which any that fills cancels all. */
interface Entry {
  readonly kind: 'buyLimit' | 'buyStop'
  readonly price: number
  /** Base units. */
  readonly quantity: number
  readonly bracket?: Bracket
  /** Row at whose close it was placed, and the last row on which it may trade. */
  readonly placed: number
  readonly last: number
}

/** An order that rests. */
interface Resting {
  readonly kind: 'buyLimit' | 'buyStop' | 'sellLimit' | 'sellStop'
  readonly price: number
  readonly fill: (price: number) => void
  /** It was placed at the latest close, so that an open beyond a limit is a better price. */
  readonly isNew?: boolean
}

/**
 * A spot account in plain doubles that owns one asset, written from the pages of the guide and from nothing else. Inside a
 * kline the price goes straight from the open to the high, the low and the close, or to the low first.
 */
export class NaiveAccount {
  readonly isLowFirst: boolean
  cash = 10_000
  held = 0
  entryPrice = Number.NaN
  /** Number of fills. */
  fills = 0
  /** Row of the latest fill that opened a position. */
  openedIn = -1
  /** Row and price of the latest fill that closed one, and whether that was the row's open. */
  closed = { row: -1, price: Number.NaN, isAtOpen: false }
  buyNext = 0
  /** Part of what is held. */
  sellNext = 0
  bracketNext: Bracket = {}
  entries: Entry[] = []
  exitAt: number | undefined
  stop: number | undefined
  targets: { readonly price: number; readonly quantity: number; readonly placed?: number }[] = []
  #trails: readonly Trail[] = []
  #best = 0
  #price = 0
  #row = -1
  /** The open of the row is over. */
  #isInside = false

  constructor({ isLowFirst = false } = {}) {
    this.isLowFirst = isLowFirst
  }

  equity(price: number): number {
    return this.cash + this.held * price
  }

  /** Buys at the next open for a part of the equity at this close. */
  enter(close: number, part = 0.95, bracket: Bracket = {}): void {
    this.buyNext = (part * this.equity(close)) / close
    this.bracketNext = bracket
  }

  /** Plays one kline. */
  play({ open, high, low, close }: Kline): void {
    this.#row++
    this.#isInside = false
    this.#price = open
    if (this.sellNext > 0) this.sell(this.held * this.sellNext, open * (1 - SLIPPAGE))
    // No buy costs more than there is.
    const most = this.cash / (open * (1 + SLIPPAGE))
    if (this.buyNext > 0) this.buy(Math.min(this.buyNext, most), open * (1 + SLIPPAGE), this.bracketNext)
    this.buyNext = 0
    this.sellNext = 0
    for (;;) {
      const passed = this.#resting().find(order => isPassed(order, open))
      if (passed === undefined) break
      passed.fill(passed.kind.endsWith('Limit') && !passed.isNew ? passed.price : open)
    }
    this.#isInside = true
    for (const turn of this.isLowFirst ? [low, high, close] : [high, low, close]) this.#go(turn)
    this.entries = this.entries.filter(({ last }) => last > this.#row)
  }

  /** Number of the latest kline played. */
  get row(): number {
    return this.#row
  }

  buy(quantity: number, price: number, { stop, targets = [], trails = [] }: Bracket = {}): void {
    this.fills++
    this.cash -= quantity * price
    const bought = quantity * (1 - FEE)
    if (this.held === 0) this.openedIn = this.#row
    this.held += bought
    this.entryPrice = price
    this.stop = stop?.(price)
    this.targets = targets.map(({ at, part }) => ({ price: at(price), quantity: part * bought }))
    this.#trails = trails
    this.#best = price
  }

  sell(quantity: number, price: number): void {
    this.fills++
    const sold = Math.min(quantity, this.held)
    this.cash += sold * price * (1 - FEE)
    this.held -= sold
    if (this.held > 1e-7) return
    this.held = 0
    this.closed = { row: this.#row, price, isAtOpen: !this.#isInside }
    this.stop = undefined
    this.exitAt = undefined
    this.targets = []
    this.#trails = []
  }

  /** Goes straight to a price, and trades with each order as the price comes to it. */
  #go(to: number): void {
    for (;;) {
      const isUp = to > this.#price
      const reached = this.#resting().filter(({ kind, price }) => {
        if (isUp) return (kind === 'buyStop' && price <= to) || (kind === 'sellLimit' && price < to)
        return (kind === 'sellStop' && price >= to) || (kind === 'buyLimit' && price > to)
      })
      const ways = reached.map(({ price }) => Math.abs(price - this.#price))
      const next = reached[ways.indexOf(Math.min(...ways))]
      this.#follow(next?.price ?? to)
      if (next === undefined) return
      next.fill(next.price)
    }
  }

  #follow(price: number): void {
    this.#price = price
    this.#best = Math.max(this.#best, price)
  }

  #resting(): readonly Resting[] {
    const sellAll = (price: number) => this.sell(this.held, price * (1 - SLIPPAGE))
    const orders: Resting[] = this.entries.map(entry => ({
      ...entry,
      isNew: entry.placed === this.#row - 1,
      fill: price => {
        this.entries = []
        this.buy(entry.quantity, entry.kind === 'buyLimit' ? price : price * (1 + SLIPPAGE), entry.bracket)
      },
    }))
    if (this.held === 0) return orders
    if (this.stop !== undefined) orders.push({ kind: 'sellStop', price: this.stop, fill: sellAll })
    for (const { level, from } of this.#trails) {
      if (from !== undefined && this.#best < from(this.entryPrice)) continue
      orders.push({ kind: 'sellStop', price: level(this.#best, this.entryPrice), fill: sellAll })
    }
    if (this.exitAt !== undefined)
      orders.push({
        kind: 'sellLimit',
        price: this.exitAt,
        isNew: true,
        fill: price => this.sell(this.held, price),
      })
    for (const target of this.targets) {
      const fill = (price: number) => {
        this.targets = this.targets.filter(other => other !== target)
        // One that is put where the price has been already closes at market.
        this.sell(target.quantity, price > target.price ? price * (1 - SLIPPAGE) : price)
      }
      orders.push({ kind: 'sellLimit', price: target.price, isNew: target.placed === this.#row - 1, fill })
    }
    return orders
  }
}

function isPassed({ kind, price }: Resting, open: number): boolean {
  if (kind === 'buyStop') return open >= price
  if (kind === 'sellStop') return open <= price
  return kind === 'buyLimit' ? open < price : open > price
}
