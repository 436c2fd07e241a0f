import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { defineStrategy, enterLong, every, exit, klines, of, rsi, sma } from '../../src/strategy/index.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { runSeveralLive, runSeveralReplayed, type Trader } from './run-several.ts'

const HISTORY = 60

/** Uses all that leads to orders: two instruments, two intervals, feeds, fills, a timer, start. */
const pairs = defineStrategy({
  name: 'pairs',
  markets: ['other'],
  feeds: () => ({
    slow: klines({ interval: '5m' }),
    slowOther: klines({ market: 'other', interval: '15m' }),
    other: klines({ market: 'other' }),
  }),
  timers: { close: every('2h') },
  indicators: () => ({
    trend: of('slow', sma(3)),
    far: of('slowOther', sma(2)),
    near: of('other', sma(4)),
    strength: rsi(7),
  }),
  // The first decision is that of the first kline after the history, in both.
  warmUp: () => HISTORY,
  history: 2,
  state: () => ({ isFar: false, started: 0 }),
  onStart({ state }) {
    state.started++
    return undefined
  },
  onKline(kline, { indicators, position, markets, feeds, history, state }) {
    if (state.started === 0) return exit({ tag: 'never' })
    const { trend, near, strength } = indicators
    const isUp = kline.close > trend.value && (history[0]?.close ?? 0) > 0
    const other = feeds.other.latest?.close ?? 0
    return [
      ...(isUp && strength.value > 55 ? [enterLong({ stopLoss: { fraction: 0.002 }, tag: 'own' })] : []),
      ...(!isUp && position.direction === 'long' ? [exit()] : []),
      ...(other > near.value && !state.isFar ? [enterLong({ market: 'other', tag: 'other' })] : []),
      ...(state.isFar && markets.other.position.direction === 'long'
        ? [exit({ market: 'other', tag: 'far' })]
        : []),
    ]
  },
  on: {
    // What a feed leads to at once may trade live before the own kline that closes with it is shown; so it is only noted.
    slowOther({ close }, { indicators, state }) {
      state.isFar = close < indicators.far.value
      return undefined
    },
    close: () => [exit({ tag: 'timer' }), exit({ market: 'other', tag: 'timer' })],
  },
})

const TRADERS: readonly Trader[] = [
  { symbol: 'BTC/USDT', strategy: pairs, parameters: {}, markets: { other: { symbol: 'ETH/USDT' } } },
]

async function realMarkets(from: number, length: number): Promise<ReadonlyMap<string, KlineColumns>> {
  const [btc, eth] = await Promise.all(
    ['binance-btcusdt-1m.csv.gz', 'binance-ethusdt-1m.csv.gz'].map(async name => {
      const { columns } = await readKlineFile(sharedPath('data', name))
      return sliceRows(columns, from, from + length)
    }),
  )
  return new Map([
    ['BTC/USDT', btc as KlineColumns],
    ['ETH/USDT', eth as KlineColumns],
  ])
}

/** Protective orders are named by the time of their fill, which live is a second and in a backtest a kline. */
function withoutIds(lines: readonly object[]): readonly string[] {
  return lines.map(line => JSON.stringify({ ...line, intent: undefined })).toSorted()
}

describe.runIf(hasShared('data', 'binance-ethusdt-1m.csv.gz'))(
  'a strategy of two instruments and three intervals',
  () => {
    it('gives the same orders, fills and round trips live and in a backtest', async () => {
      // From a quarter of an hour on, so that the history of every feed is whole.
      const markets = await realMarkets(15 * 650, 420)
      const live = await runSeveralLive(markets, TRADERS, HISTORY)
      const replayed = runSeveralReplayed(markets, TRADERS, live.instruments)
      expect(live.roundTrips.length).toBeGreaterThan(10)
      expect(withoutIds(live.orders)).toEqual(withoutIds(replayed.orders))
      expect(withoutIds(live.fills)).toEqual(withoutIds(replayed.fills))
      expect(live.roundTrips).toEqual(replayed.roundTrips)
    })
  },
)
