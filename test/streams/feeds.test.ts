import { filter, map, merge, take, tap, withLatestFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { journalText } from '../../src/journal/journal-text.ts'
import {
  crossesAbove,
  crossesBelow,
  defineStrategy,
  enterLong,
  enterShort,
  every,
  exit,
  funding,
  integer,
  klines,
  of,
  type Strategy,
  sma,
} from '../../src/strategy/index.ts'
import { combineByClose, defineStreamStrategy, resample } from '../../src/streams/index.ts'
import { QUIET, type Row } from '../backtest/kline-table.ts'
import {
  ETH,
  fillWords,
  flat,
  klinesAt,
  MINUTE,
  marketOf,
  QUIET_MINUTES,
  runOf,
} from '../backtest/markets/several.ts'
import { randomRows } from '../backtest/random-market.ts'

it('shows klines of a feed before the own one that closes with them, those of the warm-up too', () => {
  const seen: string[] = []
  const strategy = defineStreamStrategy({
    name: 'watcher',
    feeds: () => ({ slow: klines({ interval: '5m' }) }),
    warmUp: () => 7,
    indicators: () => ({ trend: of('slow', sma(1)) }),
    signals: ({ klines$, feeds: { slow }, context, indicators: { trend } }) =>
      merge(
        klines$.pipe(map(({ closeTime }) => `own ${closeTime / MINUTE}`)),
        slow.pipe(
          map(
            ({ closeTime, interval, close }) => `${interval} ${closeTime / MINUTE}: ${close} ${trend.value}`,
          ),
        ),
      ).pipe(
        tap(what => seen.push(`${what} at ${context.time / MINUTE}`)),
        map(() => undefined),
      ),
  })
  const slow = klinesAt([flat(4), flat(6), flat(7), flat(8)], { start: -10 * MINUTE, interval: '5m' })
  runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { slow: { type: 'klines', klines: slow } } }))
  // Each with the indicator of the feed as it was there.
  expect(seen.splice(0, 2)).toEqual(['5m -5: 4 4 at -5', '5m 0: 6 6 at 0'])
  expect(seen.slice(0, 6)).toEqual([
    ...['own 1 at 1', 'own 2 at 2', 'own 3 at 3', 'own 4 at 4', '5m 5: 7 7 at 5', 'own 5 at 5'],
  ])
  expect(seen.slice(6)).toEqual([
    ...['own 6 at 6', 'own 7 at 7', 'own 8 at 8', 'own 9 at 9', '5m 10: 8 8 at 10', 'own 10 at 10'],
    ...['own 11 at 11', 'own 12 at 12'],
  ])
})

it('shows timers after the own kline that closes at their time, and what is settled', () => {
  const seen: string[] = []
  const strategy = defineStreamStrategy({
    name: 'timed',
    feeds: () => ({ paid: funding() }),
    timers: { rebalance: every('5m') },
    signals: ({ klines$, timers: { rebalance }, feeds: { paid } }) =>
      merge(
        klines$.pipe(map(({ closeTime }) => `kline ${closeTime / MINUTE}`)),
        rebalance.pipe(map(time => `timer ${time / MINUTE}`)),
        paid.pipe(map(({ time, rate }) => `funding ${time / MINUTE}: ${rate}`)),
      ).pipe(
        tap(what => seen.push(what)),
        map(() => undefined),
      ),
  })
  const fundingRate = { time: 3.5 * MINUTE, rate: 0.01 }
  const events = [{ type: 'fundingRateSeen', symbol: 'BTC/USDT', fundingRate }] as const
  runOf(marketOf(strategy, QUIET_MINUTES, { feeds: { paid: { type: 'data', events } } }))
  expect(seen.filter(what => /funding|timer|(3|5|6|9|10)$/.test(what))).toEqual([
    ...['kline 3', 'funding 3.5: 0.01', 'kline 5', 'timer 5', 'kline 6', 'kline 9', 'kline 10', 'timer 10'],
  ])
})

it('trades the instruments of roles, by what closed with its own klines', () => {
  const strategy = defineStreamStrategy({
    name: 'pairs',
    markets: ['hedge'],
    feeds: () => ({ other: klines({ market: 'hedge' }) }),
    signals: ({ klines$, feeds: { other }, context: { markets } }) =>
      combineByClose(klines$, other).pipe(
        map(([own, hedge], index) => {
          expect([hedge.closeTime, hedge.close]).toEqual([own.closeTime, markets.hedge.price])
          if (index === 0) return [enterLong(), enterShort({ market: 'hedge', size: { base: 2 } })]
          return index === 2 ? [exit(), exit({ market: 'hedge' })] : undefined
        }),
      ),
  })
  const hedge = { instrument: ETH, klines: klinesAt([flat(50), flat(51), flat(52), flat(53)]) }
  const rows = klinesAt([QUIET, QUIET, QUIET, QUIET])
  const result = runOf(marketOf(strategy, rows, { roles: { hedge } }))
  expect(fillWords(result)).toEqual([
    '1: ETH/USDT sell 2 at 51',
    '1: BTC/USDT buy 1 at 100',
    '3: ETH/USDT buy 2 at 53',
    '3: BTC/USDT sell 1 at 100',
  ])
})

const window = { window: integer({ default: 3, min: 1, max: 99, description: 'Klines.' }) }

/** Trades the crossing of the close and a slow trend, as handlers and as streams: one of own klines resampled, one of a feed. */
const handlers = defineStrategy({
  name: 'two-speeds',
  parameters: window,
  feeds: () => ({ slow: klines({ interval: '5m' }) }),
  timers: { out: every('30m') },
  indicators: ({ window }) => ({ fast: sma(window), trend: of('slow', sma(2)) }),
  onKline: (_kline, { indicators: { fast, trend } }) =>
    crossesAbove(fast, trend.value) ? enterLong() : undefined,
  on: {
    slow: (_kline, { indicators: { fast, trend } }) => (crossesBelow(fast, trend.value) ? exit() : undefined),
    out: () => exit(),
  },
})
const streams = defineStreamStrategy({
  name: 'two-speeds',
  parameters: window,
  feeds: () => ({ slow: klines({ interval: '5m' }) }),
  timers: { out: every('30m') },
  indicators: ({ window }) => ({ fast: sma(window), trend: of('slow', sma(2)) }),
  signals: ({ klines$, feeds: { slow }, timers: { out }, indicators: { fast, trend } }) =>
    merge(
      klines$.pipe(
        filter(() => crossesAbove(fast, trend.value)),
        map(() => enterLong()),
      ),
      slow.pipe(
        filter(() => crossesBelow(fast, trend.value)),
        map(() => exit()),
      ),
      out.pipe(map(() => exit())),
    ),
})

it('gives the fills of handlers of the same feeds and timers', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const own = klinesAt(randomRows(seed, 400))
    const slow = klinesAt(randomRows(seed + 100, 80), { interval: '5m' })
    const fillsOf = (strategy: Strategy) =>
      journalText(runOf(marketOf(strategy, own, { feeds: { slow: { type: 'klines', klines: slow } } })).fills)
    const fills = fillsOf(streams)
    expect(fills).toBe(fillsOf(handlers))
    expect(fills.length).toBeGreaterThan(800)
  }
})

it('resamples its own klines to those that a feed of them shows', () => {
  const own = klinesAt(randomRows(7, 60))
  const met: number[] = []
  const strategy = defineStreamStrategy({
    name: 'resampled',
    feeds: () => ({ slow: klines({ interval: '5m' }) }),
    signals: ({ klines$, feeds: { slow } }) =>
      klines$.pipe(
        resample('5m'),
        withLatestFrom(slow),
        map(([made, shown]) => {
          met.push(made.closeTime)
          expect([made.open, made.high, made.low, made.close]).toEqual([
            shown.open,
            shown.high,
            shown.low,
            shown.close,
          ])
          expect(made.closeTime).toBe(shown.closeTime)
          return undefined
        }),
      ),
  })
  const rows = Array.from({ length: 12 }, (_, index): Row => {
    const part = (name: 'open' | 'high' | 'low' | 'close') => own[name].slice(5 * index, 5 * index + 5)
    return [part('open')[0] ?? 0, Math.max(...part('high')), Math.min(...part('low')), part('close')[4] ?? 0]
  })
  const slow = klinesAt(rows, { interval: '5m' })
  runOf(marketOf(strategy, own, { feeds: { slow: { type: 'klines', klines: slow } } }))
  expect(met).toHaveLength(12)
})

it('says in the result that its signals have completed', () => {
  const once = defineStreamStrategy({
    name: 'once',
    signals: ({ klines$ }) =>
      klines$.pipe(
        take(2),
        map(() => enterLong()),
      ),
  })
  const { endings, fills } = runOf(marketOf(once, QUIET_MINUTES))
  expect(fills).toHaveLength(1)
  expect(endings).toEqual([
    'Strategy "once" on BTC/USDT at 1970-01-01T00:02:00.000Z decides nothing more: its stream of signals has completed.',
  ])
})

it('knows the names and the data of its streams', () => {
  const define = () => {
    defineStreamStrategy({
      name: 'typed',
      markets: ['hedge'],
      parameters: window,
      feeds: () => ({ slow: klines({ interval: '5m' }), paid: funding() }),
      timers: { out: every('30m') },
      indicators: () => ({ trend: of('slow', sma(2)) }),
      // @ts-expect-error: no such feed, datum, timer, parameter, indicator and role.
      signals: ({ klines$, feeds, timers, parameters, indicators, context }) => {
        const known: number = parameters.window + indicators.trend.value + context.markets.hedge.price
        // @ts-expect-error
        feeds.fast
        // @ts-expect-error
        feeds.paid.pipe(map(({ close }) => close))
        // @ts-expect-error
        timers.inn
        // @ts-expect-error
        parameters.windows
        // @ts-expect-error
        indicators.trand
        // @ts-expect-error
        context.markets.hodge
        return klines$.pipe(map(({ close }) => (close > known ? enterLong({ market: 'hodge' }) : undefined)))
      },
    })
    defineStreamStrategy({
      name: 'typed',
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      // @ts-expect-error: no such feed.
      indicators: () => ({ trend: of('slaw', sma(2)) }),
      signals: ({ klines$ }) => klines$.pipe(map(() => exit())),
    })
  }
  expect(define).not.toThrow()
})
