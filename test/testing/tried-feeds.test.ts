import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import * as kit from '../../src/strategy/index.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'

const { defineStrategy, enterLong, exit, targetPosition } = kit
const NEW_YEAR = Date.UTC(2024, 0, 1)
const HOUR = 3_600_000

/** Remembers the closes of a feed of days, and enters at the second. */
const days = (seen: number[]) =>
  defineStrategy({
    name: 'days',
    feeds: () => ({ daily: kit.klines({ interval: '1d' }) }),
    on: {
      daily: kline => {
        seen.push(kline.close)
        return seen.length === 2 ? enterLong() : undefined
      },
    },
  })

describe('feeds of a strategy that is tried', () => {
  it('show longer klines, made of the shorter ones that were written', () => {
    const seen: number[] = []
    // 24 hours up to 124, 24 more up to 148, and a day that is not over.
    const market = klineScript('1h').closes(101).trend(148, 47).flat(5)
    const { fills } = tryStrategy(days(seen), { klines: market })
    expect(seen).toEqual([124, 148])
    expect(fills).toMatchObject([{ kline: 48, price: 148, market: undefined }])
  })

  it('show no longer kline that lacks a shorter one', () => {
    const seen: number[] = []
    // Twenty hours of the first day, and all of the second.
    const market = klineScript('1h').closes(101).trend(120, 19).gap(4).trend(144, 24)
    tryStrategy(days(seen), { klines: market })
    expect(seen).toEqual([144])
  })

  it('show the klines that are given for them', () => {
    const seen: number[] = []
    const daily = klineScript('1d').closes(5, 6)
    tryStrategy(days(seen), { klines: klineScript('1h').closes(100).flat(60), feeds: { daily } })
    expect(seen).toEqual([5, 6])
  })

  it('show tickers at their times', () => {
    const strategy = defineStrategy({
      name: 'spread',
      feeds: () => ({ quote: kit.ticker({ everyMs: 1000 }) }),
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
      on: { quote: ({ bid = 0, ask = 0 }) => (ask - bid > 2 ? exit({ tag: 'wide' }) : undefined) },
    })
    const tickerAt = (hours: number, ask: number) => ({
      ...{ time: NEW_YEAR + hours * HOUR, last: 100, bid: 99, ask, high: 100, low: 99, volume: 1 },
    })
    const feeds = { quote: [tickerAt(1.5, 100), tickerAt(2.5, 105)] }
    const { decisions } = tryStrategy(strategy, { klines: klineScript('1h').closes(100).flat(3), feeds })
    expect(decisions.map(({ time, signal }) => [(time - NEW_YEAR) / HOUR, signal.type])).toContainEqual([
      2.5,
      'exit',
    ])
  })

  it('show and trade the instruments of roles', () => {
    const strategy = defineStrategy({
      name: 'hedged',
      markets: ['hedge'],
      onKline: (_kline, { position, markets }) =>
        position.direction === 'flat' && markets.hedge.price > 10
          ? [enterLong(), targetPosition({ base: -3 }, { market: 'hedge' })]
          : undefined,
    })
    const run = tryStrategy(strategy, {
      klines: klineScript('1h').closes(100, 100, 101, 102),
      markets: { hedge: klineScript('1h').closes(10, 11, 11, 12) },
      config: { account: { type: 'margin' } },
    })
    expect(run.fills).toMatchObject([
      { market: 'hedge', side: 'sell', quantity: 3, kline: 2, price: 11 },
      { market: undefined, side: 'buy', quantity: 1, kline: 2, price: 100 },
    ])
    expect(run.position).toMatchObject({ direction: 'long', quantity: 1 })
    expect(run.positions).toEqual({ hedge: { direction: 'short', quantity: 3, entryPrice: 11 } })
    // 2 earned on the one, 3 lost on the other.
    expect(run.equity.at(-1)).toBe(9999)
  })

  const market = klineScript('1h').closes(100).flat(5)
  const hedged = defineStrategy({ name: 'hedged', markets: ['hedge'], onKline: () => undefined })
  const quoted = defineStrategy({ name: 'quoted', feeds: () => ({ quote: kit.ticker({ everyMs: 1000 }) }) })
  it.each([
    [hedged, {}, /needs an instrument for its market "hedge"/],
    [hedged, { markets: { hegde: market } }, /has no market "hegde"\. Did you mean "hedge"\?/],
    [
      hedged,
      { markets: { hedge: klineScript('1d').closes(1) } },
      /has klines of 1d, but the strategy runs on those of 1h/,
    ],
    [quoted, {}, /The feed "quote" of strategy "quoted" shows ticker of BTC\/USDT, of which/],
    [quoted, { feeds: { quote: market } }, /but was given klines/],
    [quoted, { feeds: { quote: [], qoute: [] } }, /needs no data for a feed "qoute"/],
    [days([]), { feeds: { daily: market } }, /shows klines of 1d, but was given those of 1h/],
  ])('are refused in a sentence where they cannot be: %#', (strategy, options, sentence) => {
    const attempt = () => tryStrategy(strategy, { klines: market, ...options })
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(sentence)
  })
})
