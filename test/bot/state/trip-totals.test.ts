import { describe, expect, it } from 'vitest'
import { TripTotals } from '../../../src/bot/state/trip-totals.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'

const DAY = Date.UTC(2026, 0, 5)
const HOUR = 3_600_000

function closed(symbol: string, pnl: string, exitTime: number): EngineOutput {
  const roundTrip: RoundTrip = {
    ...{ symbol, book: symbol, quantity: steps(10) },
    direction: 'long',
    ...{ pnl: amountOf(pnl), fees: amountOf('0.1') },
    ...{ entryTime: exitTime - HOUR, entryPrice: ticks(10_000), exitTime, exitPrice: ticks(10_000) },
    entryReason: 'entry',
    exitReason: 'exit',
  }
  return { type: 'roundTripClosed', roundTrip }
}

const quoteOf = (symbol: string) => symbol.slice(symbol.indexOf('/') + 1)

/** Of 2,600 round trips in USDT every fourth won 3.00, and the others lost 1.50; one in EUR won 0.1. */
function counted() {
  const totals = new TripTotals()
  totals.observe([], DAY, quoteOf)
  for (let trip = 0; trip < 2600; trip++)
    totals.observe(
      [closed('BTC/USDT', trip % 4 === 0 ? '3' : '-1.5', DAY + HOUR + trip)],
      DAY + HOUR,
      quoteOf,
    )
  totals.observe([closed('BTC/EUR', '0.1', DAY + HOUR)], DAY + HOUR, quoteOf)
  return totals
}

describe('totals of round trips', () => {
  it('are exact sums by quote asset since the first event', () => {
    const totals = counted()
    expect(totals.since).toBe(DAY)
    // 650 × 3 = 1950 won, 1950 × 1.5 = 2925 lost: -975, over 2600 -0.375.
    expect(totals.all).toEqual([
      {
        ...{ quote: 'USDT', count: 2600, won: 650, pnl: '-975', average: '-0.375' },
        ...{ best: '3', worst: '-1.5', gained: '1950', lost: '2925' },
      },
      {
        ...{ quote: 'EUR', count: 1, won: 1, pnl: '0.1', average: '0.1' },
        ...{ best: '0.1', worst: '0.1', gained: '0.1', lost: '0' },
      },
    ])
  })

  it('go on from their state', () => {
    const [whole, first, second] = [counted(), counted(), new TripTotals()]
    second.restore(first.state)
    for (const totals of [whole, second])
      totals.observe([closed('BTC/USDT', '4', DAY + HOUR)], DAY + HOUR, quoteOf)
    expect(second.state).toEqual(whole.state)
    expect(second.all[0]).toMatchObject({ count: 2601, won: 651, best: '4', pnl: '-971' })
  })

  it('have the round trips of a day (UTC) by book, a late one of the day before apart', () => {
    const totals = counted()
    const usdt = { book: 'BTC/USDT', quote: 'USDT', count: 2600, pnl: '-975' }
    const euro = { book: 'BTC/EUR', quote: 'EUR', count: 1, pnl: '0.1' }
    expect(totals.onDayOf(DAY + 23 * HOUR)).toEqual([usdt, euro])
    // Midnight belongs to the day that it ends.
    expect(totals.onDayOf(DAY + 24 * HOUR)).toEqual([usdt, euro])
    expect(totals.onDayOf(DAY + 24 * HOUR + 1)).toEqual([])
    const next = DAY + 24 * HOUR + 1
    totals.observe([closed('BTC/USDT', '2', next)], next, quoteOf)
    totals.observe([closed('BTC/USDT', '9', next - 1)], next + 1, quoteOf)
    expect(totals.onDayOf(next + HOUR)).toEqual([{ ...usdt, count: 1, pnl: '2' }])
    expect(totals.all[0]?.count).toBe(2602)
  })

  it('count both sides of a strategy that holds long and short side by side as its own', () => {
    const totals = new TripTotals()
    const side = (name: string, pnl: string): EngineOutput => {
      const output = closed('BTC/USDT', pnl, DAY + HOUR)
      if (output.type !== 'roundTripClosed') throw new Error('It closes a round trip.')
      return { ...output, roundTrip: { ...output.roundTrip, book: `BTC/USDT:${name}` } }
    }
    totals.observe([side('long', '3'), side('short', '-1.25'), side('long', '0.5')], DAY + HOUR, quoteOf)
    expect(totals.onDayOf(DAY + 2 * HOUR)).toEqual([
      { book: 'BTC/USDT', quote: 'USDT', count: 3, pnl: '2.25' },
    ])
  })
})
