import { describe, expect, it } from 'vitest'
import { klinesIn } from '../../src/klines/kline-columns.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
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
