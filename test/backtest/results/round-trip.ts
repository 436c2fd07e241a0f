import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'

/** A round trip with the given profit, from `entryTime` to `exitTime`. */
export function roundTrip(pnl: string, [entryTime, exitTime]: [number, number], fees = '0'): RoundTrip {
  return {
    symbol: 'BTC/USDT',
    book: 'BTC/USDT',
    direction: 'long',
    quantity: steps(150_000),
    entryTime,
    entryPrice: ticks(1_000_050),
    exitTime,
    exitPrice: ticks(1_010_000),
    pnl: amountOf(pnl),
    fees: amountOf(fees),
    entryReason: 'entry',
    exitReason: 'takeProfit',
  }
}
