import { expect, it } from 'vitest'
import { MissedTargetDays } from '../../../src/bot/log/missed-target-days.ts'
import { logLineText } from '../../../src/bot/text/log-lines.ts'
import { ZERO } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { readRun } from '../../../src/live-report/run-report.ts'
import { defineStrategy, targetPosition } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'

const MESSAGE = 'target missed: a step is too coarse'
const half = defineStrategy({ name: 'half', onKline: () => targetPosition({ equityFraction: 0.5 }) })

it('has a bot say once that a step keeps it from its target, and its report how often', async () => {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({
    strategy: half,
    journal,
    exchange: {
      listings: [
        {
          ...{ symbol: 'BTC/USDT', quantityPrecision: 0, takerFeeRate: '0', makerFeeRate: '0' },
          market: { type: 'klines', klines: flatMarket(100, 60) },
        },
      ],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '500' } }],
    },
  })
  await session.start()
  await session.run(5.5 * MINUTE)
  await session.leave(20_000)
  journal.close()
  // Half of 500 USDT are 2 steps of 100 USDT, and 50 USDT more: a tenth of the equity.
  const lines = session.said(MESSAGE)
  expect(lines.map(line => logLineText(MESSAGE, line))).toEqual([
    'BTC/USDT stays 50.00 USDT from the target of half, more than 5% of equity: a step of 1 BTC is worth 100.00 USDT there, so that no order comes nearer.',
  ])
  const reader = new JournalReader(path)
  const { missedTargets } = await readRun(reader, () => Promise.resolve(half))
  reader.close()
  expect(missedTargets?.map(({ count, first }) => [count, first.symbol])).toEqual([[5, 'BTC/USDT']])
})

it('tells one a market and day apart from repetitions', () => {
  const days = new MissedTargetDays()
  const isRepeated = (symbol: string, at: string) =>
    days.isRepeated({
      type: 'targetMissed',
      ...{ symbol, book: symbol, strategy: 'half', missing: ZERO, price: ticks(1), time: Date.parse(at) },
    })
  expect(isRepeated('BTC/USDT', '2026-01-31T00:00:00Z')).toBe(false)
  expect(isRepeated('BTC/USDT', '2026-01-31T23:59:59Z')).toBe(true)
  expect(isRepeated('ETH/USDT', '2026-01-31T23:59:59Z')).toBe(false)
  expect(isRepeated('BTC/USDT', '2026-02-01T00:00:00Z')).toBe(false)
})
