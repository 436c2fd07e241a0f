import { describe, expect, it } from 'vitest'
import { type Interval, intervalMs } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { ExchangeCaller, flatMarket, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'

const PATHS = [
  [100, 102, 99, 101, 0.4],
  [101, 104, 100.5, 103, 1.00003],
  [103, 103, 103, 103, 0],
  [102, 102.5, 95, 96, 2],
  [96, 97, 94, 95.5, 8],
  [95.5, 96, 95, 95.75, 1],
] as const

interface WireKline {
  readonly idx: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly vol: string
}

function klineOf({ idx, open, high, low, close, vol }: WireKline): Kline {
  const [first = 0, highest = 0, lowest = 0, last = 0, volume = 0] = [open, high, low, close, vol].map(Number)
  return { openTime: idx, open: first, high: highest, low: lowest, close: last, volume }
}

function klinesFrom(caller: ExchangeCaller, query: string): Kline[] {
  return caller.get(`/sapi/v2/klines?symbol=BTC/USDT&${query}`).json.map(klineOf)
}

function combined(klines: readonly Kline[]): Omit<Kline, 'openTime'> {
  return {
    open: klines[0]?.open ?? 0,
    high: Math.max(...klines.map(({ high }) => high)),
    low: Math.min(...klines.map(({ low }) => low)),
    close: klines.at(-1)?.close ?? 0,
    volume: Math.round(klines.reduce((total, { volume }) => total + volume, 0) * 1e5) / 1e5,
  }
}

describe('a replayed market', () => {
  const open = () => ExchangeCaller.open(replayOf(klinesOf(...PATHS)))

  it('serves the klines it was given, exactly, newest first', () => {
    const caller = open()
    caller.now = START + 6 * MINUTE
    expect(klinesFrom(caller, 'interval=1min')).toEqual(klinesOf(...PATHS).reverse())
  })

  it('walks a kline over its nearer extreme, and shows it while it forms', () => {
    const caller = open()
    const seen = [0, 14_999, 15_000, 30_000, 45_000].map(offset => {
      caller.now = START + MINUTE + offset
      const { open: first, high, low, close, volume } = klinesFrom(caller, 'interval=1min&limit=1')[0] ?? {}
      return [first, high, low, close, volume]
    })
    expect(seen).toEqual([
      [101, 101, 101, 101, 0.25],
      [101, 101, 101, 101, 0.25],
      [101, 101, 100.5, 100.5, 0.5],
      [101, 104, 100.5, 104, 0.75],
      [101, 104, 100.5, 103, 1.00003],
    ])
  })

  it.each(PATHS.map((path, index) => [index, path[0]] as const))(
    'trades market orders a tick beside the open in the first quarter of kline %i',
    (index, price) => {
      for (const offset of [0, 14_999]) {
        const caller = open()
        caller.now = START + index * MINUTE + offset
        caller.order('BUY', 'MARKET', '20')
        caller.order('SELL', 'MARKET', '0.1')
        const prices = caller.trades().json.map((trade: { price: string }) => trade.price)
        expect(prices).toEqual([(price - 0.01).toFixed(2), (price + 0.01).toFixed(2)])
      }
    },
  )

  it('quotes anew around every print', () => {
    const caller = open()
    const best = [0, 15_000, 30_000, 45_000, MINUTE].map(offset => {
      caller.now = START + offset
      const { bids, asks } = caller.get('/sapi/v2/depth?symbol=BTC/USDT&limit=1').json
      return [bids[0][0], asks[0][0]]
    })
    expect(best).toEqual([
      ['99.99', '100.01'],
      ['98.99', '99.01'],
      ['101.99', '102.01'],
      ['100.99', '101.01'],
      ['100.99', '101.01'],
    ])
  })

  it('quotes the configured spread around the reference and lists users with it', () => {
    const caller = ExchangeCaller.open(
      replayOf(flatMarket(100), { liquidity: { spreadTicks: 3, levelNotionals: ['1000', '2000'] } }),
    )
    caller.order('BUY', 'LIMIT', '1', '99.97')
    caller.order('BUY', 'LIMIT', '1', '99')
    expect(caller.get('/sapi/v2/depth?symbol=BTC/USDT').json).toEqual({
      bids: [
        ['99.97', '11.00300'],
        ['99.96', '20.00800'],
        ['99.00', '1.00000'],
      ],
      asks: [
        ['100.03', '9.99700'],
        ['100.04', '19.99200'],
      ],
      time: START,
    })
    expect(caller.get('/sapi/v2/depth?symbol=BTC/USDT&limit=1').json.bids).toHaveLength(1)
  })

  it('stands still after its last kline', () => {
    const caller = open()
    caller.now = START + 500 * MINUTE
    expect(klinesFrom(caller, 'interval=1min')).toHaveLength(6)
    expect(caller.exchange.nextPrintAt).toBeUndefined()
    expect(caller.get('/sapi/v2/ticker?symbol=BTC/USDT').json.last).toBe('95.75')
  })

  it('sums exactly the prints of the last 24 hours up in its ticker', () => {
    const minutes = 1500
    const caller = ExchangeCaller.open(replayOf(flatMarket(100, minutes)))
    caller.now = START + minutes * MINUTE
    // Four prints a minute of one base unit each, at 100; the one exactly 24 hours ago is out.
    expect(caller.get('/sapi/v2/ticker?symbol=BTC/USDT').json).toMatchObject({
      vol: '5759.00000',
      amount: '575900',
      rose: '0',
      time: START + (minutes - 1440) * MINUTE + 15_000,
    })
  })

  it('refuses klines that overlap or cannot be', () => {
    const [first, second] = klinesOf([100, 101, 99, 100], [100, 101, 99, 100])
    if (first === undefined || second === undefined) throw new Error('unreachable')
    const advanceWith = (klines: Kline[]) => () =>
      createSimulatedExchange(replayOf(klines)).advance(START + 9 * MINUTE)
    expect(advanceWith([first, { ...second, openTime: START + 1 }])).toThrow('must ascend without overlap')
    expect(advanceWith([{ ...first, low: 100.5 }])).toThrow('is impossible')
  })

  it('fills the finer klines of a coarse market with flat ones, and leaves gaps of its own interval open', () => {
    const hour = intervalMs('1h')
    const klines = [0, 2].map(index => ({
      ...(klinesOf([100, 110, 90, 105, 4])[0] as Kline),
      openTime: START + index * hour,
    }))
    const market = { type: 'klines', interval: '1h', klines } as const
    const caller = ExchangeCaller.open(replayOf([], { listings: [{ symbol: 'BTC/USDT', market }] }))
    caller.now = START + 2 * hour
    expect(klinesFrom(caller, 'interval=60min').map(({ openTime }) => openTime)).toEqual([
      START + 2 * hour,
      START,
    ])
    const minutes = klinesFrom(caller, `interval=1min&endTime=${START + 47 * MINUTE}`)
    expect(minutes).toHaveLength(48)
    expect(minutes.slice(0, 3).map(({ close, volume }) => [close, volume])).toEqual([
      [105, 0],
      [105, 0],
      [105, 1],
    ])
  })
})

describe('a generated market', () => {
  const config = {
    seed: 7,
    listings: [
      { symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: 3000 } } as const,
      { symbol: 'ETH/USDT', market: { type: 'generated', startPrice: 3000, historyKlines: 10 } } as const,
    ],
  }
  const open = (seed = 7) => {
    const caller = ExchangeCaller.open({ ...config, seed })
    caller.now = START + 30_500
    return caller
  }

  it('has its history when it opens, and ends with the minute that is forming', () => {
    const klines = klinesFrom(open(), 'interval=1min&limit=300')
    expect(klines.map(({ openTime }) => openTime)).toEqual(
      Array.from({ length: 300 }, (_, index) => START - index * MINUTE),
    )
    expect(klines.at(1)?.close).toBe(klines[0]?.open)
  })

  it.each([
    ['5min', '5m', 5],
    ['15min', '15m', 15],
    ['60min', '1h', 60],
  ] as const)('makes %s klines of the same prints as the minutes', (name, interval: Interval, minutes) => {
    const caller = open()
    const [, newestClosed] = klinesFrom(caller, `interval=${name}&limit=2`)
    if (newestClosed === undefined) throw new Error('unreachable')
    const { openTime, ...values } = newestClosed
    const window = `startTime=${openTime}&endTime=${openTime + intervalMs(interval) - 1}`
    const parts = klinesFrom(caller, `interval=1min&limit=300&${window}`).reverse()
    expect(parts).toHaveLength(minutes)
    expect(values).toEqual(combined(parts))
  })

  it('makes trades and ticker of the same prints as the klines', () => {
    const caller = open()
    const { list } = caller.get('/sapi/v2/trades?symbol=btcusdt&limit=1000').json
    const [, minute] = klinesFrom(caller, 'interval=1min')
    if (minute === undefined) throw new Error('unreachable')
    const { openTime, ...values } = minute
    const inside = list
      .filter(({ time }: { time: number }) => time >= openTime && time < openTime + MINUTE)
      .reverse()
    const asKlines = inside.map(({ price, qty, time }: { price: string; qty: string; time: number }) => {
      const value = Number(price)
      return { openTime: time, open: value, high: value, low: value, close: value, volume: Number(qty) }
    })
    expect(combined(asKlines)).toEqual(values)
    expect(list[0]).toMatchObject({ symbol: 'BTC/USDT', time: START + 30_000 })

    const ticker = caller.get('/sapi/v2/ticker?symbol=BTCUSDT').json
    expect(ticker).toMatchObject({ symbol: 'btcusdt', last: list[0].price })
    // At half a minute the last 24 hours hold the second half of one minute, 1439 whole ones and the first half of this one.
    const days = klinesFrom(caller, `interval=60min&limit=25&endTime=${START - 1}`)
    const whole = combined(days.slice(0, 23).reverse())
    expect(Number(ticker.high)).toBeGreaterThanOrEqual(whole.high)
    expect(Number(ticker.low)).toBeLessThanOrEqual(whole.low)
    expect(Number(ticker.vol)).toBeGreaterThan(whole.volume)
    expect(Number(ticker.vol)).toBeLessThan(combined(days.slice(0, 25).reverse()).volume)
    expect(Number(ticker.bidPrice)).toBeCloseTo(Number(ticker.last) - 0.01, 8)
    expect(Number(ticker.askPrice)).toBeCloseTo(Number(ticker.last) + 0.01, 8)
    expect(Number(ticker.rose)).toBeCloseTo(Number(ticker.last) / Number(ticker.open) - 1, 12)
  })

  it('lists tickers of all symbols, or of those asked for', () => {
    const names = (query: string) => {
      const all = open().get(`/sapi/v2/ticker${query}`).json
      return all.map(({ symbol }: { symbol: string }) => symbol)
    }
    expect(names('')).toEqual(['btcusdt', 'ethusdt'])
    expect(names('?symbols=ETHUSDT')).toEqual(['ethusdt'])
    expect(names('?symbols=eth/usdt,btcusdt')).toEqual(['ethusdt', 'btcusdt'])
  })

  it('answers an interval that spot does not have with nothing', () => {
    expect(open().get('/sapi/v2/klines?symbol=BTC/USDT&interval=1h').json).toEqual([])
  })

  it('is the same for the same seed, however often it is looked at, and another for another seed', () => {
    const story = (seed: number, looks: number) => {
      const caller = open(seed)
      const limit = caller.order('BUY', 'LIMIT', '0.01', '20000')
      for (let look = 1; look <= looks; look++) {
        caller.now = START + 30_500 + Math.floor((600_000 * look) / looks)
        caller.get('/sapi/v2/depth?symbol=BTC/USDT')
      }
      caller.order('BUY', 'MARKET', '100')
      const targets = ['depth', 'ticker', 'trades', 'myTrades', 'openOrders']
      return [limit.text, ...targets.map(name => caller.get(`/sapi/v2/${name}?symbol=BTC/USDT`).text)]
    }
    expect(story(7, 1)).toEqual(story(7, 100))
    expect(story(7, 1)).not.toEqual(story(8, 1))
  })

  it('has fat tails, clustered volatility and volume that follows volatility', () => {
    const simulated = createSimulatedExchange({
      listings: [{ symbol: 'BTC/USDT', market: { type: 'generated' } }],
    })
    simulated.advance(START)
    const klines = [...(simulated.state.markets[0]?.klines('1m', START) ?? [])].reverse()
    const returns = klines.map(({ open: first, close }) => Math.log(close / first))
    const squares = returns.map(value => value ** 2)
    const variance = mean(squares)
    expect(klines).toHaveLength(10_001)
    // 0.6 a year over 525,600 minutes is 0.00083 a minute.
    expect(Math.sqrt(variance)).toBeGreaterThan(0.0005)
    expect(Math.sqrt(variance)).toBeLessThan(0.0013)
    expect(mean(squares.map(value => value ** 2)) / variance ** 2).toBeGreaterThan(4)
    const sizes = returns.map(Math.abs)
    expect(correlation(sizes.slice(1), sizes.slice(0, -1))).toBeGreaterThan(0.05)
    expect(correlation(returns.slice(1), returns.slice(0, -1))).toBeLessThan(0.05)
    expect(
      correlation(
        sizes,
        klines.map(({ volume }) => volume),
      ),
    ).toBeGreaterThan(0.3)
  })
})

describe('what is remembered', () => {
  it('stays bounded: klines, prints, finished orders', () => {
    const caller = ExchangeCaller.open({
      listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: 30_000 } }],
    })
    const { state } = caller.exchange
    caller.exchange.advance(START)
    const [market] = state.markets
    const [user] = state.users
    if (market === undefined || user === undefined) throw new Error('unreachable')
    expect([...market.klines('1m', START)]).toHaveLength(10_001)
    expect(market.tape.size).toBeLessThanOrEqual(5761)
    const size = { unit: 'quote', amount: 10n ** 18n } as never
    const draft = {
      instrument: market.instrument,
      side: 'buy',
      type: 'MARKET',
      size,
      price: undefined,
    } as const
    const first = state.place(user, { ...draft, clientOrderId: 'first' })
    for (let count = 0; count < 9_999; count++) state.place(user, { ...draft, clientOrderId: undefined })
    expect(user.history.byClientId('first')).toBe(first)
    const last = state.place(user, { ...draft, clientOrderId: undefined })
    expect([user.history.byId(first.id), user.history.byClientId('first')]).toEqual([undefined, undefined])
    expect(user.history.byId(last.id)).toBe(last)
    expect(user.history.trades().toArray()).toHaveLength(10_000)
  })
})

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}

function correlation(left: readonly number[], right: readonly number[]): number {
  const [meanLeft, meanRight] = [mean(left), mean(right)]
  const product = mean(left.map((value, index) => (value - meanLeft) * ((right[index] ?? 0) - meanRight)))
  const deviation = (values: readonly number[], average: number) =>
    Math.sqrt(mean(values.map(v => (v - average) ** 2)))
  return product / (deviation(left, meanLeft) * deviation(right, meanRight))
}

describe('the record of a market', () => {
  it('leaves the record of the market as it is without users', () => {
    const klines = klinesOf([100, 102, 99, 101], [101, 103, 98, 99], [99, 100, 99, 100])
    const record = (withOrders: boolean) => {
      const simulated = createSimulatedExchange(replayOf(klines))
      simulated.advance(START)
      const [user] = simulated.state.users
      const [listed] = simulated.state.markets
      if (user === undefined || listed === undefined) throw new Error('unreachable')
      const size = { unit: 'base', quantity: steps(500_000) } as const
      const draft = {
        instrument: listed.instrument,
        side: 'sell',
        type: 'MARKET',
        size,
        price: undefined,
      } as const
      if (withOrders) simulated.state.place(user, { ...draft, clientOrderId: undefined })
      simulated.advance(START + 3 * MINUTE)
      return [[...listed.tape.trades()], [...listed.klines('1m', simulated.state.now)]]
    }
    expect(record(true)).toEqual(record(false))
  })
})
