import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { ExchangeTrade } from '../../../src/exchange/spot/trade.ts'
import { TradeSequence } from '../../../src/market/sequences/trade-sequence.ts'

const ONE = new Decimal(1)
const trade = (id: number | string): ExchangeTrade => ({
  id: String(id),
  symbol: 'BTC/USDT',
  side: 'buy',
  price: ONE,
  quantity: ONE,
  time: Number(BigInt(id) % 1_000_000n),
})
const trades = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => trade(from + index))
const ids = (found: readonly ExchangeTrade[]) => found.map(({ id }) => id)

/** Has seen the trades 901 to 1000. */
function begun(): TradeSequence {
  const sequence = new TradeSequence()
  sequence.apply(trades(901, 1000))
  return sequence
}

describe('TradeSequence', () => {
  it('tells nothing of the first answer, and then each new trade once', () => {
    const sequence = new TradeSequence()
    expect(sequence.apply(trades(1, 100))).toEqual({ trades: [] })
    expect(ids(sequence.apply(trades(4, 103)).trades)).toEqual(['101', '102', '103'])
    expect(sequence.apply(trades(4, 103))).toEqual({ trades: [] })
  })

  it('tells everything after a first answer without trades', () => {
    const sequence = new TradeSequence()
    sequence.apply([])
    expect(ids(sequence.apply(trades(1, 2)).trades)).toEqual(['1', '2'])
  })

  it('never tells what is older than the first answer, however long a later one is', () => {
    expect(ids(begun().apply(trades(100, 1001)).trades)).toEqual(['1001'])
  })

  it('reports a gap where an answer that is full does not reach back', () => {
    const found = begun().apply(trades(1050, 1149))
    expect(ids(found.trades)).toEqual(ids(trades(1050, 1149)))
    expect(found.gap).toEqual({ after: trade(1000), before: trade(1050) })
  })

  it('reports no gap where the answer reaches back', () => {
    expect(begun().apply(trades(1000, 1099)).gap).toBeUndefined()
    expect(begun().apply([]).gap).toBeUndefined()
  })

  it('reports a gap at a host that holds fewer trades than it is asked for', () => {
    expect(begun().apply(trades(1050, 1069)).gap).toEqual({ after: trade(1000), before: trade(1050) })
  })

  it('wants a longer answer before it believes in a gap, if there is one', () => {
    const sequence = begun()
    expect(sequence.needsMore(trades(1050, 1149), 100)).toBe(true)
    expect(sequence.needsMore(trades(1000, 1099), 100)).toBe(false)
    expect(sequence.needsMore(trades(1050, 1060), 100)).toBe(false)
    expect(sequence.needsMore(trades(3000, 3999), 1000)).toBe(false)
    expect(new TradeSequence().needsMore(trades(1, 100), 100)).toBe(false)
  })

  it('asks for four times as many as came last, from 100 to 1000', () => {
    const sequence = begun()
    expect(sequence.limit).toBe(100)
    sequence.apply(trades(981, 1080))
    expect(sequence.limit).toBe(320)
    sequence.apply(trades(1000, 1999))
    expect(sequence.limit).toBe(1000)
    sequence.apply(trades(1990, 2000))
    expect(sequence.limit).toBe(100)
  })

  it('tells a trade that turns up late', () => {
    const sequence = begun()
    sequence.apply([...trades(990, 1000), trade(1002)])
    expect(ids(sequence.apply(trades(990, 1002)).trades)).toEqual(['1001'])
  })

  it('knows ids beyond 2^53 apart', () => {
    const sequence = new TradeSequence()
    sequence.apply([trade('9007199254740992')])
    const found = sequence.apply([trade('9007199254740992'), trade('9007199254740993')])
    expect(ids(found.trades)).toEqual(['9007199254740993'])
  })

  it('tells nothing twice and misses nothing while answers overlap, whatever old copies come between', () => {
    const step = fc.record({
      more: fc.nat({ max: 90 }),
      isOld: fc.boolean(),
      limit: fc.constantFrom(100, 300, 1000),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const sequence = new TradeSequence()
        sequence.apply(trades(1, 100))
        let [latest, previous] = [100, 100]
        const told: string[] = []
        for (const { more, isOld, limit } of steps) {
          if (!isOld) [previous, latest] = [latest, latest + more]
          const newest = isOld ? previous : latest
          const found = sequence.apply(trades(Math.max(1, newest - limit + 1), newest))
          expect(found.gap).toBeUndefined()
          told.push(...ids(found.trades))
        }
        expect(told).toEqual(ids(trades(101, latest)))
      }),
    )
  })
})
