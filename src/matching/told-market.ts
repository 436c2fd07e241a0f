import type { Kline } from '../domain/market-data/kline.ts'
import { type Grid, roundedDown, roundToTicks, steps } from '../domain/numbers/grid.ts'
import type { Side } from '../domain/orders/side.ts'
import type { BookSnapshot, ObservedMinute, ObservedTrade, ShownLevel } from './observation.ts'

// Market data as a host tells them: decimals as text. Times are ms UTC.

/** One price of a book with its quantity. */
export type ToldLevel = readonly [price: string, quantity: string]

/** An order book, best prices first. */
export interface ToldBook {
  readonly time: number
  readonly bids: readonly ToldLevel[]
  readonly asks: readonly ToldLevel[]
  /** Levels asked for. */
  readonly levels: number
}

/** A public trade. */
export interface ToldTrade {
  readonly id: string
  readonly time: number
  readonly price: string
  readonly quantity: string
  /** Side of the taker. */
  readonly side: Side
}

/** A minute of the host's klines; its volume in base, or in contracts. */
export type ToldMinute = Kline

/** The told book on a grid: prices to the nearest tick, quantities cut to whole steps. */
export function snapshotOf(grid: Grid, { time, bids, asks, levels }: ToldBook): BookSnapshot {
  const unit = stepsPerUnit(grid)
  const levelOf = ([price, quantity]: ToldLevel) => shownLevel(grid, unit, Number(price), Number(quantity))
  return { time, levels, bids: bids.map(levelOf), asks: asks.map(levelOf) }
}

/** The told trade on a grid. */
export function tradeOf(grid: Grid, { id, time, price, quantity, side }: ToldTrade): ObservedTrade {
  return { id, time, side, ...shownLevel(grid, stepsPerUnit(grid), Number(price), Number(quantity)) }
}

/** A price and a quantity on a grid, the quantity in units of so many steps. */
export function shownLevel(grid: Grid, unit: number, price: number, quantity: number): ShownLevel {
  return { price: roundToTicks(grid, price, 'nearest'), quantity: steps(roundedDown(quantity * unit)) }
}

/** Steps in the unit in which a market counts: base, or contracts. */
export function stepsPerUnit({ quantityPrecision }: Grid): number {
  return 10 ** quantityPrecision
}

/** The told minute on a grid; a part of a tick counts against orders. */
export function minuteOf(grid: Grid, { openTime, high, low, close, volume }: ToldMinute): ObservedMinute {
  return {
    openTime,
    high: roundToTicks(grid, high, 'down'),
    low: roundToTicks(grid, low, 'up'),
    close: roundToTicks(grid, close, 'nearest'),
    volume: steps(roundedDown(volume * stepsPerUnit(grid))),
  }
}
