import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { LiveBot } from '../../live-bot.ts'
import { LogLines } from '../../parity/log-lines.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'

/** Twenty minutes after an hour begins: the hour that grows has no closed half. */
const START_AT = START + 20 * MINUTE
const HOUR = 60 * MINUTE

/** Hours that a strategy on a contract sees for two hours after its warm-up, with the minute in which it sees each. */
async function hoursAt(dialect: DialectName) {
  const seen: { readonly kline: Kline; readonly minute: number }[] = []
  const intervals = new Set<string | null>()
  const watcher = defineStrategy({
    name: 'watcher',
    warmUp: () => 5,
    onKline: (kline, { time }) => {
      seen.push({ kline: { ...kline }, minute: Math.floor((time - START) / MINUTE) })
      return undefined
    },
  })
  const live = new LiveBot({
    ...{ bot: 'hours', startAt: START_AT, lines: new LogLines(), risk: {} },
    account: { type: 'futures', leverage: 5 },
    profile: loadProfile(dialect),
    exchange: createSimulatedExchange({
      ...{ seed: 3, dialect },
      listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: 500 } }],
    }),
    strategies: [
      {
        ...{ file: '', strategy: watcher, symbol: 'E-BTC-USDT', interval: '1h', parameters: {} },
        size: { quote: 100 },
      },
    ],
    polling: { tickerMs: 60_000, balancesMs: 600_000, listingsMs: 600_000, staleAfterMs: 600_000 },
    onRequest: ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      if (pathname.endsWith('/klines')) intervals.add(searchParams.get('interval'))
    },
  })
  await live.start()
  await live.runTo(START_AT + 2 * HOUR)
  return { seen, intervals: [...intervals] }
}

describe('klines that a host does not have', () => {
  it('are made of shorter ones: the same warm-up, the same klines at the same closes', async () => {
    const [made, listed] = [await hoursAt('koinbay'), await hoursAt('zke')]
    expect([made.intervals, listed.intervals]).toEqual([['30min'], ['1h']])
    expect(listed.seen.map(({ minute }) => minute)).toEqual([60, 120])
    expect(made.seen).toEqual(
      listed.seen.map(({ kline, minute }) => ({
        kline: { ...kline, volume: expect.closeTo(kline.volume, 9) },
        minute,
      })),
    )
  })
})
