import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../call/scripted-exchange.ts'
import { entriesArbitrary, losesArbitrary } from './entries.ts'
import { allOf, type Entry, historyWorld, NOW, type Query } from './history-server.ts'
import { wireWithdrawal } from './wire-entries.ts'

const DAY = 86_400_000

/** One page of a window, newest first. */
function pageOf(entries: readonly Entry[], { startTime, endTime, page }: Query, size: number) {
  const inside = entries
    .filter(({ time }) => time >= Number(startTime) && time <= Number(endTime))
    .toReversed()
  const first = (Number(page) - 1) * size
  return { items: inside.slice(first, first + size), count: inside.length }
}

describe('allWithdrawals', () => {
  it('yields every withdrawal once, oldest first, whatever the size of a page and whatever is lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        entriesArbitrary(20),
        fc.constantFrom(1, 10, 100),
        losesArbitrary,
        async (entries, size, loses) => {
          const { client } = historyWorld(query => {
            const { items, count } = pageOf(entries, query, size)
            return { code: '0', msg: 'ok', data: { withdrawList: items.map(wireWithdrawal), count } }
          }, loses)
          const withdrawals = await allOf(client.account.allWithdrawals({ from: NOW - 180 * DAY }))
          expect(withdrawals.map(({ id }) => id)).toEqual(entries.map(({ id }) => String(id)))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is not disturbed by withdrawals that shift the pages', async () => {
    const entries = Array.from({ length: 20 }, (_, index) => ({
      id: BigInt(index),
      time: NOW - 1000 + index,
    }))
    const { client } = historyWorld(query => {
      const { items, count } = pageOf(entries, { ...query, endTime: NOW * 2 }, 3)
      if (entries.length < 25) entries.push({ id: BigInt(entries.length), time: NOW - 500 })
      return {
        code: '0',
        msg: 'ok',
        data: { withdrawList: items.map(wireWithdrawal), count: Math.min(20, count) },
      }
    })
    const had = (await allOf(client.account.allWithdrawals())).map(({ id }) => Number(id))
    expect(had.filter(id => id < 20)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    expect(new Set(had).size).toBe(had.length)
  })

  it('says so on an exchange that gives the first page only', async () => {
    const entries = Array.from({ length: 20 }, (_, index) => ({
      id: BigInt(index),
      time: NOW - 1000 + index,
    }))
    const { client } = historyWorld(query => {
      const { items, count } = pageOf(entries, { ...query, page: 1 }, 3)
      return { code: '0', msg: 'ok', data: { withdrawList: items.map(wireWithdrawal), count } }
    })
    expect(await rejectionOf(allOf(client.account.allWithdrawals()))).toMatchObject({
      code: 'INCOMPLETE_RANGE',
    })
  })
})

describe('allTransfers', () => {
  it('yields the transfers of two accounts over six months', async () => {
    const entries = Array.from({ length: 300 }, (_, index) => ({
      id: BigInt(index),
      time: NOW - ((300 - index) * DAY) / 2,
    }))
    const { client, queries } = historyWorld(query => {
      const list = pageOf(entries, query, 20).items.map(({ id, time }) => ({
        transferId: String(id),
        fromAccount: 'EXCHANGE',
        toAccount: 'FUTURE',
        coinSymbol: 'USDT',
        amount: '1',
        status: 'SUCCESS',
        createTime: time,
      }))
      return { code: '0', msg: 'ok', data: { list } }
    })
    const transfers = await allOf(client.account.allTransfers({ from: 'spot', to: 'futures' }))
    expect(transfers.map(({ transferId }) => transferId)).toEqual(entries.map(({ id }) => String(id)))
    expect(queries[0]).toMatchObject({ fromAccount: 'EXCHANGE', toAccount: 'FUTURE', page: 1, limit: 100 })
  })
})

describe('allTransactions', () => {
  it('yields what changed the balance of a margin coin', async () => {
    const entries = Array.from({ length: 450 }, (_, index) => ({
      id: BigInt(index),
      time: NOW - 450_000 + index * 1000,
    }))
    const { client, queries } = historyWorld(({ beginTime, ...query }) => {
      const { items, count } = pageOf(entries, { ...query, startTime: beginTime }, 200)
      const transList = items.map(({ id, time }) => ({
        id: Number(id),
        type: 5,
        amount: '-1',
        afterBalance: '9',
        ctimeMillis: time,
      }))
      return { code: '0', msg: 'ok', data: { transList, count } }
    })
    const range = client.futures.allTransactions({ marginCoin: 'USDT', from: NOW - DAY, type: 'fundingFee' })
    expect((await allOf(range)).map(({ id }) => id)).toEqual(entries.map(({ id }) => String(id)))
    expect(queries[0]).toMatchObject({ symbol: 'USDT', type: '5', page: 1, limit: 200 })
  })
})
