import { describe, expect, it } from 'vitest'
import { flatMarket, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { type ContractInput, FuturesCaller, futuresOf, ROUND_CONTRACT } from './futures-caller.ts'

const NAMED = '?contractName=E-BTC-USDT'
const PATH = klinesOf([100, 104, 98, 102, 8], [102, 103, 99, 101, 6])

function open(contract: Partial<ContractInput> = {}, klines = PATH): FuturesCaller {
  const caller = FuturesCaller.open(futuresOf(klines, contract))
  caller.pass(klines.length * MINUTE)
  return caller
}

describe('a contract that follows a spot pair', () => {
  it('prints what the pair prints, in contracts, and every record of it agrees', () => {
    const caller = open()
    // 8 and 6 BTC are 80 and 60 contracts of 0.1 BTC.
    const klines = caller.get(`/fapi/v1/klines${NAMED}&interval=1min`).json
    expect(klines).toEqual([
      { idx: START + MINUTE, open: '102.00', high: '103.00', low: '99.00', close: '101.00', vol: '60' },
      { idx: START, open: '100.00', high: '104.00', low: '98.00', close: '102.00', vol: '80' },
    ])
    const ticker = {
      high: '104.00',
      low: '98.00',
      open: '100.00',
      last: '101.00',
      vol: '140',
      rose: '0.01',
      buy: '100.99',
      sell: '101.01',
    }
    expect(caller.get(`/fapi/v1/ticker${NAMED}`).json).toEqual({ ...ticker, time: caller.now })
    expect(caller.get('/fapi/v1/ticker_all').json).toEqual({ e_btcusdt: { ...ticker, time: caller.now } })
    const { bids, asks } = caller.get(`/fapi/v1/depth${NAMED}&limit=1000`).json
    expect([bids.length, bids[0][0], asks.length, asks[0][0]]).toEqual([10, '100.99', 10, '101.01'])
    const [entry] = caller.get('/pub/contracts?ticker_id=e-btc-usdt').json.data.contracts
    expect(entry).toMatchObject({
      ...{
        last_price: '101.00',
        high: '104.00',
        low: '98.00',
        bid: '100.99',
        ask: '101.01',
        index_price: '101',
      },
      ...{ base_volume: '14', open_interest: '0', next_funding_rate_timestamp: START + 8 * 60 * MINUTE },
      // (20 × (100 + 98 + 104 + 102) + 15 × (102 + 103 + 99 + 101)) contracts × 0.1
      quote_volume: '1415.5',
    })
    caller.order('BUY', 'OPEN', 'MARKET', 7)
    expect(caller.get('/pub/contracts').json.data.contracts[0].open_interest).toBe('0.7')
    const book = caller.get('/pub/orderbook?ticker_id=E-BTC-USDT').json.data
    expect(book.orderbook.bids[0]).toMatchObject({ price: bids[0][0], amount: (bids[0][1] / 10).toString() })
  })

  it.each([
    ['0', 101, 101, '101.00'],
    ['0.001', 101.1, 101, '101.10'],
    ['-0.0123', 99.76, 101, '99.76'],
  ])(
    'has a mark price with a premium of %s over the index, and trades at it',
    (premium, markPrice, indexPrice, last) => {
      const caller = open({ premium })
      expect(caller.get(`/fapi/v1/index${NAMED}`).json).toMatchObject({
        markPrice,
        tagPrice: markPrice,
        indexPrice,
      })
      expect(caller.get(`/fapi/v1/ticker${NAMED}`).json.last).toBe(last)
    },
  )

  it.each(['1min', '5min', '15min', '30min', '1h', '1day', '1week', '1month'])(
    'has klines of %s',
    interval => {
      const [kline] = open().get(`/fapi/v1/klines${NAMED}&interval=${interval}`).json
      expect(kline).toMatchObject({ close: '101.00', low: interval === '1min' ? '99.00' : '98.00' })
    },
  )

  it('has no klines of the hour by its spot name, and answers nonsense as live hosts do', () => {
    const caller = open()
    expect(caller.get(`/fapi/v1/klines${NAMED}&interval=60min`).json).toEqual([])
    const codes = [
      'depth',
      'depth?contractName=e_btcusdt',
      `depth${NAMED}&limit=abc`,
      `index${NAMED}&limit=x`,
      `klines${NAMED}`,
    ]
    expect(codes.map(query => caller.get(`/fapi/v1/${query}`).json.code)).toEqual([
      '-1121',
      '-1121',
      '-1000',
      '-1000',
      '-1102',
    ])
  })

  it('refuses to follow a pair that is not listed', () => {
    expect(() => open({ symbol: 'E-ETH-USDT' })).toThrow(
      'follows the spot pair ETH/USDT, which is not listed',
    )
  })
})

describe('a contract with a market of its own', () => {
  const market = { type: 'generated', historyKlines: 60 } as const
  const record = (caller: FuturesCaller) => [
    caller.get(`/fapi/v1/klines${NAMED}&interval=1min&limit=300`).text,
    caller.get(`/fapi/v1/depth${NAMED}`).text,
    caller.get(`/fapi/v1/index${NAMED}`).text,
  ]

  it('is the same whether anyone looked at it before or not, and another with another seed', () => {
    const config = (seed: number) => ({ ...futuresOf(flatMarket(100), { market }), seed })
    const [watched, ignored, other] = [config(1), config(1), config(2)].map(FuturesCaller.open)
    if (watched === undefined || ignored === undefined || other === undefined) throw new Error('unreachable')
    for (let step = 0; step < 40; step++) {
      for (const caller of [watched, ignored, other]) caller.pass(17_000)
      watched.get(`/fapi/v1/depth${NAMED}`)
    }
    expect(record(watched)).toEqual(record(ignored))
    expect(record(watched)).not.toEqual(record(other))
  })
})

describe('the futures section of the configuration', () => {
  it.each([
    [{ contracts: [{ ...ROUND_CONTRACT, multiplier: '1e-18' }] }, 'The multiplier must be above 0'],
    [{ contracts: [{ ...ROUND_CONTRACT, minLever: 9, maxLever: 3 }] }, 'minLever 9 is above maxLever 3'],
    [{ contracts: [{ ...ROUND_CONTRACT, symbol: 'BTC/USDT' }] }, 'the name of a contract such as E-BTC-USDT'],
    [
      { contracts: [{ ...ROUND_CONTRACT, maxLeverage: 3 } as ContractInput] },
      'The key "maxLeverage" is unknown. Did you mean "maxLever"?',
    ],
    [{ priceBand: 1.5 }, 'a rate above 0 and below 1'],
    [{ contracts: [{ ...ROUND_CONTRACT, premium: '-1' }] }, 'a rate above -1'],
    [
      { contracts: [{ ...ROUND_CONTRACT, market: { type: 'random' } as never }] },
      'a section with a type: spot, generated, klines or ticks',
    ],
  ])('%o is refused', (futures, message) => {
    expect(() => FuturesCaller.open({ ...futuresOf(PATH), futures })).toThrow(message)
  })
})
