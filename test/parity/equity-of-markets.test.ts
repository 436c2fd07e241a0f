import { describe, expect, it } from 'vitest'
import { klinesIn } from '../../src/klines/kline-columns.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { defineStrategy, enterLong, klines } from '../../src/strategy/index.ts'
import { klinesOf, type Row } from '../backtest/kline-table.ts'
import { LiveBot } from '../live-bot.ts'
import { LogLines } from './log-lines.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)
/** The kline of ETH/USDT that rises from 100 to 104, the others stand still. */
const RISE = 10

function market(rowAt: (minute: number) => Row) {
  const columns = klinesOf(Array.from({ length: 20 }, (_, minute) => rowAt(minute)))
  const openTime = columns.openTime.map(time => START + time)
  return { type: 'klines', interval: '1m', klines: klinesIn({ ...columns, openTime }) } as const
}

describe('equity of a bot on two markets', () => {
  it('counts what rose before the kline of its own market is there', async () => {
    const seen = new Map<number, number>()
    const watcher = defineStrategy({
      name: 'watcher',
      onKline: (_kline, { equity, time }) => {
        seen.set((time - START) / MINUTE, equity)
      },
    })
    const holder = defineStrategy({ name: 'holder', onKline: () => enterLong() })
    const live = new LiveBot({
      ...{ bot: 'equity', startAt: START + 5 * MINUTE, lines: new LogLines() },
      exchange: createSimulatedExchange({
        listings: [
          { symbol: 'BTC/USDT', market: market(() => [100, 100, 100, 100]) },
          {
            symbol: 'ETH/USDT',
            market: market(minute =>
              minute < RISE
                ? [100, 100, 100, 100]
                : minute > RISE
                  ? [104, 104, 104, 104]
                  : [100, 104, 100, 104],
            ),
          },
        ],
      }),
      strategies: [
        { strategy: watcher, symbol: 'BTC/USDT' },
        { strategy: holder, symbol: 'ETH/USDT' },
      ].map(each => ({ ...each, parameters: {}, file: '', interval: '1m', size: { quote: 2000 } })),
    })
    const bot = await live.start()
    await live.runTo(START + (RISE + 3) * MINUTE - 1)
    await bot.shutDown()
    // 2000 USDT of ETH at 100 are worth 80 more at 104, but for the fee.
    expect(seen.get(RISE)).toBeLessThan(10_000)
    expect(seen.get(RISE + 1)).toBeGreaterThan(10_070)
  })
})

/** Minute 14 takes BTC from 100 to 125 and ETH from 50 to 45; what comes after it trades at other prices. */
const BTC = market(minute => (minute < 14 ? flat(100) : minute > 14 ? flat(130) : [100, 125, 100, 125]))
const ETH = market(minute => (minute < 14 ? flat(50) : minute > 14 ? flat(40) : [50, 50, 45, 45]))

function flat(price: number): Row {
  return [price, price, price, price]
}

describe('a handler of a feed of another market, while klines of the same moment wait for that feed', () => {
  it('sees their closes, in price, equity and size', async () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      markets: ['hedge'],
      feeds: () => ({ slow: klines({ market: 'hedge', interval: '5m' }) }),
      onKline: (_kline, { time }) =>
        time === START + 12 * MINUTE ? enterLong({ size: { base: 1 } }) : undefined,
      on: {
        slow(_kline, { time, price, markets, equity }) {
          if (time !== START + 15 * MINUTE) return
          seen.push(`own ${price}, hedge ${markets.hedge.price}, equity ${equity}`)
          return enterLong({ size: { equityFraction: 0.1 }, scaleIn: true, tag: 'more' })
        },
      },
    })
    let hasStarted = false
    const lines = new LogLines()
    const live = new LiveBot({
      ...{ bot: 'closes', startAt: START + 11 * MINUTE, lines },
      exchange: createSimulatedExchange({
        listings: [
          { symbol: 'BTC/USDT', market: BTC },
          { symbol: 'ETH/USDT', market: ETH },
        ],
      }),
      strategies: [
        {
          ...{ strategy, symbol: 'BTC/USDT', interval: '1m', parameters: {}, file: '', size: { base: 1 } },
          markets: { hedge: { symbol: 'ETH/USDT' } },
        },
      ],
      // Both minutes arrive before the five minutes that come first.
      thereMs: ({ url }) => (hasStarted && url.includes('5m') ? 2000 : 0),
    })
    const bot = await live.start()
    hasStarted = true
    await live.runTo(START + 16 * MINUTE)
    await bot.shutDown()
    // 1 BTC bought at an ask of 100.01, its fee a thousandth of it: 10,000 - 100.01 + 0.999 × 125. A tenth buys 8.019892 at 125.
    expect(seen).toEqual(['own 125, hedge 45, equity 10024.865'])
    const sizes = lines.said('order submitted').map(line => (line as { quantity: string }).quantity)
    expect(sizes.map(Number)).toEqual([1, 8.01989])
  })
})
