import { describe, expect, it } from 'vitest'
import { marketPlan } from '../../src/bot/market-inputs.ts'
import { tradedMarkets } from '../../src/bot/traded-market.ts'
import { defineStrategy } from '../../src/strategy/index.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'
import { POLLING } from './polling.ts'

describe('the market inputs of a bot', () => {
  it('begin where its history ended, however long it takes to start', async () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      onKline: ({ openTime }) => {
        seen.push((openTime - START) / MINUTE)
        return undefined
      },
    })
    const session = new BotSession({ strategy })
    const bot = await session.create()
    await session.run(3 * MINUTE + 30_000)
    bot.start(error => session.failures.push(error))
    await session.run(MINUTE)
    expect(seen).toEqual([10, 11, 12, 13])
  })

  it('are one plan for all strategies: tickers of 20 symbols in one call', () => {
    const strategies = Array.from({ length: 20 }, (_, index) => {
      return { symbol: `C${index}/USDT`, interval: '1m' } as const
    })
    const names = marketPlan(strategies, POLLING, tradedMarkets({ spot: {} })).polls.map(({ name }) => name)
    expect(names).toHaveLength(20 + 1 + 1)
    expect(names.slice(-2)).toEqual(['tickers of C0/USDT and 19 more', 'spot symbols'])
  })
})
