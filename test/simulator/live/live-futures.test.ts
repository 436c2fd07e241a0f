import { expect, test } from 'vitest'
import type { SessionRow } from '../../../src/matching/session-row.ts'
import type { ToldLevel } from '../../../src/matching/told-market.ts'
import { START } from '../exchange-caller.ts'
import { FuturesCaller } from '../futures/futures-caller.ts'

/** An exchange of one contract of 0.01 BTC that is observed, without fees; latencies are 250 ms. */
function observed() {
  const caller = FuturesCaller.open({
    listings: [{ symbol: 'BTC/USDT', market: { type: 'live' }, isTrading: false }],
    futures: {
      positionMode: 'net',
      contracts: [
        {
          ...{ symbol: 'E-BTC-USDT', multiplier: '0.01', pricePrecision: 1, market: { type: 'live' } },
          ...{ openTakerFee: '0', openMakerFee: '0', closeTakerFee: '0', closeMakerFee: '0' },
        },
      ],
    },
  })
  const rows: SessionRow[] = []
  caller.exchange.onSessionRow(row => rows.push(row))
  const observe = (ms: number, observation: object) => {
    caller.now = START + ms
    caller.exchange.observe({ symbol: 'E-BTC-USDT', ...observation } as never, caller.now)
  }
  return {
    caller,
    rows,
    mark: (ms: number, mark: string) =>
      observe(ms, { kind: 'index', mark, index: mark, fundingRate: '0.0001' }),
    book: (ms: number, bids: readonly ToldLevel[], asks: readonly ToldLevel[]) =>
      observe(ms, { kind: 'book', book: { time: START + ms, bids, asks, levels: 20 } }),
    minute: (ms: number, openTime: number, low: number, high: number, volume: number) =>
      observe(ms, {
        ...{ kind: 'gap', from: openTime, until: openTime + 59_999, reason: 'No trades.' },
        minutes: [{ openTime, low, high, close: low, volume }],
      }),
    order: (side: 'BUY' | 'SELL', volume: number, price: number) =>
      caller.order(side, 'OPEN', 'LIMIT', volume, price),
  }
}

test('an order on a contract walks the book of the host, and what rests fills by quotes and minutes beyond it', () => {
  const { caller, rows, mark, book, minute, order } = observed()
  mark(0, '1000')
  book(
    0,
    [['999', '5']],
    [
      ['1000', '2'],
      ['1001', '9'],
    ],
  )
  order('BUY', 4, 1000.5)
  book(
    1000,
    [['999', '5']],
    [
      ['1000', '2'],
      ['1001', '9'],
    ],
  )
  // 2 at 1000; 2 rest at 1000.5. Quotes of 1000.4 are beyond it: 1.
  book(
    2000,
    [['999', '5']],
    [
      ['1000.4', '1'],
      ['1001', '9'],
    ],
  )
  // The minute of START began before the order rested; the next one went to 1000.4 with a volume of 7: the last 1.
  minute(61_000, START, 900, 1001, 7)
  minute(121_000, START + 60_000, 1000.4, 1001, 7)
  const fills = rows.filter(row => row.type === 'fill')
  expect(fills.map(({ quantity, price, evidence }) => `${quantity}@${price} ${evidence.rule}`)).toEqual([
    '2@1000.0 walked',
    '1@1000.5 quotedThrough',
    '1@1000.5 gapMinute',
  ])
  const { account } = caller.get('/fapi/v1/account').json
  const [position] = account[0].positionVos[0].positions
  // 4 contracts at (2 × 1000 + 2 × 1000.5) ÷ 4.
  expect(position).toMatchObject({ side: 'BUY', volume: 4 })
  expect(Number(position.openPrice)).toBe(1000.25)
})

test('the mark price of the host liquidates', () => {
  const { caller, mark, book, order } = observed()
  mark(0, '1000')
  book(0, [['999', '5']], [['1000', '20000']])
  // 20,000 × 0.01 × 1000 = 200,000 with a leverage of 20: a margin of 10,000, all there is.
  expect(order('BUY', 19_000, 1000).status).toBe(200)
  book(1000, [['999', '5']], [['1000', '20000']])
  const positions = () => caller.get('/fapi/v1/account').json.account[0].positionVos
  expect(positions()).toHaveLength(1)
  mark(2000, '940')
  // 19,000 × 0.01 × 60 = 11,400 are lost.
  expect(positions().flatMap(({ positions: all }: { positions: object[] }) => all)).toEqual([])
})

test('a contract that the host halts takes no orders', () => {
  const { caller, mark, book, order } = observed()
  mark(0, '1000')
  book(0, [['999', '5']], [['1000', '5']])
  caller.exchange.observe({ symbol: 'E-BTC-USDT', kind: 'rules', rules: { isTrading: false } }, caller.now)
  expect(order('BUY', 1, 1000).json.code).toBe('-2016')
  expect(caller.get('/fapi/v1/contracts').json).toMatchObject([{ status: 0 }])
})
