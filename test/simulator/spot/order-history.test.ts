import { describe, expect, it } from 'vitest'
import { ExchangeCaller, flatMarket, replayOf, START } from '../exchange-caller.ts'

const DAY = 86_400_000

/** One sale on each of twenty days, its order and its trade at the same moment; then the clock stands at day 20. */
function twentyDays(more = {}): ExchangeCaller {
  const caller = ExchangeCaller.open({
    listings: ['BTC/USDT', 'ETH/USDT'].map(symbol => ({
      symbol,
      market: { type: 'klines', klines: flatMarket(100) } as const,
    })),
    accounts: [
      { apiKey: 'sluice-test-key', apiSecret: 'sluice-test-secret', balances: { BTC: '100', ETH: '100' } },
    ],
    ...more,
  })
  for (let day = 0; day < 20; day++) {
    caller.now = START + day * DAY
    const symbol = day % 2 === 0 ? 'BTC/USDT' : 'ETH/USDT'
    caller.post('/sapi/v2/order', { symbol, side: 'SELL', type: 'MARKET', volume: '1' })
  }
  caller.now = START + 20 * DAY
  return caller
}

const day = (time: string | number) => (Number(time) - START) / DAY
const WINDOWS = [
  ['the last 7 days without any time', {}, [19, 18, 17, 16, 15, 14, 13]],
  ['7 days from startTime', { startTime: START + 2 * DAY }, [9, 8, 7, 6, 5, 4, 3, 2]],
  ['7 days before endTime', { endTime: START + 8 * DAY }, [8, 7, 6, 5, 4, 3, 2, 1]],
  ['the window asked for', { startTime: START + 3 * DAY, endTime: START + 5 * DAY }, [5, 4, 3]],
  ['one symbol', { symbol: 'ETHUSDT', startTime: START, endTime: START + 6 * DAY }, [5, 3, 1]],
  ['the newest of a limit', { startTime: START, limit: 2 }, [7, 6]],
] as const

describe.each([
  ['/sapi/v3/historyOrders', 'time', 'BTCUSDT'],
  ['/sapi/v3/myTrades', 'time', 'BTC/USDT'],
] as const)('GET %s', (path, field, symbol) => {
  const query = (fields: object) => {
    const text = new URLSearchParams(Object.entries(fields)).toString()
    return text === '' ? path : `${path}?${text}`
  }

  it.each(WINDOWS)('lists %s, newest first', (_fact, fields, days) => {
    const { json } = twentyDays().get(query(fields))
    expect(json.map((entry: Record<string, string>) => day(entry[field] ?? ''))).toEqual(days)
  })

  it('spells symbols its own way', () => {
    expect(twentyDays().get(query({ symbol: 'BTC/USDT' })).json[0].symbol).toBe(symbol)
  })

  it.each([
    ['longer than 7 days', { startTime: START, endTime: START + 7 * DAY + 1 }, 'endTime'],
    ['that ends before it begins', { startTime: START + 1, endTime: START }, 'endTime'],
    ['that begins more than 6 months ago', { startTime: START - 167 * DAY }, 'startTime'],
    ['that ends more than 6 months ago', { endTime: START - 167 * DAY }, 'endTime'],
  ])('refuses a window %s', (_fact, fields, name) => {
    const { status, json } = twentyDays().get(query(fields))
    expect([status, json.code, json.msg]).toEqual([400, -1102, expect.stringContaining(`'${name}'`)])
    expect(twentyDays().get(query({ startTime: START - 166 * DAY })).json).toEqual([])
  })

  it('takes 50 by default and 100 at most', () => {
    const caller = twentyDays()
    for (let count = 0; count < 110; count++) {
      caller.post('/sapi/v2/order', { symbol: 'BTC/USDT', side: 'SELL', type: 'MARKET', volume: '0.1' })
      caller.now += 100
    }
    expect(caller.get(path).json).toHaveLength(50)
    expect(caller.get(`${path}?limit=1000`).json).toHaveLength(100)
  })

  it('remembers as many as is configured', () => {
    const { json } = twentyDays({ keptRecords: 3 }).get(path)
    expect(json.map((entry: Record<string, string>) => day(entry[field] ?? ''))).toEqual([19, 18, 17])
  })
})

describe('GET /sapi/v3/historyOrders', () => {
  it('lists open orders too', () => {
    const caller = ExchangeCaller.open(replayOf(flatMarket(100)))
    caller.order('BUY', 'LIMIT', '1', '90')
    caller.order('SELL', 'MARKET', '1')
    const { json } = caller.get('/sapi/v3/historyOrders')
    expect(json.map(({ status, isWorking }: Record<string, unknown>) => [status, isWorking])).toEqual([
      ['FILLED', false],
      ['NEW', true],
    ])
  })
})

describe('GET /sapi/v2/openOrders', () => {
  it('takes 100 by default and 1000 at most', () => {
    const caller = ExchangeCaller.open(
      replayOf(flatMarket(100), { limits: { areEnforced: false }, maxOpenOrders: 2000 }),
    )
    for (let count = 0; count < 1005; count++) caller.order('BUY', 'LIMIT', '0.2', '50')
    // 1000 orders of 10 USDT are all that 10,000 USDT pay for.
    expect(caller.get('/sapi/v2/openOrders').json).toHaveLength(100)
    expect(caller.get('/sapi/v2/openOrders?limit=999').json).toHaveLength(999)
    expect(caller.get('/sapi/v2/openOrders?symbol=btcusdt&limit=5000').json).toHaveLength(1000)
  })
})
