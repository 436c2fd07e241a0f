import { describe, expect, it, vi } from 'vitest'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { once } from '../../bot/test-strategies.ts'
import { flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { turningTrader } from '../plan/turning-trader.ts'
import { deathAt, isTelling } from '../seeds/death-at.ts'
import { playedOut } from '../seeds/played-out.ts'
import type { BotWorld, WorldOptions } from '../world/bot-world.ts'
import { busyKlines } from '../world/busy-market.ts'
import { lossyPassages } from '../world/lossy-passages.ts'
import { marginViolations, marginWorld, tradeBeside } from '../world/margin-world.ts'

/** Set to 1 for the proof at every single moment; by default every so-manieth, which differ from seed to seed. */
const EVERY = Number(process.env.SLUICE_KILL_EVERY ?? 60)
const STARTS_AT = START + 10 * MINUTE
vi.setConfig({ testTimeout: 5_000_000 / EVERY })

const marginTrader = turningTrader('margin-trader', {
  fifth: (size, isFlat) => (isFlat ? enterShort({ size, stopLoss: { fraction: 0.006 } }) : exit()),
  sixth: (size, close) =>
    enterLong({ size, order: { type: 'limit', price: close * 1.01, timeInForce: 'IOC' } }),
})

function worldOf(seed: number, options: Partial<WorldOptions> = {}): BotWorld {
  const world = marginWorld({
    strategy: marginTrader,
    klines: busyKlines(60, seed),
    startAt: STARTS_AT,
    ...options,
  })
  tradeBeside(
    world,
    [2.3, 4.7, 6.9, 9.1].map(minutes => STARTS_AT + minutes * MINUTE),
  )
  return world
}

const played = (world: BotWorld, strategy = marginTrader, runMs?: number) =>
  playedOut(world, () => marginViolations(world, strategy), runMs)

describe('a margin bot that is killed', () => {
  it.each([24, 4])(
    'after any journal write, request or answer, and started again, has the books of the exchange, and books what others traded once (market %i)',
    async seed => {
      const calm = worldOf(seed)
      expect(await played(calm)).toEqual([])
      expect(calm.said('foreign trade on the account')).toHaveLength(4)
      const { history } = calm.user.margin
      expect(history.size).toBeGreaterThan(12)
      const moments = calm.moments.filter(isTelling).length
      calm.remove()
      for (let at = seed; at < moments; at += EVERY) {
        const world = worldOf(seed)
        world.killsAt = deathAt(at)
        expect(await played(world), `killed at moment ${at}`).toEqual([])
        world.remove()
      }
    },
  )

  it('has been long and short in these markets, by protective orders too', async () => {
    const calm = worldOf(24)
    await played(calm)
    const filled = new Set(
      calm.user.margin.history.orders
        .filter(({ executedQuantity }) => executedQuantity > 0)
        .map(({ clientOrderId }) => clientOrderId),
    )
    const kinds = calm
      .said('order submitted')
      .filter(({ clientOrderId }) => filled.has(String(clientOrderId)))
      .map(({ purpose, side, type }) => `${purpose} ${side} ${type}`)
    expect([...new Set(kinds)].toSorted()).toEqual([
      'entry buy limit',
      'entry buy market',
      'entry buy stop',
      'entry sell limit',
      'entry sell market',
      'exit buy market',
      'exit sell market',
      'stopLoss buy stop',
      'stopLoss sell stop',
    ])
    calm.remove()
  })

  it.each([0, 1, 2, 3, 4, 5])(
    'while it books what somebody else traded, and keeps its state all the time, books it once (moment %i after that)',
    async after => {
      const world = worldOf(24, { snapshotEntries: 1 })
      let passed = 0
      world.killsAt = moment =>
        isTelling(moment) && world.said('foreign trade on the account').length > 0 && passed++ === after
      expect(await played(world)).toEqual([])
      expect(world.lives).toBe(2)
      world.remove()
    },
  )

  it('between an order that must not rest and the cancel of its rest, takes the rest back when it is started again', async () => {
    // 0.4 BTC are offered within reach; the order is for 1.
    const taker = once(() => enterLong())
    const thinWorld = () =>
      marginWorld({
        strategy: taker,
        klines: flatMarket(100, 60),
        startAt: STARTS_AT,
        downMs: 500,
        exchange: { liquidity: { levelNotionals: ['40'] } },
      })
    const calm = thinWorld()
    calm.start()
    await calm.run(3 * MINUTE)
    expect(calm.user.margin.history.orders.map(({ status }) => status)).toEqual(['CANCELED'])
    const moments = calm.moments.filter(isTelling).length
    calm.remove()
    const [left, stayed]: [number[], number[]] = [[], []]
    for (let at = 0; at < moments; at++) {
      const world = thinWorld()
      const { history } = world.user.margin
      const dies = deathAt(at)
      world.killsAt = moment => {
        if (!dies(moment)) return false
        for (const [afterMs, open] of [[400, left] as const, [3000, stayed] as const]) // dead, and alive again
          world.clock.schedule(afterMs, () => {
            if (history.openCount > 0) open.push(at)
          })
        return true
      }
      expect(await played(world, taker, 3 * MINUTE)).toEqual([])
      world.remove()
    }
    expect(left.length).toBeGreaterThan(3)
    expect(stayed).toEqual([])
  })

  it('with answers that are lost or late besides, loses and doubles nothing either', async () => {
    for (let at = 2; at < 100; at += EVERY) {
      const world = worldOf(6, { passageOf: lossyPassages(at) })
      world.killsAt = deathAt(at)
      expect(await played(world), `killed at moment ${at}`).toEqual([])
      world.remove()
    }
  })
})
