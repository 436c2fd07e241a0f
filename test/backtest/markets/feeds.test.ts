import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { resampleKlines } from '../../../src/klines/resample/resample-klines.ts'
import {
  defineStrategy,
  enterLong,
  enterShort,
  every,
  exit,
  funding,
  klines,
  of,
  protect,
  type Signal,
  sma,
} from '../../../src/strategy/index.ts'
import { QUIET, type Row } from '../kline-table.ts'
import { ETH, fillWords, flat, klinesAt, MINUTE, marketOf, QUIET_MINUTES, runOf, several } from './several.ts'

describe('klines of another interval', () => {
  it('are shown once they have closed, before the own kline that closes with them', () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      onKline: ({ openTime }, { feeds }) =>
        void seen.push(`own ${openTime / MINUTE + 1}: ${feeds.slow.latest?.close ?? 'none'}`),
      on: { slow: ({ close }, { time }) => void seen.push(`slow ${time / MINUTE}: ${close}`) },
    })
    const slow = klinesAt([flat(7), flat(8)], { interval: '5m' })
    runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: slow } } }))
    expect(seen.slice(3, 11)).toEqual([
      ...['own 4: none', 'slow 5: 7', 'own 5: 7', 'own 6: 7', 'own 7: 7', 'own 8: 7', 'own 9: 7'],
      'slow 10: 8',
    ])
  })

  it('feed the indicators that are bound to them, those from before the start too', () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      indicators: () => ({ trend: of('slow', sma(2)) }),
      onKline: (_kline, { indicators }) => void seen.push(indicators.trend.value),
    })
    const slow = klinesAt([flat(8), flat(4), flat(6), flat(10), flat(20)], {
      start: -15 * MINUTE,
      interval: '5m',
    })
    runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: slow } } }))
    // (4 + 6) / 2 for four minutes, (6 + 10) / 2 for five, (10 + 20) / 2 for the rest.
    expect(seen).toEqual([5, 5, 5, 5, 8, 8, 8, 8, 8, 15, 15, 15])
  })

  it('keep a strategy from deciding until its indicators have a value and a value before it', () => {
    const decided: [minute: number, previous: number, value: number][] = []
    const strategy = defineStrategy({
      name: 'waiting',
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      indicators: () => ({ trend: of('slow', sma(2)) }),
      timers: { often: every('1m') },
      on: {
        often: (time, { indicators: { trend } }) =>
          void decided.push([time / MINUTE, trend.previous, trend.value]),
      },
    })
    const slow = klinesAt([flat(4), flat(6)], { start: -5 * MINUTE, interval: '5m' })
    // One value alone, (4 + 6) / 2, is none to decide by.
    runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: slow } } }))
    expect(decided).toEqual([])
    const longer = klinesAt([flat(4), flat(6), flat(10)], { start: -5 * MINUTE, interval: '5m' })
    runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: longer } } }))
    expect(decided).toEqual([
      [10, 5, 8],
      [11, 5, 8],
      [12, 5, 8],
    ])
  })

  it('may lead to orders that trade at the next open', () => {
    const strategy = defineStrategy({
      name: 'enterer',
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      on: { slow: () => enterLong() },
    })
    const slow = klinesAt([flat(7)], { interval: '5m' })
    const result = runOf(
      marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: slow } } }),
    )
    expect(fillWords(result)).toEqual(['5: BTC/USDT buy 1 at 100'])
  })

  it('from before the start are history: nobody is asked about them', () => {
    const shown: number[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      on: { slow: ({ close }) => void shown.push(close) },
    })
    const slow = klinesAt([flat(4), flat(6), flat(10)], { start: -10 * MINUTE, interval: '5m' })
    runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: slow } } }))
    expect(shown).toEqual([10])
  })

  it('that are equally long are shown as they are declared', () => {
    const shown: string[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      markets: ['hedge'],
      feeds: () => ({ far: klines({ market: 'hedge', interval: '5m' }), near: klines({ interval: '5m' }) }),
      on: { near: () => void shown.push('near'), far: () => void shown.push('far') },
    })
    const slow = { type: 'klines', klines: klinesAt([flat(4), flat(6)], { interval: '5m' }) } as const
    const roles = { hedge: { instrument: ETH, klines: QUIET_MINUTES } }
    runOf(marketOf(strategy, QUIET_MINUTES, { roles, feeds: { near: slow, far: slow } }))
    expect(shown).toEqual(['far', 'near', 'far', 'near'])
  })

  it('are refused where there are no data of them', () => {
    const strategy = defineStrategy({ name: 'watcher', feeds: () => ({ slow: klines({ interval: '5m' }) }) })
    expect(() => runOf(marketOf(strategy, QUIET_MINUTES))).toThrow(
      'The feed "slow" of strategy "watcher" shows 5m klines of BTC/USDT, of which this backtest has no data. Give a file: --feed-data slow=FILE.',
    )
  })
})

describe('what a feed decides inside a kline of its strategy', () => {
  const FIVES = 4
  /** Minutes that stand at 100, but for those given by number. */
  const minutesWith = (moves: Readonly<Record<number, Row>>) =>
    klinesAt(Array.from({ length: 5 * FIVES }, (_, minute): Row => moves[minute] ?? QUIET))
  /** The five minutes of a run, and their minutes as a feed; at the close of minute `at`, `signal` is decided, and `first` at the first own close. */
  function decidedAt(
    at: number,
    signal: Signal,
    {
      moves = {},
      first,
      detailed = false,
    }: { moves?: Readonly<Record<number, Row>>; first?: readonly Signal[]; detailed?: boolean } = {},
  ): string[] {
    const minutes = minutesWith(moves)
    const strategy = defineStrategy({
      name: 'inside',
      feeds: () => ({ fast: klines({ interval: '1m' }) }),
      onKline: (_kline, { time }) => (time === 5 * MINUTE ? first : undefined),
      on: { fast: (_kline, { time }) => (time === at * MINUTE ? signal : undefined) },
    })
    const own = resampleKlines(minutes, { from: '1m', to: '5m' }).columns
    const market = marketOf(strategy, own, {
      interval: '5m',
      feeds: { fast: { type: 'klines', klines: minutes } },
      ...(detailed && { detail: { klines: minutes, interval: '1m' } }),
    })
    const fills = { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, ...(detailed && { path: 'detail' as const }) }
    return fillWords(runBacktest(several([market], { fills })))
  }
  const bid = (price: number) =>
    enterLong({ order: { type: 'limit', price }, scaleIn: true, tag: `${price}` })
  const dip: Row = [100, 100, 94, 100]
  /** Something that rests, so that every kline is opened, or nothing. */
  const anyRest: readonly (readonly [string, readonly Signal[]])[] = [
    ['while nothing rests', []],
    ['beside an order that rests', [bid(1)]],
  ]

  it.each(anyRest)('trades at market at the next open %s', (_name, first) => {
    expect(decidedAt(7, enterLong({ tag: 'in' }), { first })).toEqual(['10: BTC/USDT buy 1 at 100'])
  })

  it.each(anyRest)('never trades with prices of before %s', (_name, first) => {
    expect(decidedAt(8, bid(95), { first, moves: { 6: dip } })).toEqual([])
    // Nor with what comes later in that kline: its order is unknown.
    expect(decidedAt(8, bid(95), { first, moves: { 9: dip } })).toEqual([])
    expect(decidedAt(8, bid(95), { first, moves: { 6: dip, 12: dip } })).toEqual(['10: BTC/USDT buy 1 at 95'])
  })

  it('protects from the next open on, too', () => {
    const protection = protect({ stopLoss: 95 })
    const first = [enterLong()]
    const entered = '5: BTC/USDT buy 1 at 100'
    expect(decidedAt(8, protection, { first, moves: { 6: dip } })).toEqual([entered])
    expect(decidedAt(8, protection, { first, moves: { 6: dip, 12: dip } })).toEqual([
      entered,
      '10: BTC/USDT sell 1 at 95',
    ])
  })

  it.each(anyRest)(
    'trades from the next finer open on where finer klines tell the path %s',
    (_name, first) => {
      const moves = { 6: dip, 9: dip }
      expect(decidedAt(8, enterLong({ tag: 'in' }), { first, detailed: true })).toEqual([
        '8: BTC/USDT buy 1 at 100',
      ])
      expect(decidedAt(7, bid(95), { first, moves, detailed: true })).toEqual(['9: BTC/USDT buy 1 at 95'])
      expect(decidedAt(7, bid(95), { first, moves: { 6: dip }, detailed: true })).toEqual([])
    },
  )
})

describe('a role', () => {
  const rows: readonly Row[] = [QUIET, QUIET, QUIET, QUIET]
  const hedge = { instrument: ETH, klines: klinesAt([flat(50), flat(51), flat(52), flat(53)]) }

  it('is traded on its own instrument, in a book of its own', () => {
    const strategy = defineStrategy({
      name: 'pairs',
      markets: ['hedge'],
      state: () => ({ row: 0 }),
      onKline(_kline, { state }) {
        if (state.row++ === 0) return [enterLong(), enterShort({ market: 'hedge', size: { base: 2 } })]
        return state.row === 3 ? [exit(), exit({ market: 'hedge' })] : undefined
      },
    })
    const result = runOf(marketOf(strategy, klinesAt(rows), { roles: { hedge } }))
    expect(fillWords(result)).toEqual([
      '1: ETH/USDT sell 2 at 51',
      '1: BTC/USDT buy 1 at 100',
      '3: ETH/USDT buy 2 at 53',
      '3: BTC/USDT sell 1 at 100',
    ])
    expect(result.roundTrips.map(({ book, direction }) => `${book} ${direction}`)).toEqual([
      'ETH/USDT short',
      'BTC/USDT long',
    ])
    // Sold two at 51, bought them back at 53.
    expect(result.equity.at(-1)).toBeCloseTo(10_000 - 4, 9)
  })

  it('has shown its kline before the own one that closes with it, and its price, position and orders', () => {
    const seen: unknown[] = []
    const strategy = defineStrategy({
      name: 'pairs',
      markets: ['hedge'],
      onKline(_kline, { markets: { hedge: role } }) {
        seen.push([role.price, role.position.direction, role.instrument.symbol])
        return enterLong({ market: 'hedge' })
      },
      onFill: ({ market, price }) => void seen.push(`${market} at ${price}`),
    })
    runOf(marketOf(strategy, klinesAt(rows.slice(0, 2)), { roles: { hedge } }))
    expect(seen).toEqual([[50, 'flat', 'ETH/USDT'], 'hedge at 51', [51, 'long', 'ETH/USDT']])
  })

  it('has protection of its own', () => {
    const strategy = defineStrategy({
      name: 'pairs',
      markets: ['hedge'],
      onKline: (_kline, { markets: { hedge: role }, time }) =>
        time === MINUTE ? enterLong({ market: 'hedge', stopLoss: 45 }) : role.price < 0 ? exit() : undefined,
    })
    const falling = { instrument: ETH, klines: klinesAt([flat(50), flat(50), [50, 50, 40, 41], flat(41)]) }
    const result = runOf(marketOf(strategy, klinesAt(rows), { roles: { hedge: falling } }))
    expect(fillWords(result)).toEqual(['1: ETH/USDT buy 1 at 50', '2: ETH/USDT sell 1 at 45'])
  })

  it('trades at the open at which the other leg has filled', () => {
    const strategy = defineStrategy({
      name: 'hedger',
      markets: ['hedge'],
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
      onFill: ({ market }) => (market === undefined ? enterShort({ market: 'hedge' }) : undefined),
    })
    const result = runOf(marketOf(strategy, klinesAt(rows), { roles: { hedge } }))
    expect(fillWords(result).slice(0, 2)).toEqual(['1: BTC/USDT buy 1 at 100', '1: ETH/USDT sell 1 at 51'])
  })

  it('waits for its next open where the other leg has filled inside a kline', () => {
    const strategy = defineStrategy({
      name: 'hedger',
      markets: ['hedge'],
      onKline: (_kline, { time }) =>
        time === MINUTE ? enterLong({ order: { type: 'limit', price: 98 } }) : undefined,
      onFill: ({ market }) => (market === undefined ? enterShort({ market: 'hedge' }) : undefined),
    })
    const dip: readonly Row[] = [QUIET, [100, 100, 97, 100], QUIET, QUIET]
    const result = runOf(marketOf(strategy, klinesAt(dip), { roles: { hedge } }))
    expect(fillWords(result)).toEqual(['1: BTC/USDT buy 1 at 98', '2: ETH/USDT sell 1 at 52'])
  })

  describe('on whose kline something rests already', () => {
    const far = enterLong({ market: 'hedge', order: { type: 'limit', price: 10 }, tag: 'far', keep: true })

    it('trades at the open at which the other leg has filled all the same', () => {
      const strategy = defineStrategy({
        name: 'hedger',
        markets: ['hedge'],
        onKline: (_kline, { time }) => (time === MINUTE ? [far, enterLong()] : undefined),
        onFill: ({ market }) => (market === undefined ? enterShort({ market: 'hedge' }) : undefined),
      })
      const result = runOf(marketOf(strategy, klinesAt(rows), { roles: { hedge } }))
      expect(fillWords(result)).toEqual(['1: BTC/USDT buy 1 at 100', '1: ETH/USDT sell 1 at 51'])
    })

    it('does not trade on a kline inside of which the other leg has filled', () => {
      const strategy = defineStrategy({
        name: 'hedger',
        markets: ['hedge'],
        onKline: (_kline, { time }) =>
          time === MINUTE ? [far, enterLong({ order: { type: 'limit', price: 98 } })] : undefined,
        onFill: ({ market }) =>
          market === undefined
            ? enterShort({ market: 'hedge', order: { type: 'limit', price: 52 }, tag: 'near' })
            : undefined,
      })
      const own: readonly Row[] = [QUIET, [100, 100, 97, 100], QUIET, QUIET]
      const other: readonly Row[] = [flat(51), [51, 53, 51, 51], flat(51), [51, 53, 51, 51]]
      const roles = { hedge: { instrument: ETH, klines: klinesAt(other) } }
      // Both klines of a minute reach both prices; which came first, nobody knows.
      const result = runOf(marketOf(strategy, klinesAt(own), { roles }))
      expect(fillWords(result)).toEqual(['1: BTC/USDT buy 1 at 98', '3: ETH/USDT sell 1 at 52'])
    })
  })

  it('must have an instrument', () => {
    const strategy = defineStrategy({ name: 'pairs', markets: ['hedge'] })
    expect(() => runOf(marketOf(strategy, klinesAt(rows)))).toThrow(
      'Strategy "pairs" needs an instrument for its market "hedge"; say which: markets: { hedge: ETH/USDT }, or --market hedge=ETH/USDT.',
    )
    expect(() => runOf(marketOf(strategy, klinesAt(rows), { roles: { hegde: hedge } }))).toThrow(
      'Strategy "pairs" has no market "hegde". Did you mean "hedge"?',
    )
  })
})

describe('recorded data', () => {
  it('are shown at their times, after the klines that close then', () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'carry',
      feeds: () => ({ paid: funding() }),
      onKline: (_kline, { time, feeds }) =>
        void seen.push(`${time / MINUTE}: ${feeds.paid.latest?.rate ?? 'none'}`),
      on: { paid: ({ rate }, { time }) => void seen.push(`paid ${rate} at ${time / MINUTE}`) },
    })
    const rate = (minute: number, value: number) =>
      ({
        type: 'fundingRateSeen',
        symbol: 'BTC/USDT',
        fundingRate: { time: minute * MINUTE, rate: value },
      }) as const
    const events = [rate(-1, 0.5), rate(2, 0.25), rate(3.5, 0.125)]
    runOf(
      marketOf(strategy, klinesAt([QUIET, QUIET, QUIET, QUIET]), {
        feeds: { paid: { type: 'data', events } },
      }),
    )
    expect(seen).toEqual([
      ...['1: 0.5', '2: 0.5', 'paid 0.25 at 2', '3: 0.25', 'paid 0.125 at 3.5', '4: 0.125'],
    ])
  })
})

describe('a timer', () => {
  it('comes after the own kline that closes then, and needs no event of its own', () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'timed',
      timers: { often: every('5m') },
      onKline: (_kline, { time }) => void seen.push(`${time / MINUTE}`),
      on: { often: (due, { time }) => void seen.push(`often ${due / MINUTE} at ${time / MINUTE}`) },
    })
    runOf(marketOf(strategy, klinesAt(MINUTES_WITH_GAP.rows, MINUTES_WITH_GAP)))
    expect(seen).toEqual(['1', '2', '3', '4', '5', 'often 5 at 5', '6', '7', '11', 'often 10 at 11'])
  })
})

/** Minutes 1 to 7 and 11. */
const MINUTES_WITH_GAP = { rows: Array.from({ length: 8 }, () => QUIET), absent: [7, 8, 9] }

describe('start and stop', () => {
  it('are told once the warm-up is over, and at the end of the data', () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'told',
      warmUp: () => 2,
      onStart: ({ time, price }) => {
        seen.push(`start at ${time / MINUTE}, ${price}`)
        return enterLong()
      },
      onKline: (_kline, { time }) => void seen.push(`${time / MINUTE}`),
      onStop: ({ time, position }) => void seen.push(`stop at ${time / MINUTE}, ${position.direction}`),
    })
    const result = runOf(marketOf(strategy, klinesAt([QUIET, flat(101), QUIET, QUIET])))
    expect(seen).toEqual(['start at 2, 101', '3', '4', 'stop at 4, long'])
    expect(fillWords(result)).toEqual(['2: BTC/USDT buy 1 at 100'])
  })
})

describe('history', () => {
  it('shows the latest klines, newest last', () => {
    const seen: number[][] = []
    const strategy = defineStrategy({
      name: 'looking-back',
      history: 3,
      onKline: (_kline, { history }) => void seen.push(history.map(({ openTime }) => openTime / MINUTE)),
    })
    runOf(marketOf(strategy, QUIET_MINUTES))
    expect(seen.at(0)).toEqual([1, 2, 3])
    expect(seen.at(-1)).toEqual([9, 10, 11])
  })
})
