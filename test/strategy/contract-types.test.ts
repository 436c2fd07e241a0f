import { expect, it } from 'vitest'
import {
  cancelEntries,
  choice,
  compose,
  defineStrategy,
  depth,
  enterLong,
  enterShort,
  every,
  exit,
  funding,
  indexPrice,
  integer,
  klines,
  maxTradesPerDay,
  of,
  protect,
  sma,
  targetPosition,
  ticker,
  timeStop,
  trades,
} from '../../src/strategy/index.ts'

const parameters = {
  window: integer({ default: 5, min: 1, max: 100, description: 'Klines in the average.' }),
  side: choice({ default: 'long', options: ['long', 'short'], description: 'Which way.' }),
}

/** Everything, used with its exact type. */
const complete = defineStrategy({
  name: 'complete',
  parameters,
  markets: ['hedge'],
  feeds: ({ window }) => ({
    daily: klines({ interval: '1d' }),
    other: klines({ market: 'hedge' }),
    book: depth({ levels: window, everyMs: 1000 }),
    tape: trades({ everyMs: 1000 }),
    quote: ticker({ market: 'hedge', everyMs: 500 }),
    mark: indexPrice({ everyMs: 10_000 }),
    paid: funding(),
  }),
  timers: { rebalance: every('1d') },
  indicators: ({ window }) => ({ fast: sma(window), trend: of('daily', sma(200)) }),
  state: { version: 2, make: () => ({ count: 0 }), migrate: old => ({ count: Number(old) }) },
  history: ({ window }) => window,
  onStart: ({ state }) => {
    state.count++
    return undefined
  },
  onKline(kline, { parameters: { side }, indicators, markets, feeds, state, history, balance, price }) {
    const known: 'long' | 'short' = side
    const numbers: number =
      indicators.fast.value +
      indicators.trend.previous +
      markets.hedge.price +
      markets.hedge.position.quantity +
      (feeds.daily.latest?.close ?? 0) +
      (feeds.book.latest?.bids[0]?.price ?? 0) +
      (feeds.tape.latest?.quantity ?? 0) +
      (feeds.quote.latest?.last ?? 0) +
      (feeds.mark.latest?.mark ?? 0) +
      (feeds.paid.latest?.rate ?? 0) +
      (history.at(-1)?.close ?? 0) +
      balance('USDT') +
      state.count
    return numbers > kline.close + price && known === 'long'
      ? [enterLong({ size: { base: 1 } }), enterShort({ market: 'hedge', size: { base: 1 } })]
      : undefined
  },
  on: {
    daily: ({ close }, { markets }) => (close > markets.hedge.price ? exit({ market: 'hedge' }) : undefined),
    book: ({ asks }) => (asks.length === 0 ? cancelEntries() : undefined),
    rebalance: (time, { state }) =>
      time > state.count ? targetPosition({ base: 1 }, { market: 'hedge' }) : undefined,
  },
  onFill: ({ market }) => (market === 'hedge' ? protect({ market: 'hedge', stopLoss: 90 }) : undefined),
  onStop: () => exit(),
})

/** Feeds of parameters, and no timers: handlers know the types of both all the same. */
const quoter = defineStrategy({
  name: 'quoter',
  parameters,
  feeds: ({ window }) => ({ book: depth({ levels: window, everyMs: 1000 }) }),
  on: {
    book(shown, { parameters: { side } }) {
      const known: 'long' | 'short' = side
      const price: number | undefined = shown.bids[0]?.price
      return known === 'long' && price !== undefined ? enterLong({ size: { base: 1 } }) : undefined
    },
  },
})

it('lets a strategy declare everything in one place', () => {
  expect(Object.keys(complete.feeds({}))).toEqual([
    ...['daily', 'other', 'book', 'tape', 'quote', 'mark', 'paid'],
  ])
  expect(complete.markets).toEqual(['hedge'])
  expect(complete.timers).toEqual({ rebalance: { type: 'timer', period: '1d' } })
})

it('gives the handlers of feeds their types where feeds take parameters and there are no timers', () => {
  expect(Object.keys(quoter.feeds({ window: 3 }))).toEqual(['book'])
})

/** Every line below an expected error must be one, or `tsc` fails. */
it('lets the compiler refuse every misspelt name', () => {
  expect(mistakes).toThrow()
})

function mistakes(): void {
  const daily = () => ({ daily: klines({ interval: '1d' }) })
  // @ts-expect-error: a misspelt part
  defineStrategy({ name: 'x', onKlines: () => undefined })
  // @ts-expect-error: a misspelt parameter
  defineStrategy({ name: 'x', parameters, onKline: (_kline, { parameters: { windov } }) => void windov })
  // @ts-expect-error: a parameter that neither a strategy nor what is put around it has
  compose(complete, { name: 'x', parts: ({ windov }) => [timeStop({ klines: windov })] })
  // @ts-expect-error: a misspelt option of a parameter of the strategy
  compose(complete, { name: 'x', parts: ({ side }) => (side === 'shrot' ? [] : [maxTradesPerDay(1)]) })
  // @ts-expect-error: a misspelt role of a feed
  defineStrategy({ name: 'x', markets: ['hedge'], feeds: () => ({ other: klines({ market: 'hegde' }) }) })
  // @ts-expect-error: an interval that is none
  klines({ interval: '2d' })
  // @ts-expect-error: a misspelt field of a feed
  depth({ levels: 5, everyMS: 1000 })
  // @ts-expect-error: a period that is none
  every('1 day')
  // @ts-expect-error: an indicator of a misspelt feed
  defineStrategy({ name: 'x', feeds: daily, indicators: () => ({ trend: of('dialy', sma(2)) }) })
  // @ts-expect-error: a misspelt feed in the context
  defineStrategy({ name: 'x', feeds: daily, onKline: (_kline, { feeds }) => void feeds.dialy })
  // @ts-expect-error: a handler of a misspelt feed
  defineStrategy({ name: 'x', feeds: daily, on: { dialy: () => undefined } })
  // @ts-expect-error: a handler of a misspelt timer
  defineStrategy({ name: 'x', timers: { rebalance: every('1d') }, on: { rebalanse: () => undefined } })
  // @ts-expect-error: a handler of a feed that there is not
  defineStrategy({ name: 'x', on: { daily: () => undefined } })
  // @ts-expect-error: a misspelt field of what a feed shows
  defineStrategy({ name: 'x', feeds: daily, on: { daily: kline => void kline.clsoe } })
  // @ts-expect-error: a signal for a misspelt role
  defineStrategy({ name: 'x', markets: ['hedge'], onKline: () => enterLong({ market: 'hegde' }) })
  // @ts-expect-error: a signal for a role of a strategy that has none
  defineStrategy({ name: 'x', onKline: () => exit({ market: 'hedge' }) })
  // @ts-expect-error: a misspelt role in the context
  defineStrategy({ name: 'x', markets: ['hedge'], onKline: (_kline, { markets }) => void markets.hegde })
  // @ts-expect-error: a misspelt field of a signal
  defineStrategy({ name: 'x', onKline: () => enterLong({ sise: { base: 1 } }) })
  // @ts-expect-error: a state without a version
  defineStrategy({ name: 'x', state: { make: () => ({}) } })
}
