import { describe, expect, it } from 'vitest'
import { flatMarket, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { FuturesCaller, futuresOf } from './futures-caller.ts'

const NAME = { contractName: 'E-BTC-USDT' }
const ROUNDS = 510

/** Positions that were opened and closed, one a second, and as many orders that were canceled. */
function busy(): FuturesCaller {
  const caller = FuturesCaller.open({ ...futuresOf(flatMarket(100)), limits: { areEnforced: false } })
  for (let round = 0; round < ROUNDS; round++) {
    caller.order('BUY', 'OPEN', 'MARKET', 1)
    caller.order('SELL', 'CLOSE', 'MARKET', 1)
    caller.pass(1000)
  }
  return caller
}

type Entry = Record<string, number>
type Ask = (fields: Record<string, string | number>) => Entry[]

/** Ids as text: those of orders have more digits than a double. */
function idsIn(text: string, name: string): bigint[] {
  return [...text.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map(([, id]) => BigInt(id ?? ''))
}

function queryOf(fields: Record<string, string | number>): string {
  return new URLSearchParams({ ...NAME, ...(fields as Record<string, string>) }).toString()
}

describe('the lists of the futures interface', () => {
  const caller = busy()
  const textOf = {
    orderId: (fields: object) => caller.post('/fapi/v1/orderHistorical', { ...NAME, ...fields }).text,
    id: (fields: object) => caller.post('/fapi/v1/profitHistorical', fields).text,
    tradeId: (fields: object) => caller.get(`/fapi/v1/myTrades?${queryOf({ ...fields })}`).text,
  }
  const lists = [
    ['orderId', 2 * ROUNDS],
    ['id', ROUNDS],
    ['tradeId', 2 * ROUNDS],
  ] as const

  it.each(lists)('by %s are newest first, 100 long, or as long as is asked for, up to 500', (name, count) => {
    const lengths = [undefined, '7', 500, 501, 100_000, 0].map(
      limit => idsIn(textOf[name](limit === undefined ? {} : { limit }), name).length,
    )
    expect([lengths, count > 500]).toEqual([[100, 7, 500, 500, 500, 1], true])
    const ids = idsIn(textOf[name]({ limit: 500 }), name)
    expect(ids).toEqual(ids.toSorted((left, right) => (left < right ? 1 : -1)))
    expect(JSON.parse(textOf[name]({ limit: 'many' })).code).toBe('-1000')
  })

  it.each(lists)('by %s are read whole from the first id on, each entry once', (name, count) => {
    const read: bigint[] = []
    for (let fromId = 0n; ; fromId = (read.at(-1) ?? 0n) + 1n) {
      const page = idsIn(textOf[name]({ fromId: String(fromId), limit: '200' }), name)
      if (page.length === 0) break
      read.push(...page.reverse())
    }
    expect(read).toHaveLength(count)
    expect(new Set(read).size).toBe(count)
    expect(read).toEqual(read.toSorted((left, right) => (left < right ? -1 : 1)))
    expect(JSON.parse(textOf[name]({ fromId: 'x' })).code).toBe('-1102')
  })

  it('of trades have what took before what rested, of one trade with oneself, with a first id as without', () => {
    const alone = FuturesCaller.open(futuresOf(flatMarket(100)))
    alone.order('SELL', 'OPEN', 'LIMIT', 1, 100)
    alone.order('BUY', 'OPEN', 'LIMIT', 1, 100)
    for (const from of ['', '&fromId=1']) {
      const trades: Entry[] = alone.get(`/fapi/v1/myTrades?contractName=E-BTC-USDT${from}`).json
      expect(trades.map(({ side }) => side)).toEqual(['BUY', 'SELL'])
      expect(trades[0]?.tradeId).toBe(trades[1]?.tradeId)
    }
  })

  it('of profits take both ends of a window or none, each inclusive', () => {
    const ask: Ask = fields => caller.post('/fapi/v1/profitHistorical', { ...NAME, ...fields }).json
    const window = ask({ startTime: START + 3000, endTime: START + 5000 })
    expect(window.map(({ mtime }) => mtime)).toEqual([START + 5000, START + 4000, START + 3000])
    expect(ask({ startTime: START })).toMatchObject({ code: '-1102' })
    expect(ask({ endTime: START })).toMatchObject({ code: '-1102' })
  })

  it('of transactions have pages, newest first, that can be told apart by type', () => {
    const ask = (fields: object) =>
      caller.post('/fapi/v1/get_user_transaction', {
        ...{ beginTime: START, endTime: START + 10_000_000, symbol: 'USDT', limit: 200 },
        ...fields,
      }).json.data
    // A transfer at first, then for each round: opening fee, profit, closing fee.
    const pages = Array.from({ length: 9 }, (_, index) => ask({ page: index + 1 }))
    expect(pages.map(({ transList }) => transList.length)).toEqual([...Array(7).fill(200), 131, 0])
    expect(pages[0].count).toBe(1 + 3 * ROUNDS)
    const times = pages.flatMap(({ transList }) => transList.map(({ id }: Entry) => id))
    expect(times).toEqual(times.toSorted((left, right) => right - left))
    expect(ask({ type: '13' }).count).toBe(ROUNDS)
    expect([ask({ type: '5' }).count, ask({ assetType: 1 }).count]).toEqual([0, 0])
    expect(ask({ limit: 999 }).transList).toHaveLength(200)
  })

  it('of trades have their id by both of its names', () => {
    const [trade] = caller.get(`/fapi/v1/myTrades?${queryOf({ limit: 1 })}`).json
    expect(trade.id).toBe(trade.tradeId)
  })

  it('of open orders and of an order query are newest first', () => {
    const other = FuturesCaller.open(futuresOf(flatMarket(100)))
    const placed = [90, 92, 91].map(price => other.order('BUY', 'OPEN', 'LIMIT', 1, price))
    const ids = placed.map(({ json }) => BigInt(json.orderId)).reverse()
    expect(idsIn(other.get('/fapi/v1/openOrders').text, 'orderId')).toEqual(ids)
    expect(idsIn(other.get('/fapi/v1/order?contractName=E-BTC-USDT').text, 'orderId')).toEqual(ids)
  })
})

describe('the margin of an isolated position', () => {
  it('can be taken out while a cross position has used up what is available', () => {
    const klines = klinesOf([100, 100, 100, 100], [99, 99, 99, 99])
    const contracts = ['E-BTC-USDT', 'E-ETH-USDT'].map(symbol => ({
      ...{
        symbol,
        multiplier: '0.1',
        pricePrecision: 2,
        market: { type: 'spot', symbol: 'BTC/USDT' } as const,
      },
      ...{ openTakerFee: '0', maintenance: [{ keepRate: '0.01' }] },
    }))
    const config = futuresOf(klines)
    const caller = FuturesCaller.open({ ...config, futures: { contracts, leverage: 20 } })
    caller.order('SELL', 'OPEN', 'MARKET', 10, undefined, { positionType: 2 })
    const [{ id: positionId }] = caller.positions()
    caller.post('/fapi/v1/edit_position_margin', { positionId, amount: 50 })
    caller.order('BUY', 'OPEN', 'MARKET', 1700, undefined, { contractName: 'E-ETH-USDT' })
    caller.pass(MINUTE)
    const available = caller.exchange.futures.availableOf(caller.exchange.futures.accountOf(10_001), 'USDT')
    expect(available < 0n).toBe(true)
    const edit = (amount: number) =>
      caller.post('/fapi/v1/edit_position_margin', { positionId, amount }).json.code
    expect([edit(-10), edit(10)]).toEqual(['0', '-2017'])
  })
})
