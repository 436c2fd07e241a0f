import { describe, expect, it } from 'vitest'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { flatMarket, klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { futuresBot, stepAt } from '../futures/futures-bot.ts'
import { POLLING } from './polling.ts'

/** Buys once, protected on both sides, and holds. */
const holder = defineStrategy({
  name: 'holder',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) =>
    state.klines++ === 0 ? enterLong({ stopLoss: 90, takeProfit: 120 }) : undefined,
})

/** A session that holds 1 BTC bought at 100; the market goes on as the minutes from 12 on say. */
async function holding(...later: readonly (readonly [number, number, number, number])[]) {
  const flat = Array.from({ length: 12 }, () => [100, 100, 100, 100] as const)
  const rest = Array.from({ length: 40 }, () => later.at(-1) ?? ([100, 100, 100, 100] as const))
  const session = new BotSession({ strategy: holder, klines: klinesOf(...flat, ...later, ...rest) })
  await session.start()
  await session.run(MINUTE + 30_000)
  expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
  return session
}

function stage({ exchange, clock }: BotSession, rule: FaultRuleInput): void {
  exchange.stage({ type: 'setFault', time: clock.now(), rule })
}

const ODD: readonly (readonly [
  string,
  Pick<Extract<FaultRuleInput, { fault: 'oddPrices' }>, 'as' | 'factor'>,
])[] = [
  ['prices of 0', { as: 'zero' }],
  ['negative prices', { as: 'negative' }],
  ['a bid above the ask', { as: 'crossed' }],
  ['prices that are half of the right ones', { as: 'far', factor: 0.5 }],
  ['prices that are a thousandth of the right ones', { as: 'far', factor: 0.001 }],
  ['prices that are three times the right ones', { as: 'far', factor: 3 }],
]

describe('a bot that holds contracts', () => {
  /** Holds contracts bought at 100, with a drawdown limit that a wrong mark price would break. */
  async function holdingContracts(klines = flatMarket(100, 60)) {
    const risk = { protections: { drawdown: { rate: rateOf('0.035'), mode: 'halted' } } } as const
    const session = futuresBot({ strategy: holder, klines, risk })
    await session.start()
    await session.run(MINUTE + 30_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
    return session
  }

  it.each(ODD.flatMap(([name, odd]) => [[name, 'ticker', odd] as const, [name, 'index', odd] as const]))(
    'sells and halts nothing for %s in one answer of the %s',
    async (_name, path, odd) => {
      const session = await holdingContracts()
      // Right before a close, so that the books are told the latest mark price.
      await session.run(25_000)
      stage(session, { fault: 'oddPrices', ...odd, endpoint: `GET /fapi/v1/${path}`, most: 1 })
      await session.run(2 * MINUTE)
      expect(session.said('fill')).toHaveLength(1)
      expect(session.said('trading halted')).toEqual([])
      expect(session.failures).toEqual([])
    },
  )

  it.each([0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000])(
    'sells and halts nothing for half prices in one answer of the index, and %i ms later in one of the ticker',
    async laterMs => {
      const session = await holdingContracts()
      const odd = { fault: 'oddPrices', as: 'far', factor: 0.5, most: 1 } as const
      stage(session, { ...odd, endpoint: 'GET /fapi/v1/index' })
      await session.run(laterMs)
      stage(session, { ...odd, endpoint: 'GET /fapi/v1/ticker' })
      await session.run(2 * MINUTE)
      expect(session.said('a price awaits a second look').length).toBeGreaterThanOrEqual(2)
      expect(session.said('fill')).toHaveLength(1)
      expect(session.said('trading halted')).toEqual([])
    },
  )

  it('sells at the second look when the price really falls by 30%', async () => {
    const session = await holdingContracts(stepAt(12, 70))
    await session.run(2 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
  })
})

describe('a bot with a stop-loss and a take-profit', () => {
  it.each(ODD)('sells nothing for one ticker with %s, says so and counts it', async (_name, odd) => {
    const session = await holding()
    stage(session, { fault: 'oddPrices', ...odd, endpoint: 'spotTicker', most: 1 })
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toHaveLength(1)
    const isFar = odd.as === 'far'
    expect(session.said('a price awaits a second look')).toHaveLength(isFar ? 1 : 0)
    const refused = session.said('market data refused')
    expect(refused).toHaveLength(isFar ? 0 : 1)
    if (!isFar) expect(refused[0]?.reason).toMatch(/^The ticker of BTC\/USDT is refused: its /)
    expect((await session.status()).line).toMatchObject(
      isFar ? { refusedData: 0, doubtedPrices: 1 } : { refusedData: 1, doubtedPrices: 0 },
    )
    expect(session.failures).toEqual([])
  })

  it.each(['zero', 'negative', 'crossed'] as const)(
    'sells nothing while every public answer has %s prices, and goes on once they are right',
    async as => {
      const session = await holding()
      stage(session, { fault: 'oddPrices', as, until: '+150s' })
      await session.run(4 * MINUTE)
      expect(session.said('fill')).toHaveLength(1)
      expect(session.said('market data refused').length).toBeGreaterThan(10)
      const closes = session.said('kline').map(({ close }) => close)
      expect(closes).toEqual(closes.map(() => 100))
      // Minutes 10 to 14 have closed; those that were refused were asked for again, or are missing for good.
      expect(session.said('kline').at(-1)?.at).toBe('2024-01-01T00:15:00.000Z')
      expect(session.failures).toEqual([])
    },
  )

  it('sells at the second look when the price really falls by 30%', async () => {
    const session = await holding([70, 70, 70, 70])
    // Half a minute to the next open, which is the crash; a look is every tickerMs.
    await session.run(30_000)
    expect(session.said('fill')).toHaveLength(1)
    await session.run(2 * POLLING.tickerMs + 1000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
  })

  it('sells when the price falls on and on, by 20% with every look', async () => {
    const session = await holding([100, 100, 20, 20])
    await session.run(2 * MINUTE)
    const [, sale] = session.said('fill')
    expect(sale).toMatchObject({ side: 'sell' })
  })

  it('sells at once when the price falls through its stop-loss by small steps', async () => {
    const session = await holding(...[96, 92, 89].map(price => [price, price, price, price] as const))
    await session.run(2 * MINUTE + 30_000 + POLLING.tickerMs + 1000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    expect(session.said('a price awaits a second look')).toEqual([])
  })
})
