import { describe, expect, it, vi } from 'vitest'
import type { DrawnChart } from '../../../backtest/report/page-data.ts'
import type { BotSummary } from '../../../src/bot/log/bot-summary.ts'
import { summaryText } from '../../../src/cli/bot/bot-summary-text.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { metricsField } from '../../../src/config/metrics-field.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { recordedEquity } from '../../../src/live-report/recorded-equity.ts'
import { BotMetrics } from '../../../src/observe/metrics/bot-metrics.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { JournalWindow } from '../../../src/web/sources/journal-window.ts'
import { LiveWindow } from '../../../src/web/sources/live-window.ts'
import { afterTest } from '../../after-test.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { BOT, BotSession, KEY, SECRET } from '../bot-session.ts'

const idle = defineStrategy({ name: 'idle', onKline: () => undefined })

/** 100 for 17 minutes, then 90 for 13, then 80. */
const KLINES = klinesOf(
  ...[...Array(17).fill(100), ...Array(13).fill(90), ...Array(60).fill(80)].map(
    at => [at, at, at, at] as const,
  ),
)
/** 9,800 USDT and 2 BTC: 10,000 at a price of 100. */
const exchange = {
  listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: KLINES } as const }],
  accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '9800', BTC: '2' } }],
}

/** A bot with a window and metrics; `beside` has the exchange of an earlier one. */
async function watched(journal: Journal, beside?: BotSession) {
  let now = () => 0
  const window = new LiveWindow({ bot: BOT, serverNow: () => now() })
  const metrics = new BotMetrics({
    config: metricsField.parse({}),
    marketOf: configuredMarkets({ spot: {} }),
    venue: {},
  })
  afterTest(() => metrics.close())
  const observer = {
    ...window.observer,
    onEntry: (entry: Parameters<typeof window.observer.onEntry>[0]) => {
      window.observer.onEntry(entry)
      metrics.observer.onEntry(entry)
    },
    onDecided: metrics.observer.onDecided,
  }
  const session = new BotSession({
    ...{ strategy: idle, journal, observer },
    ...(beside === undefined ? { exchange } : { beside }),
  })
  now = () => session.clock.now()
  const bot = await session.create()
  window.show(bot)
  metrics.show(bot)
  bot.start(error => session.failures.push(error))
  return { session, window, metrics }
}

let reads = 0

/** The ratio of now: each read is two seconds after the one before, as readers within one share an answer. */
async function ratioOf(metrics: BotMetrics): Promise<number> {
  vi.spyOn(performance, 'now').mockReturnValueOnce(2000 * ++reads)
  const { text } = await metrics.write()
  return Number(/^sluice_drawdown_ratio\{quote="USDT"\} (\S+)$/m.exec(text)?.[1])
}

/** The last value of a column of the chart. */
async function lastOf(window: Pick<LiveWindow, 'read'>, name: 'worth' | 'drawdown'): Promise<number> {
  const { chart } = (await window.read('chart', {})) as { readonly chart: DrawnChart }
  const { step, differences } = chart[name] ?? { step: 1, differences: [] }
  return differences.reduce<number>((sum, difference) => sum + (difference ?? 0), 0) * step
}

describe('money that is moved in or out of the account', () => {
  it('is no result: not of the drawdown of chart and metric, nor of the profit of the summary, also after a restart', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const { session, window, metrics } = await watched(journal)
    await session.run(2 * MINUTE)
    session.user.account.withdraw('USDT', amountOf('2000'))
    await session.run(3 * MINUTE)
    expect(await lastOf(window, 'worth')).toBe(8000)
    expect(await lastOf(window, 'drawdown')).toBeCloseTo(0, 12)
    expect(await ratioOf(metrics)).toBe(0)

    await session.run(8 * MINUTE)
    // 2 BTC lost 10 each: 20 of the 8,000 that were left.
    expect(await lastOf(window, 'worth')).toBe(7980)
    expect(await lastOf(window, 'drawdown')).toBeCloseTo(-0.0025, 12)
    expect(await ratioOf(metrics)).toBeCloseTo(0.0025, 12)

    session.user.account.deposit('USDT', amountOf('5000'))
    await session.run(3 * MINUTE)
    // The same 20 of 13,000, in steps of 0.00001 in the chart: a deposit hides no fall.
    expect(await lastOf(window, 'worth')).toBe(12_980)
    expect(await lastOf(window, 'drawdown')).toBeCloseTo(-0.00154, 12)
    expect(await ratioOf(metrics)).toBeCloseTo(20 / 13_000, 12)

    const summary = (await session.leave(5000)) as BotSummary
    expect(summary).toMatchObject({
      ...{ profit: { USDT: '-20' }, other: { USDT: '-20' }, moved: { USDT: '3000' } },
      equity: { USDT: '12980' },
    })
    const text = summaryText(summary)
    expect(text).toContain(
      '-20.00 USDT (-0.15%), the change of equity since this start without what was moved',
    )
    expect(text).toContain(
      '+3,000.00 USDT into or out of the account, or by trades of others on it: no profit',
    )
    journal.close()

    const past = await JournalWindow.open(path, async () => idle)
    expect(await lastOf(past, 'drawdown')).toBeCloseTo(-0.00154, 12)
    past.close()

    const again = new Journal(path)
    const points = await recordedEquity(path)
    const restarted = await watched(again, session)
    restarted.window.rememberEquity(points)
    restarted.metrics.rememberEquity(points)
    await restarted.session.run(15 * MINUTE)
    // 2 BTC have lost 20 each since the highest: 40 of 13,000.
    expect(await lastOf(restarted.window, 'worth')).toBe(12_960)
    expect(await lastOf(restarted.window, 'drawdown')).toBeCloseTo(-0.00308, 12)
    expect(await ratioOf(restarted.metrics)).toBeCloseTo(40 / 13_000, 12)
    await restarted.session.leave(5000)
    again.close()
  })
})
