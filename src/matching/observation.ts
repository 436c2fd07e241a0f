import type { Steps, Ticks } from '../domain/numbers/grid.ts'
import type { Side } from '../domain/orders/side.ts'

/** One price of an observed order book with its total quantity. */
export interface ShownLevel {
  readonly price: Ticks
  readonly quantity: Steps
}

/** An order book as one answer of a host shows it, best prices first. */
export interface BookSnapshot {
  /** The exchange's time of it, ms UTC; the book was as shown at this time or later. */
  readonly time: number
  readonly bids: readonly ShownLevel[]
  readonly asks: readonly ShownLevel[]
  /** Levels asked for; a side with fewer levels is shown whole. */
  readonly levels: number
}

/** A public trade of the host. */
export interface ObservedTrade {
  readonly id: string
  /** The exchange's time, ms UTC. */
  readonly time: number
  readonly price: Ticks
  readonly quantity: Steps
  /** Side of the taker. */
  readonly side: Side
}

/** A minute of the host, as its klines have it. */
export interface ObservedMinute {
  /** ms UTC. */
  readonly openTime: number
  readonly high: Ticks
  readonly low: Ticks
  readonly close: Ticks
  readonly volume: Steps
}

/** A span of which trades are unknown, with the minutes that cover it. */
export interface ObservedGap {
  /** ms UTC. */
  readonly from: number
  readonly until: number
  /** One sentence. */
  readonly reason: string
  readonly minutes: readonly ObservedMinute[]
}

/** The levels of a side. */
export function levelsOf({ bids, asks }: BookSnapshot, side: Side): readonly ShownLevel[] {
  return side === 'buy' ? bids : asks
}

/** True if `price` is better for a taker on the opposite side than `than`: a higher bid, a lower ask. */
export function isBetter(side: Side, price: number, than: number): boolean {
  return side === 'buy' ? price > than : price < than
}

/** Quantity shown on a side at a price; `undefined` where the snapshot does not reach that far. */
export function shownAt(snapshot: BookSnapshot, side: Side, price: Ticks): Steps | undefined {
  const levels = levelsOf(snapshot, side)
  const level = levels.find(shown => shown.price === price)
  if (level !== undefined) return level.quantity
  const worst = levels.at(-1)
  const isWhole = levels.length < snapshot.levels
  return isWhole || (worst !== undefined && isBetter(side, price, worst.price)) ? (0 as Steps) : undefined
}

/** True if a snapshot shows a bid at or above an ask: its two sides are of different moments. */
export function isCrossed({ bids, asks }: BookSnapshot): boolean {
  const [bid, ask] = [bids[0], asks[0]]
  return bid !== undefined && ask !== undefined && bid.price >= ask.price
}
