import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TopOfBook } from '../../../src/domain/market-data/top-of-book.ts'
import type { Trade } from '../../../src/domain/market-data/trade.ts'
import { readTopOfBookFile, readTradeFile } from '../../../src/klines/formats/read-tick-file.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { ExchangeCaller, MINUTE, replayOf, START } from '../exchange-caller.ts'

const DAY = 1440 * MINUTE
const DAY_FILE = 'hftbacktest-binanceusdm-btcusdt-20240808'
/** Wire names and lengths; 1 January 2024 is a Monday, so that these intervals all begin with it. */
const INTERVALS = { '1min': 1, '5min': 5, '15min': 15, '30min': 30, '60min': 60, '1day': 1440 } as const

function openWith(trades: readonly Trade[], quotes?: readonly TopOfBook[]): ExchangeCaller {
  const market = { type: 'ticks', trades, ...(quotes && { quotes }) } as const
  return ExchangeCaller.open(replayOf([], { listings: [{ symbol: 'BTC/USDT', market }] }))
}

/** Whole hundredths and hundred-thousandths, so that sums are exact. */
const cents = (price: number) => Math.round(price * 100)
const parts = (quantity: number) => Math.round(quantity * 1e5)

function klineOf(openTime: number, trades: readonly Trade[]) {
  const prices = trades.map(({ price }) => price)
  return {
    idx: openTime,
    open: prices[0]?.toFixed(2),
    high: Math.max(...prices).toFixed(2),
    low: Math.min(...prices).toFixed(2),
    close: prices.at(-1)?.toFixed(2),
    vol: (trades.reduce((sum, { quantity }) => sum + parts(quantity), 0) / 1e5).toFixed(5),
  }
}

/** Newest first. */
function klinesOf(trades: readonly Trade[], minutes: number) {
  const openTimeOf = ({ time }: Trade) => time - (time % (minutes * MINUTE))
  const groups = Map.groupBy(trades, openTimeOf)
  return [...groups].map(([openTime, group]) => klineOf(openTime, group)).reverse()
}

/** Everything the exchange says about the market must follow from the trades up to now. */
function expectAgreement(caller: ExchangeCaller, all: readonly Trade[]): void {
  const seen = all.filter(({ time }) => time <= caller.now)
  const day = seen.filter(({ time }) => time > caller.now - DAY)
  for (const [name, minutes] of Object.entries(INTERVALS)) {
    const served = caller.get(`/sapi/v2/klines?symbol=BTC/USDT&interval=${name}&limit=300`).json
    expect(served).toEqual(klinesOf(seen, minutes).slice(0, 300))
  }
  const { list } = caller.get('/sapi/v2/trades?symbol=BTC/USDT&limit=1000').json
  const latest = seen.filter(({ quantity }) => quantity > 0).slice(-1000)
  const sold = latest.map(({ time, price, quantity, side }) => [time, cents(price), parts(quantity), side])
  expect(
    list.map(({ time, price, qty, side }: Record<'time' | 'price' | 'qty' | 'side', string>) => [
      time,
      cents(Number(price)),
      parts(Number(qty)),
      side.toLowerCase(),
    ]),
  ).toEqual(sold.reverse())
  const ticker = caller.get('/sapi/v2/ticker?symbol=BTC/USDT').json
  const { high, low, close, open, vol } = klineOf(0, day.length === 0 ? seen.slice(-1) : day)
  const turnover = day.reduce((sum, { price, quantity }) => sum + cents(price) * parts(quantity), 0)
  expect(ticker).toMatchObject({ high, low, open, last: close, ...(day.length > 0 && { vol }) })
  expect(Math.round(Number(ticker.amount) * 1e7)).toBe(turnover)

  const { bids, asks } = caller.get('/sapi/v2/depth?symbol=BTC/USDT').json
  expect([ticker.bidPrice, ticker.askPrice]).toEqual([bids[0][0], asks[0][0]])
  expect(Number(bids[0][0])).toBeLessThan(Number(asks[0][0]))
  const feed = caller.get('/v2/pub/summary').json.data.BTC_USDT
  expect(feed).toMatchObject({ last: ticker.last, high24hr: ticker.high, low24hr: ticker.low })
  expect(feed).toMatchObject({ baseVolume: ticker.vol, quoteVolume: ticker.amount })
  expect([feed.highestBid, feed.lowestAsk]).toEqual([bids[0][0], asks[0][0]])
}

const pause = fc.oneof(fc.nat(50), fc.nat(MINUTE), fc.nat(DAY), fc.constantFrom(MINUTE, 60 * MINUTE))
const tick = fc.record({
  pause,
  price: fc.integer({ min: 9000, max: 11_000 }),
  quantity: fc.nat(1e6),
  isSale: fc.boolean(),
})
const topOfBook = fc.record({
  pause,
  bid: fc.integer({ min: 9000, max: 11_000 }),
  width: fc.integer({ min: 1, max: 9 }),
})

function tradesOf(
  ticks: readonly { pause: number; price: number; quantity: number; isSale: boolean }[],
): Trade[] {
  let time = START
  return ticks.map(({ pause: waited, price, quantity, isSale }) => {
    time += waited
    return { time, price: price / 100, quantity: quantity / 1e5, side: isSale ? 'sell' : 'buy' }
  })
}

function quotesOf(rows: readonly { pause: number; bid: number; width: number }[]): TopOfBook[] {
  let time = START
  return rows.map(({ pause: waited, bid, width }) => {
    time += waited
    return { time, bid: bid / 100, bidQuantity: 2, ask: (bid + width) / 100, askQuantity: 3 }
  })
}

describe('a market of recorded ticks', () => {
  it('says one thing in its klines, trades, ticker, depth and feeds', () => {
    const ticks = fc.array(tick, { minLength: 1, maxLength: 30 })
    const looks = fc.array(fc.nat(3 * DAY), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(ticks, fc.array(topOfBook, { maxLength: 10 }), looks, (rows, tops, times) => {
        const trades = tradesOf(rows)
        const caller = openWith(trades, tops.length === 0 ? undefined : quotesOf(tops))
        for (const time of times.toSorted((a, b) => a - b)) {
          caller.now = (trades[0]?.time ?? START) + time
          expectAgreement(caller, trades)
        }
      }),
      { numRuns: 60 },
    )
  })

  const trade = (offset: number, price: number): Trade => ({
    time: START + offset,
    price,
    quantity: 1,
    side: 'buy',
  })
  const top = (offset: number, bid: number, ask: number): TopOfBook => ({
    ...{ time: START + offset, bid, bidQuantity: 0.5, ask, askQuantity: 0.25 },
  })
  const best = (caller: ExchangeCaller, offset: number) => {
    caller.now = START + offset
    const { bids, asks } = caller.get('/sapi/v2/depth?symbol=BTC/USDT&limit=1').json
    return [...bids[0], ...asks[0]]
  }

  it('is quoted at the recorded best bid and ask, in their sizes', () => {
    const caller = openWith([trade(0, 100), trade(500, 103)], [top(100, 99.9, 100), top(200, 99.5, 100.1)])
    expect(best(caller, 50).filter((_, index) => index % 2 === 0)).toEqual(['99.99', '100.01'])
    expect(best(caller, 100)).toEqual(['99.90', '0.50000', '100.00', '0.25000'])
    expect(best(caller, 499)).toEqual(['99.50', '0.50000', '100.10', '0.25000'])
    // A trade outside the quotes shows that they are late.
    expect(best(caller, 500)).toEqual(['99.50', '0.50000', '103.00', '0.25000'])
    // Contracts that follow the pair hear of its trades, not of its quotes.
    const { contracts } = caller.exchange.futures
    const follower = contracts.find(({ follows }) => follows?.symbol === 'BTC/USDT')
    expect([follower?.tape.count, caller.exchange.state.markets[0]?.tape.count]).toEqual([2, 2])
  })

  it('takes its quotes along in a price shock', () => {
    const caller = openWith([trade(0, 100)], [top(0, 99, 101), top(2000, 109, 111)])
    best(caller, 1)
    caller.exchange.stage({ type: 'shock', time: START + 1000, symbol: 'BTC/USDT', price: '10' })
    expect(best(caller, 1000)).toEqual(['9.90', '0.50000', '10.10', '0.25000'])
    expect(best(caller, 2000)).toEqual(['10.90', '0.50000', '11.10', '0.25000'])
  })

  it('fills orders that its trades go through or its quotes meet, at their times', () => {
    const caller = openWith([trade(0, 100), trade(300, 98)], [top(100, 99.9, 100.1), top(200, 98.9, 99)])
    best(caller, 100)
    const [met, passed, touched] = ['99', '98.5', '98'].map(price => caller.order('BUY', 'LIMIT', '1', price))
    if (met === undefined || passed === undefined || touched === undefined) throw new Error('unreachable')
    const states = () => [met, passed, touched].map(order => caller.find(order).json.status)
    expect(states()).toEqual(['NEW', 'NEW', 'NEW'])
    caller.now = START + 299
    expect(states()).toEqual(['FILLED', 'NEW', 'NEW'])
    caller.now = START + 400
    expect(states()).toEqual(['FILLED', 'FILLED', 'NEW'])
    expect(
      caller.trades().json.map(({ price, time }: { price: string; time: number }) => [price, time]),
    ).toEqual([
      ['98.50', START + 300],
      ['99.00', START + 200],
    ])
  })

  it('is the same however often it is looked at', () => {
    const trades = Array.from({ length: 200 }, (_, index) =>
      trade(index * 100, 100 + ((index * 37) % 11) / 10),
    )
    const quotes = Array.from({ length: 400 }, (_, index) => {
      const bid = 99.8 + ((index * 53) % 13) / 10
      return top(index * 50, bid, bid + 0.3)
    })
    const story = (looks: number) => {
      const caller = openWith(trades, quotes)
      best(caller, 1)
      for (const price of ['99.9', '100.2', '99']) caller.order('BUY', 'LIMIT', '0.7', price)
      for (const price of ['100.6', '101.4']) caller.order('SELL', 'LIMIT', '0.7', price)
      for (let look = 1; look <= looks; look++) best(caller, Math.floor((20_000 * look) / looks))
      const targets = ['/sapi/v2/depth', '/sapi/v2/ticker', '/sapi/v2/myTrades', '/sapi/v2/openOrders']
      return targets.map(target => caller.get(`${target}?symbol=BTC/USDT`).text)
    }
    expect(story(1)).toEqual(story(333))
    expect(JSON.parse(story(1)[2] ?? '[]').length).toBeGreaterThan(2)
  })

  it.each([
    [[trade(1, 100), trade(0, 100)], [], 'ascend by time'],
    [[trade(0, 0)], [], 'is impossible'],
    [[trade(0, 100)], [top(0, 100, 100)], 'is impossible'],
    [[trade(0, 100)], [top(0, 99.999, 100)], 'is impossible'],
    [[trade(0, 100)], [top(1, 99, 100), top(0, 99, 100)], 'ascend by time'],
  ])('refuses rows that cannot be: %#', (trades, quotes, message) => {
    expect(() =>
      openWith(trades, quotes.length === 0 ? undefined : quotes).exchange.advance(START + DAY),
    ).toThrow(message)
  })

  it.skipIf(!hasShared('data', `${DAY_FILE}-trades.csv.gz`))(
    'agrees with six real minutes of trades and quotes',
    async () => {
      const trades = await readTradeFile(sharedPath('data', `${DAY_FILE}-trades.csv.gz`))
      const quotes = await readTopOfBookFile(sharedPath('data', `${DAY_FILE}-booktop.csv.gz`))
      const caller = openWith(trades, quotes)
      const [begin, end] = [trades[0]?.time ?? 0, trades.at(-1)?.time ?? 0]
      for (let time = begin + 1000; time < end; time += 61_003) {
        caller.now = time
        expectAgreement(caller, trades)
        const { bids, asks } = caller.get('/sapi/v2/depth?symbol=BTC/USDT&limit=1').json
        const top = quotes.findLast(quote => quote.time <= time)
        const last = trades.findLast(trade => trade.time <= time)
        expect(Math.abs(Number(bids[0][0]) - (top?.bid ?? 0))).toBeLessThanOrEqual(0.1)
        expect(Number(bids[0][0])).toBeLessThan((last?.price ?? 0) + 5)
        expect(Number(asks[0][0])).toBeGreaterThan((last?.price ?? 0) - 5)
      }
      expect(end - begin).toBeGreaterThan(5 * MINUTE)
    },
  )
})
