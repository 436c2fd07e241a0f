import type { TickData } from '../../../backtest/ticks/tick-data.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { ticksOf } from './tick-run.ts'

const QUARTER = 15_000

/** Each minute as four trades of 10 a quarter of it apart: open, low or high, high or low, close; bought and sold in turn. */
export function tradesWithin(minutes: readonly Kline[]): TickData {
  const rows = minutes.flatMap(({ openTime, open, high, low, close }) =>
    [open, ...(close > open ? [low, high] : [high, low]), close].map(
      (price, place) => [openTime + place * QUARTER, price, place % 2 === 0 ? 10 : -10] as const,
    ),
  )
  return ticksOf(rows)
}
