import { describe, expect, it, vi } from 'vitest'
import { baseStepsOf } from '../../execution/execution-session.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { deathAt, isTelling } from '../seeds/death-at.ts'
import { playedOut } from '../seeds/played-out.ts'
import { BotWorld, type WorldOptions } from '../world/bot-world.ts'
import { busyKlines, busyStrategy } from '../world/busy-market.ts'
import { lossyPassages } from '../world/lossy-passages.ts'

/** Set to 1 for the proof at every single moment; by default every so-manieth, which differ from seed to seed. */
const EVERY = Number(process.env.SLUICE_KILL_EVERY ?? 40)
vi.setConfig({ testTimeout: 5_000_000 / EVERY })

function worldOf(seed: number, options: Partial<WorldOptions> = {}): BotWorld {
  return new BotWorld({
    strategy: busyStrategy,
    klines: busyKlines(60, seed),
    startAt: START + 10 * MINUTE,
    ...options,
  })
}

const played = (world: BotWorld) => playedOut(world, () => violations(world, busyStrategy))

describe('a bot that is killed', () => {
  it.each([3, 4])(
    'after any journal write, request or answer, and started again, never doubles and never loses an order (market %i)',
    async seed => {
      const calm = worldOf(seed)
      expect(await played(calm)).toEqual([])
      const moments = calm.moments.filter(isTelling).length
      calm.remove()
      expect(moments).toBeGreaterThan(100)
      for (let at = seed; at < moments; at += EVERY) {
        const world = worldOf(seed)
        world.killsAt = deathAt(at)
        expect(await played(world), `killed at moment ${at}`).toEqual([])
        expect(world.lives, `killed at moment ${at}`).toBe(2)
        world.remove()
      }
    },
  )

  it('while its orders leave in parts, sends every part once and books all of them as one order', async () => {
    const calm = worldOf(3, { maxVolume: '0.9' })
    expect(await played(calm)).toEqual([])
    const moments = calm.moments.filter(isTelling).length
    const sent = calm.user.history.orders
    const parts = sent.filter(({ clientOrderId }) => clientOrderId?.includes('.'))
    expect(parts.length).toBeGreaterThan(10)
    expect(Math.max(...parts.map(baseStepsOf))).toBeLessThanOrEqual(900)
    calm.remove()
    for (let at = 7; at < moments; at += EVERY) {
      const world = worldOf(3, { maxVolume: '0.9' })
      world.killsAt = deathAt(at)
      expect(await played(world), `killed at moment ${at}`).toEqual([])
      world.remove()
    }
  })

  it('again and again, also while it recovers, ends as well as one that never was', async () => {
    const world = worldOf(5, { downMs: 3000 })
    let passed = 0
    world.killsAt = moment => isTelling(moment) && passed++ % 23 === 22
    expect(await played(world)).toEqual([])
    expect(world.lives).toBeGreaterThan(4)
    world.remove()
  })

  it('with answers that are lost or late besides, loses nothing either', async () => {
    for (let at = 2; at < 100; at += EVERY) {
      const world = worldOf(6, { passageOf: lossyPassages(at) })
      world.killsAt = deathAt(at)
      expect(await played(world), `killed at moment ${at}`).toEqual([])
      world.remove()
    }
  })

  it('restores from what is kept, where old entries are dropped, and replays from there', async () => {
    const world = worldOf(3, { snapshotEntries: 10, keepEntries: 15 })
    world.killsAt = (_moment, index) => index === 400
    expect(await played(world)).toEqual([])
    const [restored] = world.said('restored from the journal')
    expect(restored).toMatchObject({ snapshot: expect.any(Number) })
    expect(restored?.snapshot).toBeGreaterThan(0)
    expect(restored?.entries).toBeLessThan(40)
    world.remove()
  })
})
