import { describe, expect, it } from 'vitest'
import { MomentCloses } from '../../../src/bot/inputs/moment-closes.ts'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { type Ticks, ticks } from '../../../src/domain/numbers/grid.ts'
import { ETH } from '../../backtest/markets/several.ts'
import { MARGIN } from '../../engine/engine-session.ts'

const MINUTE = 60_000
const [BTC, OTHER] = [MARGIN.symbol, ETH.symbol]

/** By streams, each with a strategy of its own unless said otherwise; ETH was last traded at 50. */
function closesOf(
  streams: readonly (readonly [symbol: string, interval: Interval])[],
  strategies = streams.length,
) {
  const symbols = new Set(streams.map(([symbol]) => symbol))
  const last = new Map<string, Ticks>([[OTHER, ticks(5000)]])
  return new MomentCloses({
    instruments: new Map(
      [MARGIN, ETH].filter(({ symbol }) => symbols.has(symbol)).map(one => [one.symbol, one]),
    ),
    engine: {
      klineStreams: streams.map(([symbol, interval]) => ({ symbol, interval })),
      runners: Array.from({ length: strategies }),
    } as never,
    prices: { lastOf: symbol => last.get(symbol) },
  })
}

/** A kline of BTC that closes at 100 in a minute. */
const closing = (minute: number) =>
  ({
    type: 'klineClosed',
    symbol: BTC,
    interval: '1m',
    kline: { openTime: (minute - 1) * MINUTE, open: 99, high: 100, low: 99, close: 100, volume: 1 },
  }) as const

describe('before the first kline of a moment', () => {
  it('a kline that waits counts at its close, only at its own moment', () => {
    const closes = closesOf([
      [BTC, '1m'],
      [OTHER, '1m'],
    ])
    closes.note({ type: 'close', symbol: OTHER, closeTime: 5 * MINUTE, close: 51 })
    expect(closes.before(closing(5), 7)).toEqual({
      type: 'pricesSeen',
      prices: [[OTHER, 5100]],
      closes: [
        [BTC, 100],
        [OTHER, 51],
      ],
      closeTime: 5 * MINUTE,
      time: 7,
    })
    expect(closes.before(closing(6), 8)).toMatchObject({
      prices: [[OTHER, 5000]],
      closes: [
        [BTC, 100],
        [OTHER, 50],
      ],
    })
  })

  it('strategies see no price of an instrument that has no kline then', () => {
    const closes = closesOf([
      [BTC, '1m'],
      [OTHER, '5m'],
    ])
    expect(closes.before(closing(4), 0)).toMatchObject({ prices: [[OTHER, 5000]], closes: [[BTC, 100]] })
    expect(closes.before(closing(5), 0)).toMatchObject({
      closes: [
        [BTC, 100],
        [OTHER, 50],
      ],
    })
  })

  it('nothing is said a second time', () => {
    const closes = closesOf([
      [BTC, '1m'],
      [OTHER, '1m'],
    ])
    expect(closes.before(closing(5), 0)).toBeDefined()
    expect(closes.before(closing(5), 0)).toBeUndefined()
  })

  it('of one instrument it is said where strategies follow it by several streams', () => {
    expect(closesOf([[BTC, '1m']]).before(closing(5), 0)).toBeUndefined()
    expect(closesOf([[BTC, '1m']], 2).before(closing(5), 0)).toBeUndefined()
    expect(
      closesOf(
        [
          [BTC, '1m'],
          [BTC, '1h'],
        ],
        1,
      ).before(closing(5), 0),
    ).toBeUndefined()
    expect(
      closesOf([
        [BTC, '1m'],
        [BTC, '1h'],
      ]).before(closing(5), 0),
    ).toMatchObject({ prices: [], closes: [[BTC, 100]] })
  })
})
