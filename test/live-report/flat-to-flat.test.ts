import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { flatToFlat } from '../../src/live-report/flat-to-flat.ts'

/** A round trip between two times, ms. */
function trip(entryTime: number, exitTime: number, pnl: string, more: Partial<RoundTrip> = {}): RoundTrip {
  return {
    ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', quantity: steps(1) },
    ...{ entryTime, entryPrice: ticks(1), exitTime, exitPrice: ticks(1) },
    ...{ pnl: amountOf(pnl), fees: amountOf('0'), entryReason: 'entry', exitReason: 'exit' },
    ...more,
  }
}

const of = (...trips: readonly RoundTrip[]) =>
  flatToFlat(trips).map(({ exitTime, pnl }) => [exitTime, amountToText(pnl)])

describe('trades from flat to flat', () => {
  it('are one of an entry and an exit that fill in parts', () => {
    expect(of(trip(0, 100, '1'), trip(1, 101, '-3'), trip(2, 102, '0.5'))).toEqual([[102, '-1.5']])
  })

  it('are one where a part was closed long before the rest, and what was added meanwhile', () => {
    expect(of(trip(0, 10, '1'), trip(0, 90, '2'), trip(50, 95, '4'))).toEqual([[95, '7']])
  })

  it('are two where nothing was held in between, and where the direction turned at one moment', () => {
    expect(of(trip(0, 10, '1'), trip(20, 30, '2'))).toEqual([
      [10, '1'],
      [30, '2'],
    ])
    expect(of(trip(0, 10, '1'), trip(10, 30, '2', { direction: 'short' }))).toEqual([
      [10, '1'],
      [30, '2'],
    ])
  })

  it('are told apart by their books', () => {
    expect(of(trip(0, 10, '1'), trip(5, 15, '2', { book: 'ETH/USDT' }))).toEqual([
      [10, '1'],
      [15, '2'],
    ])
  })
})
