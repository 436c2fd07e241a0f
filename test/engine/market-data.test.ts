import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { Engine } from '../../src/engine/engine.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import {
  defineStrategy,
  depth,
  enterLong,
  exit,
  funding,
  indexPrice,
  klines,
  protect,
  type Strategy,
  sma,
  ticker,
  trades,
} from '../../src/strategy/index.ts'
import { EngineSession, MARGIN } from './engine-session.ts'

const MINUTE = 60_000
const ETH = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }
const [BTC_USDT, ETH_USDT] = [MARGIN.symbol, ETH.symbol]

type Seat = readonly [strategy: Strategy, interval: Interval, markets?: Readonly<Record<string, string>>]

/** An engine of strategies on BTC/USDT. */
function engineOf(...seats: readonly Seat[]): Engine {
  const ledger = new Ledger([MARGIN, ETH], [['USDT', amountOf('100000')]])
  const strategies = seats.map(([strategy, interval, markets = {}]) => ({
    ...{ strategy, parameters: {}, symbol: BTC_USDT, interval, size: { base: 1 } },
    markets: Object.fromEntries(Object.entries(markets).map(([role, symbol]) => [role, { symbol }])),
  }))
  return new Engine({ bot: 'test', ledger, strategies })
}

function klineAt(openTime: number, price: number): Kline {
  return { openTime, open: price, high: price, low: price, close: price, volume: 1 }
}

const QUOTE = { time: 61_000, last: 101, bid: 100, ask: 102, high: 110, low: 90, volume: 5 }
const LEVELS = {
  time: 62_000,
  bids: [{ price: 102, quantity: 1 }],
  asks: [{ price: 104, quantity: 1 }],
}
const TRADE = { time: 63_000, price: 105, quantity: 2, side: 'sell' } as const
const INDEX = { time: 64_000, index: 99, mark: 98, fundingRate: 0.0001 }
const FUNDING = { time: 65_000, rate: 0.0002 }

/** Each kind of datum, what it shows, and what its instrument costs from then on: the middle of a book, and 100 as before of what tells no price. */
const KINDS: readonly (readonly [string, (symbol: string) => EngineEvent, unknown, number])[] = [
  ['quote', symbol => ({ type: 'tickerSeen', symbol, ticker: QUOTE }), QUOTE, 101],
  ['book', symbol => ({ type: 'depthSeen', symbol, depth: LEVELS }), LEVELS, 103],
  ['tape', symbol => ({ type: 'publicTradeSeen', symbol, trade: TRADE }), TRADE, 105],
  ['index', symbol => ({ type: 'indexPriceSeen', symbol, indexPrice: INDEX }), INDEX, 100],
  ['rates', symbol => ({ type: 'fundingRateSeen', symbol, fundingRate: FUNDING }), FUNDING, 100],
]

/** Follows every kind of datum of ETH/USDT, and notes what its handlers are shown. */
function watching() {
  const shown: unknown[] = []
  const of = { market: 'other', everyMs: 1000 } as const
  const note =
    (name: string) =>
    (
      datum: unknown,
      { time, markets }: { readonly time: number; readonly markets: { other: { price: number } } },
    ) => {
      shown.push([name, datum, time, markets.other.price])
      return undefined
    }
  const strategy = defineStrategy({
    name: 'watching',
    markets: ['other'],
    feeds: () => ({
      ...{ quote: ticker(of), book: depth({ ...of, levels: 1 }), tape: trades(of) },
      ...{ index: indexPrice(of), rates: funding({ market: 'other' }) },
    }),
    on: Object.fromEntries(KINDS.map(([name]) => [name, note(name)])),
  })
  return { strategy, shown }
}

describe('a datum of a followed instrument', () => {
  it.each(KINDS)(
    'is shown to its handler, at its own time, and as a price where it says one: %s',
    (...kind) => {
      const [name, event, datum, price] = kind
      const { strategy, shown } = watching()
      const engine = engineOf([strategy, '1m', { other: ETH_USDT }])
      for (const symbol of [ETH_USDT, BTC_USDT])
        engine.process({ type: 'klineClosed', symbol, interval: '1m', kline: klineAt(0, 100) })
      expect(engine.process(event(BTC_USDT))).toEqual([])
      expect(shown).toEqual([])
      expect(engine.process(event(ETH_USDT))).toEqual([])
      expect(shown).toEqual([[name, datum, (datum as { time: number }).time, price]])
    },
  )

  it.each([
    ['bids', { ...LEVELS, bids: [] }],
    ['asks', { ...LEVELS, asks: [] }],
  ])('changes no price where its book has no %s', (_side, book) => {
    const { strategy, shown } = watching()
    const engine = engineOf([strategy, '1m', { other: ETH_USDT }])
    engine.process({ type: 'klineClosed', symbol: ETH_USDT, interval: '1m', kline: klineAt(0, 100) })
    engine.process({ type: 'depthSeen', symbol: ETH_USDT, depth: book })
    expect(shown).toEqual([['book', book, 62_000, 100]])
  })

  it('counts as a best price since an entry, from which a trailing stop goes on', () => {
    const session = new EngineSession(
      defineStrategy({
        name: 'following',
        feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
        state: () => ({ row: 0 }),
        onKline: (_kline, { state }) =>
          state.row++ === 0 ? enterLong() : protect({ trailingStop: { distance: 5 } }),
        on: { quote: () => undefined },
      }),
    )
    session.kline(100)
    session.fill(1, 100)
    for (const last of [112, 104])
      session.process({ type: 'tickerSeen', symbol: BTC_USDT, ticker: { ...QUOTE, last } })
    expect(session.kline(106)).toEqual(['trailingStop sell 1 trailing 5 from 112 reduceOnly'])
  })
})

describe('what strategies follow', () => {
  const idle = (name: string, feeds: () => Record<string, ReturnType<typeof klines>>, warmUp = 0) =>
    defineStrategy({ name, feeds, warmUp: () => warmUp, onKline: () => undefined })

  it('is each stream of klines once, feeds of a strategy before its own', () => {
    const slow = idle('slow', () => ({ hours: klines({ interval: '1h' }) }))
    const pair = defineStrategy({ name: 'pair', markets: ['other'], onKline: () => undefined })
    const engine = engineOf([slow, '1m'], [slow, '5m'], [pair, '1m', { other: ETH_USDT }])
    expect(engine.klineStreams).toEqual([
      { symbol: BTC_USDT, interval: '1h' },
      { symbol: BTC_USDT, interval: '1m' },
      { symbol: BTC_USDT, interval: '5m' },
      { symbol: ETH_USDT, interval: '1m' },
    ])
  })

  it('needs as many klines before the first decision as who follows it needs most', () => {
    const averaging = defineStrategy({
      name: 'averaging',
      feeds: () => ({ hours: klines({ interval: '1h' }) }),
      indicators: () => ({ mean: sma(20) }),
      onKline: () => undefined,
    })
    const engine = engineOf([averaging, '1m'], [idle('idle', () => ({}), 7), '1m'])
    expect(engine.warmUpOf(BTC_USDT, '1m')).toBe(20)
    // A feed that nothing is computed of still shows its latest kline.
    expect(engine.warmUpOf(BTC_USDT, '1h')).toBe(1)
    expect(() => engine.warmUpOf(ETH_USDT, '1m')).toThrow('No strategy follows the 1m klines of ETH/USDT.')
  })

  it('tells whether anybody wants to know when trading begins and ends', () => {
    const plain = idle('plain', () => ({}))
    const [starts, stops] = [
      defineStrategy({ name: 'starts', onStart: () => undefined }),
      defineStrategy({ name: 'stops', onStop: () => undefined }),
    ]
    for (const [strategies, has] of [
      [[plain], false],
      [[plain, starts], true],
      [[stops, plain], true],
    ] as const)
      expect(engineOf(...strategies.map(one => [one, '1m'] as const)).hasSessions).toBe(has)
  })
})

describe('a replay that shows each book what it has to see next', () => {
  /** Follows 5-minute klines and quotes of its own instrument, and the klines of a role, and says what it saw by its tags. */
  const talking = () =>
    defineStrategy({
      name: 'talking',
      markets: ['other'],
      feeds: () => ({ slow: klines({ interval: '5m' }), quote: ticker({ everyMs: 1000 }) }),
      onKline: ({ close }, { markets, time }) =>
        enterLong({ scaleIn: true, tag: `${time} own ${close}, other ${markets.other.price}` }),
      on: {
        slow: ({ close }, { time }) => enterLong({ scaleIn: true, tag: `${time} slow ${close}` }),
        quote: ({ last }, { time }) => exit({ market: 'other', tag: `${time} quote ${last}` }),
      },
    })
  const seat = () => [talking(), '1m', { other: ETH_USDT }] as const

  it('comes to the same as events of one strategy', () => {
    const [live, replay] = [engineOf(seat()), engineOf(seat())]
    const [runner] = replay.runners
    const feedOf = (name: string) => {
      const feed = runner?.feeds.find(({ followed }) => followed.name === name)
      if (feed === undefined) throw new Error(`There is no feed ${name}.`)
      return feed
    }
    const said: string[] = []
    for (let minute = 0; minute < 12; minute++) {
      const [own, other] = [klineAt(minute * MINUTE, 100 + minute), klineAt(minute * MINUTE, 50 + minute)]
      const closed = (symbol: string, kline: Kline, interval: Interval = '1m') =>
        live.process({ type: 'klineClosed', symbol, interval, kline })
      const steps: (readonly [() => readonly unknown[], () => readonly unknown[]])[] = []
      if (minute % 5 === 4) {
        const slow = klineAt((minute - 4) * MINUTE, 200 + minute)
        steps.push([
          () => closed(BTC_USDT, slow, '5m'),
          () => replay.router.dispatchFeed(0, feedOf('slow'), slow),
        ])
      }
      steps.push(
        [
          () => closed(ETH_USDT, other),
          () => replay.router.closeKline(replay.router.routeOf(ETH_USDT), other),
        ],
        [() => closed(BTC_USDT, own), () => replay.router.closeKline(replay.router.routeOf(BTC_USDT), own)],
      )
      const quote = { ...QUOTE, time: own.openTime + MINUTE + 10, last: 300 + minute }
      steps.push([
        () => live.process({ type: 'tickerSeen', symbol: BTC_USDT, ticker: quote }),
        () => replay.router.dispatchFeed(0, feedOf('quote'), quote),
      ])
      for (const [usual, quick] of steps) {
        const outputs = usual()
        expect(quick()).toEqual(outputs)
        said.push(JSON.stringify(outputs, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
      }
    }
    expect(replay.snapshot()).toEqual(live.snapshot())
    // At the end of minute 6 the other costs 55, and 105 is the own close; the first slow kline closed at 204.
    for (const tag of ['360000 own 105, other 55', '300000 slow 204', '300010 quote 304'])
      expect(said.join()).toContain(`"tag":"${tag}"`)
  })

  it('shows nothing to who is not there', () => {
    const engine = engineOf(seat())
    const [feed] = engine.runners[0]?.feeds ?? []
    expect(feed && engine.router.dispatchFeed(1, feed, klineAt(0, 100))).toEqual([])
  })
})
