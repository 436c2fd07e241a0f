import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import type { EngineEvent, PricesSeen } from '../../../src/domain/events/engine-event.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import type { ProtectionRules } from '../../../src/risk/risk-rules.ts'
import { enterLong } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotSession, type BotSessionOptions } from '../bot-session.ts'
import { POLLING } from '../inputs/polling.ts'
import { bidder, once } from '../test-strategies.ts'
import { futuresBot } from './futures-bot.ts'

/** Buys 60 at market, and holds. */
const holder = once(() => enterLong({ size: { base: 60 } }), 'holder')
const TRADED = [holder, bidder].map(strategy => ({ strategy, symbol: 'BTC/USDT' }))

const halting = (protections: ProtectionRules) => ({ protections })
const DAILY = halting({ dailyLoss: { rate: rateOf('0.02'), mode: 'halted' } })
const DRAWDOWN = halting({ drawdown: { rate: rateOf('0.02'), mode: 'halted' } })

/** Minutes 0 to 11 at 100, and then another price; minute 12 begins at `from`. */
const market = (price: number, from = price) =>
  klinesOf(
    ...Array.from({ length: 12 }, () => [100, 100, 100, 100] as const),
    [from, from, price, price],
    ...Array.from({ length: 40 }, () => [price, price, price, price] as const),
  )

/** A bot that holds 60 BTC bought at 100 for 6,000 of its 10,000 USDT, and bids for more, half a minute before minute 12. */
async function holding(options: Partial<BotSessionOptions> = {}) {
  const session = new BotSession({ strategy: holder, traded: TRADED, klines: market(96), ...options })
  await session.start()
  await session.run(MINUTE + 30_000)
  expect(session.said('fill').map(({ quantity }) => Number(quantity))).toEqual([60])
  expect(session.openIds).toHaveLength(1)
  return session
}

/** How long after the open of minute 12 trading was halted, ms. */
const haltsOf = (session: BotSession) =>
  session.said('trading halted').map(({ at }) => Date.parse(String(at)) - (START + 12 * MINUTE))

const pricesIn = (path: string) => {
  const reader = new JournalReader(path)
  const events = [...reader.entries()].filter(({ kind }) => kind === 'event')
  reader.close()
  return events
    .map(({ body }) => body as EngineEvent)
    .filter(({ type }) => type === 'pricesSeen') as PricesSeen[]
}

describe('a fall of 4% that loses 240 of 10,000 between two closes', () => {
  it.each([
    ['dailyLoss', DAILY],
    ['drawdown', DRAWDOWN],
  ])('halts by %s while its minute is open, and takes back the entry that rests', async (source, risk) => {
    const session = await holding({ risk, klines: market(96, 100) })
    await session.run(30_000 + MINUTE - 1)
    const halts = haltsOf(session)
    expect(halts).toHaveLength(1)
    expect(halts[0]).toBeGreaterThan(0)
    expect(session.said('trading halted')[0]?.holds).toEqual([expect.objectContaining({ source })])
    expect(session.openIds).toEqual([])
    // The same fall counts once, whatever klines tell of it later.
    await session.run(3 * MINUTE)
    expect(haltsOf(session)).toHaveLength(1)
    expect(session.failures).toEqual([])
  })

  it('halts a contract by its mark price', async () => {
    const session = futuresBot({
      strategy: once(() => enterLong(), 'contracts'),
      klines: market(96),
      risk: DRAWDOWN,
      size: { equityFraction: 0.8 },
    })
    await session.start()
    await session.run(2 * MINUTE + 2 * POLLING.tickerMs)
    expect(session.said('fill')).toHaveLength(1)
    const halts = haltsOf(session)
    expect(halts).toHaveLength(1)
    expect(halts[0]).toBeLessThanOrEqual(POLLING.tickerMs)
  })

  it('is in the journal with its prices, and comes out the same when that runs again', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const session = await holding({ risk: DAILY, journal })
    await session.run(MINUTE)
    // At the first look at the new price.
    expect(haltsOf(session)).toEqual([expect.toSatisfy(after => after <= POLLING.tickerMs)])
    await session.leave(MINUTE)
    // One to compare with, before anything is traded, and the one that halts.
    const told = pricesIn(path)
    expect(told.map(({ prices }) => prices.map(([symbol, ticks]) => [symbol, ticks / 100]))).toEqual([
      [['BTC/USDT', 100]],
      [['BTC/USDT', 96]],
    ])
    await session.start()
    await session.run(MINUTE)
    expect(await session.operate('status')).toContain('halted')
    await session.leave(MINUTE)
    journal.close()
    expect(pricesIn(path)).toHaveLength(2)
    const reader = new JournalReader(path)
    expect(await replayJournal(reader, async file => (file === 'holder' ? holder : bidder))).toMatchObject({
      sessions: 2,
      difference: undefined,
    })
    reader.close()
  })
})

describe('one odd look between two closes', () => {
  it('halts nothing, and neither does a fall that stays above the limit', async () => {
    for (const risk of [DAILY, DRAWDOWN]) {
      const session = await holding({ risk, klines: market(97) })
      session.exchange.stage({
        type: 'setFault',
        time: session.clock.now(),
        rule: { fault: 'oddPrices', as: 'far', factor: 0.5, endpoint: 'spotTicker', most: 1 },
      })
      await session.run(3 * MINUTE)
      expect(session.said('a price awaits a second look')).toHaveLength(1)
      // 60 bought at 100 have lost 180, less than 200.
      expect(haltsOf(session)).toEqual([])
    }
  })
})
