import { describe, expect, it } from 'vitest'
import { marketInputs, marketPlan } from '../../../src/bot/inputs/market-inputs.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { flipper } from '../test-strategies.ts'
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

  it('show a kline of a pair to each of its two instruments, and to neither one that it has seen', async () => {
    const session = new BotSession({ strategy: flipper })
    const { clock, client } = session
    const seen: string[] = []
    const subscription = marketInputs({
      venue: { spot: client.spot, serverNow: () => clock.now() },
      marketOf: configuredMarkets({ spot: {}, margin: { balances: new Map(), foreignTrades: 'halt' } }),
      strategies: ['BTC/USDT', 'BTC/USDT@margin'].map(symbol => ({ symbol, interval: '1m' })),
      instruments: new Map(),
      // As after a crash between the two.
      after: new Map([
        ['BTC/USDT 1m', START + 9 * MINUTE],
        ['BTC/USDT@margin 1m', START + 8 * MINUTE],
      ]),
      polling: POLLING,
      scheduler: clockScheduler(clock),
      random: () => 0.5,
    }).subscribe(input => {
      if (input.type !== 'event' || input.event.type !== 'klineClosed') return
      const { symbol, kline } = input.event
      seen.push(`${symbol} ${(kline.openTime - START) / MINUTE}`)
    })
    await session.run(1.5 * MINUTE)
    subscription.unsubscribe()
    expect(seen).toEqual(['BTC/USDT@margin 9', 'BTC/USDT 10', 'BTC/USDT@margin 10'])
  })

  it.each([
    [undefined, true],
    // Five seconds of real time at sixty times its speed.
    [300_000, false],
  ])('tell of stale data no sooner than an answer may take (%s ms)', async (answerMs, isStale) => {
    const session = new BotSession({ strategy: flipper })
    const { clock, client } = session
    const told: string[] = []
    const subscription = marketInputs({
      venue: { spot: client.spot, serverNow: () => clock.now(), ...(answerMs !== undefined && { answerMs }) },
      marketOf: configuredMarkets({ spot: {} }),
      strategies: [{ symbol: 'BTC/USDT', interval: '1m' }],
      instruments: new Map(),
      after: new Map([['BTC/USDT 1m', START + 9 * MINUTE]]),
      polling: POLLING,
      scheduler: clockScheduler(clock),
      random: () => 0.5,
    }).subscribe(input => told.push(JSON.stringify(input)))
    await session.run(10_000)
    session.journeyOf = () => ({ refused: true })
    await session.run(4 * MINUTE)
    subscription.unsubscribe()
    expect(told.some(input => input.includes('"stale"'))).toBe(isStale)
  })

  it('are one plan for all strategies: tickers of 20 symbols in one call', () => {
    const strategies = Array.from({ length: 20 }, (_, index) => {
      return { symbol: `C${index}/USDT`, interval: '1m' } as const
    })
    const names = marketPlan(strategies, POLLING, configuredMarkets({ spot: {} })).polls.map(
      ({ name }) => name,
    )
    expect(names).toHaveLength(20 + 1 + 1)
    expect(names.slice(-2)).toEqual(['tickers of C0/USDT and 19 more', 'spot symbols'])
  })
})
