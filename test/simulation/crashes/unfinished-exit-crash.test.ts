import { describe, expect, it } from 'vitest'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { deathAt, isTelling } from '../seeds/death-at.ts'
import { playedOut } from '../seeds/played-out.ts'
import { BotWorld, SYMBOL } from '../world/bot-world.ts'

const FLAT = [100, 100, 100, 100] as const
const STARTED = START + 10 * MINUTE

/** Buys 1 BTC on each of its first four klines, and says once, on the fifth, that it leaves. */
const leaver = defineStrategy({
  name: 'leaver',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    if (state.klines <= 4) return enterLong({ scaleIn: true, stopLoss: 50 })
    return state.klines === 5 ? exit() : undefined
  },
})

/** A book that takes at most 1.5 BTC at once, and an exchange that refuses orders for a while after the exit was decided. */
function worldOf(): BotWorld {
  const from = STARTED + 5 * MINUTE + 2000
  return new BotWorld({
    strategy: leaver,
    klines: klinesOf(...Array.from({ length: 60 }, () => FLAT)),
    startAt: STARTED,
    exchange: {
      listings: [
        {
          symbol: SYMBOL,
          ...{ quantityPrecision: 3, makerFeeRate: '0', takerFeeRate: '0' },
          market: { type: 'klines', klines: klinesOf(...Array.from({ length: 60 }, () => FLAT)) },
        },
        { symbol: 'ETH/USDT' },
      ],
      liquidity: { levelNotionals: ['60', '90'] },
      faults: [{ fault: 'refused', endpoint: 'spotNewOrder', from, until: from + 20_000 }],
      accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000' } }],
      futures: { contracts: [] },
    },
  })
}

const played = (world: BotWorld) => playedOut(world, () => violations(world, leaver), 9 * MINUTE)

/** Sells of the account, in thousandths of a BTC: all executed, and what the orders were for. */
function sells(world: BotWorld): { readonly executed: number; readonly orders: number } {
  const orders = world.user.history.orders.filter(({ side }) => side === 'sell')
  return { executed: orders.reduce((sum, order) => sum + order.executedQuantity, 0), orders: orders.length }
}

describe('an exit that the exchange takes in parts and refuses in between', () => {
  it('closes the position of a bot that lives', async () => {
    const world = worldOf()
    expect(await played(world)).toEqual([])
    expect(world.said('order rejected').length).toBeGreaterThan(1)
    const { executed, orders } = sells(world)
    expect(executed).toBe(4000)
    expect(orders).toBeGreaterThan(2)
    world.remove()
  })

  it('closes the position of one that is killed at any moment, and sells nothing twice', async () => {
    const calm = worldOf()
    expect(await played(calm)).toEqual([])
    const moments = calm.moments.filter(isTelling).length
    calm.remove()
    for (let at = 5; at < moments; at += 25) {
      const world = worldOf()
      world.killsAt = deathAt(at)
      expect(await played(world), `killed at moment ${at}`).toEqual([])
      const bought = world.user.history.orders
        .filter(({ side }) => side === 'buy')
        .reduce((sum, order) => sum + order.executedQuantity, 0)
      expect(sells(world).executed, `killed at moment ${at}`).toBe(bought)
      world.remove()
    }
  }, 120_000)
})
