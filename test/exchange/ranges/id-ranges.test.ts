import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../call/scripted-exchange.ts'
import { entriesArbitrary, losesArbitrary } from './entries.ts'
import { allOf, type Entry, historyWorld, NOW, type Query } from './history-server.ts'
import { wireTrade } from './wire-entries.ts'

const symbol = 'BTC/USDT'

interface Meaning {
  /** Whether `fromId` itself belongs to the answer. */
  readonly isIncluded: boolean
  /** Whether `fromId=0` is no id. */
  readonly isZeroNone: boolean
  /** Most entries in an answer, whatever is asked for. */
  readonly cap: number
}

/** The oldest entries from an id on, newest first; without one the newest. */
function listed(entries: readonly Entry[], { fromId, limit }: Query, meaning: Meaning): readonly Entry[] {
  const count = Math.min(Number(limit), meaning.cap)
  const id = fromId === undefined ? undefined : BigInt(fromId)
  if (id === undefined || (id === 0n && meaning.isZeroNone)) return entries.slice(-count).toReversed()
  return entries
    .filter(entry => (meaning.isIncluded ? entry.id >= id : entry.id > id))
    .slice(0, count)
    .toReversed()
}

/** Every entry is a trade with oneself or not. */
function sides(entry: Entry) {
  return entry.id % 3n === 0n ? [wireTrade(entry, false), wireTrade(entry)] : [wireTrade(entry)]
}

const meaningArbitrary: fc.Arbitrary<Meaning> = fc.record({
  isIncluded: fc.boolean(),
  isZeroNone: fc.boolean(),
  cap: fc.constantFrom(5, 8, 50, 1000),
})

/**
 * Where 0 is no id, a short first page cannot be told from the whole, so that only a cap as documented is fair; and where
 * 1 is left out besides, nothing can ask for an entry with the id 1.
 */
const fair = ({ isIncluded, isZeroNone, cap }: Meaning) => !isZeroNone || (isIncluded && cap === 1000)

describe('allMyTrades', () => {
  it('yields every trade once, in order, whatever "from this id" means and whatever is lost on the way', async () => {
    const many = fc
      .array(entriesArbitrary(99), { minLength: 1, maxLength: 3 })
      .map(lists => lists.flat().map((entry, index) => ({ ...entry, id: BigInt(index * 3 + 1) })))
    await fc.assert(
      fc.asyncProperty(
        many,
        meaningArbitrary.filter(fair),
        losesArbitrary,
        async (entries, meaning, loses) => {
          const { client } = historyWorld(
            query => listed(entries, query, meaning).map(entry => wireTrade(entry)),
            loses,
          )
          for (const group of [client.spot, client.margin]) {
            const trades = await allOf(group.allMyTrades({ symbol }))
            expect(trades.map(({ id }) => id)).toEqual(entries.map(({ id }) => String(id)))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each([true, false])('reads thousands where 0 is no id (%s)', async isZeroNone => {
    const entries = Array.from({ length: 4321 }, (_, index) => ({ id: 2n ** 60n + BigInt(index), time: NOW }))
    const meaning = { isIncluded: true, isZeroNone, cap: 1000 }
    const { client } = historyWorld(query => listed(entries, query, meaning).map(entry => wireTrade(entry)))
    const trades = await allOf(client.spot.allMyTrades({ symbol }))
    expect(trades.map(({ id }) => BigInt(id))).toEqual(entries.map(({ id }) => id))
  })

  it('keeps both sides of trades with oneself, even where a page ends between them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.integer({ min: 1, max: 60 }), async (isIncluded, count) => {
        const rows = Array.from({ length: count }, (_, index) => ({
          id: BigInt(index + 1),
          time: NOW,
        })).flatMap(entry => sides(entry))
        const { client } = historyWorld(({ fromId }) => {
          const from = BigInt(fromId ?? 0)
          return rows
            .filter(({ id }) => (isIncluded ? BigInt(id) >= from : BigInt(id) > from))
            .slice(0, 5)
            .toReversed()
        })
        const trades = await allOf(client.spot.allMyTrades({ symbol }))
        const names = trades.map(({ id, side }) => `${id} ${side}`).toSorted()
        expect(names).toEqual(rows.map(({ id, isBuyer }) => `${id} ${isBuyer ? 'buy' : 'sell'}`).toSorted())
      }),
    )
  })

  it('takes in what happens meanwhile', async () => {
    const entries: Entry[] = [{ id: 1n, time: NOW }]
    const { client } = historyWorld(query => {
      const answer = listed(entries, query, { isIncluded: true, isZeroNone: false, cap: 5 })
      if (entries.length < 30) entries.push({ id: BigInt(entries.length + 1), time: NOW })
      return answer.map(entry => wireTrade(entry))
    })
    const trades = await allOf(client.spot.allMyTrades({ symbol }))
    expect(trades.map(({ id }) => id)).toEqual(entries.map(({ id }) => String(id)))
  })

  it('takes in the first trade of all, where it happens between two answers', async () => {
    const entries: Entry[] = []
    const { client, queries } = historyWorld(query => {
      const answer = listed(entries, query, { isIncluded: true, isZeroNone: false, cap: 1000 })
      if (entries.length === 0) entries.push({ id: 7n, time: NOW })
      return answer.map(entry => wireTrade(entry))
    })
    const trades = await allOf(client.spot.allMyTrades({ symbol, fromId: '0' }))
    expect(trades.map(({ id }) => id)).toEqual(['7'])
    expect(queries.slice(0, 3).map(({ fromId }) => fromId)).toEqual(['0', undefined, '0'])
  })

  it('begins with the id given, included on either kind of exchange', async () => {
    const entries = [3n, 5n, 8n, 9n].map(id => ({ id, time: NOW }))
    for (const isIncluded of [true, false]) {
      const meaning = { isIncluded, isZeroNone: false, cap: 1000 }
      const { client } = historyWorld(query => listed(entries, query, meaning).map(entry => wireTrade(entry)))
      const trades = await allOf(client.spot.allMyTrades({ symbol, fromId: '5' }))
      expect(trades.map(({ id }) => id)).toEqual(['5', '8', '9'])
    }
  })

  const entries = Array.from({ length: 1500 }, (_, index) => ({ id: BigInt(index + 10), time: NOW }))
  it.each([
    [
      'the newest from an id on',
      (ids: readonly Entry[], from: bigint) => ids.filter(({ id }) => id >= from).slice(-1000),
    ],
    [
      'those before an id',
      (ids: readonly Entry[], from: bigint) => ids.filter(({ id }) => id <= from).slice(-1000),
    ],
    ['the newest whatever the id', (ids: readonly Entry[]) => ids.slice(-1000)],
  ])('says so on an exchange that gives %s, instead of yielding less', async (_, pick) => {
    const { client } = historyWorld(({ fromId, limit }) =>
      (fromId === undefined ? entries : pick(entries, BigInt(fromId)))
        .slice(-Number(limit))
        .toReversed()
        .map(entry => wireTrade(entry)),
    )
    for (const fromId of ['0', '200']) {
      const error = await rejectionOf(allOf(client.spot.allMyTrades({ symbol, fromId })))
      expect(error).toMatchObject({ code: 'INCOMPLETE_RANGE' })
    }
  })

  it('ends on an exchange that repeats a full page for ever', async () => {
    const page = Array.from({ length: 1000 }, () => wireTrade({ id: 7n, time: NOW }))
    const { client } = historyWorld(() => page)
    expect(await rejectionOf(allOf(client.spot.allMyTrades({ symbol })))).toMatchObject({
      code: 'INCOMPLETE_RANGE',
    })
  })
})

describe('the futures lists', () => {
  it('send contract, limit and id as the interface has them, and the times of profits on every page', async () => {
    const { client, queries } = historyWorld(() => [])
    const contractName = 'E-BTC-USDT'
    await allOf(client.futures.allHistoryOrders({ contractName, fromId: '100' }))
    await allOf(client.futures.allMyTrades({ contractName, fromId: '100' }))
    await allOf(client.futures.allHistoryProfits({ from: 1, to: 2 }))
    expect(queries).toEqual([
      { contractName, limit: '500', fromId: 99 },
      { contractName, limit: '500', fromId: '99' },
      { limit: '500', fromId: 0, startTime: 1, endTime: 2 },
      { limit: '500', startTime: 1, endTime: 2 },
    ])
  })
})
