import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../../src/domain/orders/order-request.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import {
  defineStrategy,
  enterLong,
  every,
  klines,
  type Strategy,
  ticker,
} from '../../../src/strategy/index.ts'
import { MARGIN } from '../engine-session.ts'

const MINUTE = 60_000
const ETH = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }

/** An engine whose strategy orders on its own market in every handler, with the time that it sees there. */
function talkative() {
  const seen: (readonly [handler: string, time: number])[] = []
  const entry = (handler: string, time: number) => {
    seen.push([handler, time])
    return enterLong({ scaleIn: true, tag: handler })
  }
  const strategy = defineStrategy({
    name: 'talkative',
    markets: ['b'],
    feeds: () => ({
      five: klines({ interval: '5m' }),
      other: klines({ market: 'b', interval: '5m' }),
      quote: ticker({ everyMs: 1000 }),
    }),
    timers: { often: every('5m') },
    onKline: (_kline, { time }) => entry('own', time),
    onFill: (_fill, { time }) => void seen.push(['fill', time]),
    on: {
      five: (_kline, { time }) => entry('five', time),
      other: (_kline, { time }) => entry('other', time),
      often: (_at, { time }) => entry('often', time),
      quote: (_quote, { time }) => entry('quote', time),
    },
  })
  return { seen, ...botOf(strategy) }
}

/** A bot of a strategy on BTC/USDT, with ETH/USDT as `b`. */
function botOf(strategy: Strategy) {
  const placed: OrderRequest[] = []
  const ledger = new Ledger([MARGIN, ETH], [['USDT', amountOf('1000000')]])
  const traded = {
    ...{ strategy, parameters: {}, symbol: 'BTC/USDT', size: { base: 1 }, interval: '1m' as const },
    markets: { b: { symbol: 'ETH/USDT' } },
  }
  const engine = new Engine({ bot: 'test', ledger, strategies: [traded] })
  const process = (event: EngineEvent): readonly OrderRequest[] => {
    const requests = engine
      .process(event)
      .flatMap(output => (output.type === 'placeOrder' ? [output.request] : []))
    placed.push(...requests)
    return requests
  }
  return { placed, process }
}

type Bot = ReturnType<typeof botOf>

function kline(symbol: string, interval: Interval, openTime: number): EngineEvent {
  const shown = { openTime, open: 100, high: 100, low: 100, close: 100, volume: 1 }
  return { type: 'klineClosed', symbol, interval, kline: shown }
}

/** The exchange submits and accepts an order, and fills it, at `time`. */
function execute({ process }: Bot, request: OrderRequest, time: number, price = request.referencePrice) {
  const { clientOrderId, symbol, side, quantity } = request
  for (const event of ['submitted', 'accepted'] as const)
    process({ type: 'orderUpdated', clientOrderId, event, time })
  const fill = { id: clientOrderId, clientOrderId, symbol, side, quantity, price, fee: amountOf('0') }
  process({ type: 'filled', fill: { ...fill, feeAsset: 'USDT', liquidity: 'taker', time } })
}

/** All that closes at five minutes, in the order in which it is shown, after four klines of before. */
const BEFORE = [0, 1, 2, 3].flatMap(minute => [
  kline('ETH/USDT', '1m', minute * MINUTE),
  kline('BTC/USDT', '1m', minute * MINUTE),
])
const FIVE = kline('BTC/USDT', '5m', 0)
const OTHER = kline('ETH/USDT', '5m', 0)
const MINUTES = [kline('ETH/USDT', '1m', 4 * MINUTE), kline('BTC/USDT', '1m', 4 * MINUTE)]
const CLOSE = 5 * MINUTE

describe('market time', () => {
  it('is the close for every handler of a moment, whatever happened to the orders of those before', () => {
    const [live, played] = [talkative(), talkative()]
    for (const event of BEFORE) for (const bot of [live, played]) bot.process(event)
    for (const bot of [live, played]) bot.seen.length = 0
    let late = CLOSE
    for (const event of [FIVE, OTHER, ...MINUTES]) {
      played.process(event)
      for (const request of live.process(event)) {
        late += 20_000
        execute(live, request, late)
      }
    }
    const asked = ['five', 'other', 'own', 'often'].map(handler => [handler, CLOSE])
    expect(played.seen).toEqual(asked)
    expect(live.seen.filter(([handler]) => handler !== 'fill')).toEqual(asked)
    // A backtest fills all orders after the moment: both name and date them alike.
    expect(live.placed).toEqual(played.placed)
  })

  it('is the close of a kline that is shown after a later one, and its orders are numbered on', () => {
    const bot = talkative()
    for (const event of BEFORE) bot.process(event)
    for (const event of [FIVE, ...MINUTES, kline('BTC/USDT', '1m', 5 * MINUTE)])
      for (const request of bot.process(event)) execute(bot, request, CLOSE + 73_000)
    const [request] = bot.process(OTHER) as readonly [OrderRequest]
    expect(bot.seen.at(-1)).toEqual(['other', CLOSE])
    expect(request.decidedAt).toBe(CLOSE)
    // The order of the feed, of the own kline and of the timer of that moment came before it.
    expect(request.clientOrderId).toMatch(/-3$/)
    expect(new Set(bot.placed.map(({ clientOrderId }) => clientOrderId)).size).toBe(bot.placed.length)
  })

  it('goes on with events from the latest of them after a kline that was shown late', () => {
    const bot = talkative()
    for (const event of BEFORE) bot.process(event)
    const [first] = bot.process(FIVE) as readonly [OrderRequest]
    const { clientOrderId } = first
    for (const [event, time] of [
      ['submitted', CLOSE + 500],
      ['accepted', CLOSE + 3000],
    ] as const)
      bot.process({ type: 'orderUpdated', clientOrderId, event, time })
    const [second] = bot.process(OTHER) as readonly [OrderRequest]
    execute(bot, second, CLOSE + 2000)
    expect(bot.seen.at(-1)).toEqual(['fill', CLOSE + 3000])
    const quote = { time: CLOSE + 2500, last: 100, bid: 100, ask: 100, high: 100, low: 100, volume: 1 }
    bot.process({ type: 'tickerSeen', symbol: 'BTC/USDT', ticker: quote })
    expect(bot.seen.slice(-2)).toEqual(['quote', 'often'].map(handler => [handler, CLOSE + 3000]))
  })
})

describe('the prices of a moment', () => {
  it('are its closes for every handler, whatever orders of those before have traded at', () => {
    const seen: (readonly [handler: string, own: number, b: number])[] = []
    const strategy = defineStrategy({
      name: 'pricing',
      markets: ['b'],
      feeds: () => ({ five: klines({ interval: '5m' }), other: klines({ market: 'b', interval: '5m' }) }),
      timers: { often: every('5m') },
      onKline: (_kline, { price, markets }) => void seen.push(['own', price, markets.b.price]),
      on: {
        five: (_kline, { price, markets }) => {
          seen.push(['five', price, markets.b.price])
          return [enterLong(), enterLong({ market: 'b' })]
        },
        other: (_kline, { price, markets }) => void seen.push(['other', price, markets.b.price]),
        often: (_at, { price, markets }) => void seen.push(['often', price, markets.b.price]),
      },
    })
    const bot = botOf(strategy)
    for (const event of BEFORE) bot.process(event)
    const closes = [['BTC/USDT', 100] as const, ['ETH/USDT', 100] as const]
    bot.process({ type: 'pricesSeen', prices: [], closes, closeTime: CLOSE, time: CLOSE + 300 })
    seen.length = 0
    // Both trade at 50.00 before the next handler is asked.
    const placed = bot.process(FIVE)
    for (const request of placed) execute(bot, request, CLOSE + 500, ticks(5000))
    for (const event of [OTHER, ...MINUTES]) bot.process(event)
    expect(placed.length).toBe(2)
    expect(seen).toEqual(['five', 'other', 'own', 'often'].map(handler => [handler, 100, 100]))
  })
})
