import { describe, expect, it } from 'vitest'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  every,
  exit,
  type Strategy,
} from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { BotWorld, SYMBOL, type WorldOptions } from '../world/bot-world.ts'

/** A market at 100 that falls to 95, on an account on which somebody else keeps 5 BTC. */
function worldOf(strategy: Strategy, options: Partial<WorldOptions> = {}): BotWorld {
  const klines = klinesOf(
    ...Array.from({ length: 60 }, (_, minute) =>
      minute < 12 ? ([100, 100, 100, 100] as const) : ([95, 95, 95, 95] as const),
    ),
  )
  return new BotWorld({
    ...{ strategy, klines, startAt: START + 10 * MINUTE },
    exchange: {
      listings: [{ symbol: SYMBOL, quantityPrecision: 3, market: { type: 'klines', klines } }],
      accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000', BTC: '5' } }],
      futures: { contracts: [] },
    },
    ...options,
  })
}

/** Base that the bot has sold, and bought. */
function traded(world: BotWorld): { readonly sold: number; readonly bought: number } {
  const sum = (side: 'buy' | 'sell') =>
    world.user.history.orders
      .filter(order => order.side === side)
      .reduce((steps, order) => steps + order.executedQuantity, 0)
  return { sold: sum('sell'), bought: sum('buy') }
}

/** What a strategy has traded, once the price has fallen and the bot has left without a violation. */
async function tradedBy(strategy: Strategy, options: Partial<WorldOptions> = {}) {
  const world = worldOf(strategy, options)
  world.start()
  await world.run(5 * MINUTE)
  expect(await world.leave(MINUTE)).toBe(true)
  expect(await violations(world, strategy)).toEqual([])
  const sums = traded(world)
  world.remove()
  return sums
}

describe('what a strategy takes back in the event in which it asked for it', () => {
  it('never leaves', async () => {
    const strategy = defineStrategy({
      name: 'fickle',
      timers: { minute: every('1m') },
      onKline: ({ close }) => enterLong({ order: { type: 'limit', price: close } }),
      on: { minute: () => cancelEntries() },
    })
    const world = worldOf(strategy)
    world.start()
    await world.run(3 * MINUTE)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
    expect(world.said('order canceled').length).toBeGreaterThan(1)
    expect(world.user.history.size).toBe(0)
    world.remove()
  })
})

describe('what a strategy sells', () => {
  it('is sold once where its stop-loss and its trailing stop are reached together', async () => {
    const strategy = defineStrategy({
      name: 'twofold',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { state }) =>
        state.klines++ === 0
          ? enterLong({ size: { base: 2 }, stopLoss: { fraction: 0.02 }, trailingStop: { fraction: 0.02 } })
          : undefined,
    })
    // 2 BTC less the fee of 0.1% are 1.998.
    expect(await tradedBy(strategy)).toEqual({ bought: 2000, sold: 1998 })
  })

  it('is sold once where another entry holds more and a take-profit is taken back first', async () => {
    const strategy = defineStrategy({
      name: 'manifold',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { state }) => {
        if (state.klines++ > 0) return undefined
        const protection = { takeProfit: { fraction: 0.1 }, trailingStop: { fraction: 0.02 } }
        return [
          enterLong({ size: { base: 3 } }),
          enterLong({ size: { base: 2 }, scaleIn: true, stopLoss: { fraction: 0.02 }, ...protection }),
        ]
      },
    })
    // The first entry has no stop: only the 1.998 of the second are sold.
    expect(await tradedBy(strategy)).toEqual({ bought: 5000, sold: 1998 })
  })

  it('is sold once where its stop-loss is reached while nobody knows what became of its exit', async () => {
    const strategy = defineStrategy({
      name: 'leaver',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { state }) => {
        const kline = state.klines++
        if (kline === 0) return enterLong({ size: { base: 2 }, stopLoss: { fraction: 0.02 } })
        return kline === 1 ? exit() : undefined
      },
    })
    let placements = 0
    const passageOf: WorldOptions['passageOf'] = request =>
      request.method === 'POST' && ++placements === 2
        ? { thereMs: 4900, backMs: Number.POSITIVE_INFINITY }
        : undefined
    expect(await tradedBy(strategy, { passageOf })).toEqual({ bought: 2000, sold: 1998 })
  })
})
