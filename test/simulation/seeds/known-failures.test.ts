import { describe, expect, it } from 'vitest'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { journalText } from '../../../src/journal/journal-text.ts'
import { defineStrategy, enterLong, type Strategy } from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { BotWorld, type WorldOptions } from '../world/bot-world.ts'

const FLAT = [100, 100, 100, 100] as const

/** Says one thing on its first kline. */
function once(signal: ReturnType<typeof enterLong>): Strategy {
  return defineStrategy({
    name: 'once',
    state: () => ({ isDone: false }),
    onKline: (_kline, { state }) => {
      if (state.isDone) return undefined
      state.isDone = true
      return signal
    },
  })
}

function worldOf(strategy: Strategy, options: Partial<WorldOptions> = {}): BotWorld {
  const klines = klinesOf(...Array.from({ length: 60 }, () => FLAT))
  return new BotWorld({ strategy, klines, startAt: START + 10 * MINUTE, ...options })
}

const PLACE = '/sapi/v2/order'

/** A placement travels nearly as long as it may: recvWindow is 5 s. */
const slowPlacement: NonNullable<WorldOptions['passageOf']> = ({ method, url }) =>
  method === 'POST' && new URL(url).pathname === PLACE ? { thereMs: 4000 } : undefined

describe('known failures of other bots', () => {
  it('send before persist: whatever leaves is in the journal on the disk already, decision and departure', async () => {
    const strategy = once(enterLong())
    const world = worldOf(strategy)
    const missing: string[] = []
    let writes = 0
    world.killsAt = moment => {
      if (moment !== 'left') return false
      writes++
      const reader = new JournalReader(world.journalPath)
      const text = journalText([...reader.entries()])
      reader.close()
      if (!/"action":"place"/.test(text)) missing.push('the departure')
      if (!/"type":"placeOrder"/.test(text)) missing.push('the decision')
      return true
    }
    world.start()
    await world.run(3 * MINUTE)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(writes).toBe(1)
    expect(missing).toEqual([])
    expect(world.said('order unknown')).toHaveLength(1)
    expect(world.user.history.orders).toHaveLength(1)
    expect(world.said('fill')).toHaveLength(1)
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it('a decision whose order was never sent is given up at a restart, and leads to no order', async () => {
    const strategy = once(enterLong())
    const world = worldOf(strategy)
    let isDecided = false
    world.killsAt = moment => {
      if (moment !== 'leaving' || isDecided) return false
      isDecided = true
      return true
    }
    world.start()
    await world.run(3 * MINUTE)
    expect(await world.leave(MINUTE)).toBe(true)
    // It may have left, for all the journal knows: it only counts as never placed after the deadline.
    expect(world.said('order unknown')).toHaveLength(1)
    expect(world.said('order expired')).toHaveLength(1)
    expect(world.user.history.orders).toEqual([])
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it.each([
    ['the answer is lost', { backMs: Number.POSITIVE_INFINITY }, 1],
    ['the request is lost', { thereMs: Number.POSITIVE_INFINITY }, 0],
    ['the request arrives after the timeout', { thereMs: 3000 }, 1],
  ])(
    'timeout taken for a failure: where %s, nothing is sent a second time',
    async (_name, passage, orders) => {
      const strategy = defineStrategy({
        name: 'eager',
        state: () => ({ entries: 0 }),
        onKline: (_kline, { position, state }) => {
          if (position.direction !== 'flat' || state.entries > 0) return undefined
          state.entries++
          return enterLong()
        },
      })
      let sent = 0
      const passageOf: NonNullable<WorldOptions['passageOf']> = ({ method, url }) => {
        if (method !== 'POST' || new URL(url).pathname !== PLACE) return undefined
        sent++
        return passage
      }
      const world = worldOf(strategy, { passageOf })
      world.start()
      await world.run(4 * MINUTE)
      expect(await world.leave(MINUTE)).toBe(true)
      expect(sent).toBe(1)
      expect(world.user.history.orders).toHaveLength(orders)
      expect(world.said('order rejected')).toEqual([])
      expect(await violations(world, strategy)).toEqual([])
      world.remove()
    },
  )

  it('SIGKILL with a request on its way: an order that arrives only after the restart is not given up before', async () => {
    const strategy = once(enterLong())
    const world = worldOf(strategy, { downMs: 1000, passageOf: slowPlacement })
    let isKilled = false
    world.killsAt = moment => {
      if (moment !== 'left' || isKilled) return false
      isKilled = true
      return true
    }
    world.start()
    await world.run(2 * MINUTE)
    expect(world.said('order unknown')).toHaveLength(1)
    expect(world.said('order expired')).toEqual([])
    expect(world.said('fill')).toHaveLength(1)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it('SIGKILL with working orders: what filled meanwhile is booked once, and protected', async () => {
    const strategy = once(enterLong({ order: { type: 'limit', price: 99 }, stopLoss: 95, takeProfit: 110 }))
    const dip = [100, 100, 98, 99.5] as const
    // The dip is in the minute in which the bot is dead.
    const klines = klinesOf(...Array.from({ length: 60 }, (_, minute) => (minute === 12 ? dip : FLAT)))
    const world = worldOf(strategy, { klines, downMs: 90_000 })
    world.start()
    await world.run(MINUTE + 30_000)
    expect(world.user.history.openCount).toBe(1)
    world.kill()
    await world.run(4 * MINUTE)
    expect(world.lives).toBe(2)
    expect(world.said('fill')).toHaveLength(1)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(world.user.history.orders).toHaveLength(1)
    expect(world.said('order open').map(({ purpose }) => purpose)).toEqual([
      'entry',
      'stopLoss',
      'takeProfit',
    ])
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it('a stop whose price came while the bot was dead is sent at the first quote after', async () => {
    const strategy = once(enterLong({ stopLoss: 95 }))
    const low = [94, 94, 94, 94] as const
    const klines = klinesOf(...Array.from({ length: 60 }, (_, minute) => (minute < 12 ? FLAT : low)))
    const world = worldOf(strategy, { klines, downMs: 90_000 })
    world.start()
    await world.run(MINUTE + 30_000)
    expect(world.said('fill')).toHaveLength(1)
    world.kill()
    await world.run(2 * MINUTE)
    expect(world.said('round trip closed')).toEqual([expect.objectContaining({ exitReason: 'stopLoss' })])
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it('a trailing stop follows the klines that it did not see itself', async () => {
    const strategy = once(enterLong({ trailingStop: { distance: 5 } }))
    const rise = [100, 112, 100, 108] as const
    const after = [106.8, 106.8, 106.8, 106.8] as const
    const klines = klinesOf(
      ...Array.from({ length: 60 }, (_, minute) => (minute < 12 ? FLAT : minute === 12 ? rise : after)),
    )
    const world = worldOf(strategy, { klines, downMs: 90_000 })
    world.start()
    await world.run(MINUTE + 30_000)
    expect(world.said('fill')).toHaveLength(1)
    world.kill()
    await world.run(3 * MINUTE)
    // 112 less 5 is 107; of the prices that the bot saw itself, the best is 106.8.
    expect(world.said('round trip closed')).toEqual([expect.objectContaining({ exitReason: 'trailingStop' })])
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it.each([{ distance: 5 }, { distance: 5, activation: { fraction: 0.1 } }])(
    'a trailing stop remembers the best price that it saw itself, in the kline of its entry: %o',
    async trailingStop => {
      const strategy = once(enterLong({ trailingStop }))
      const entered = [100, 112, 100, 112] as const
      const after = [106.8, 106.8, 106.8, 106.8] as const
      const klines = klinesOf(
        ...Array.from({ length: 60 }, (_, minute) => (minute < 11 ? FLAT : minute === 11 ? entered : after)),
      )
      const world = worldOf(strategy, { klines })
      world.start()
      await world.run(MINUTE + 55_000)
      expect(world.said('fill')).toHaveLength(1)
      world.kill()
      await world.run(2 * MINUTE)
      // 112 less 5 is 107; the kline of 112 began before the stop was placed, so that it tells nothing after a restart.
      expect(world.said('round trip closed')).toEqual([
        expect.objectContaining({ exitReason: 'trailingStop' }),
      ])
      expect(await world.leave(MINUTE)).toBe(true)
      expect(await violations(world, strategy)).toEqual([])
      world.remove()
    },
  )

  it('a strategy sees where its trailing stop stands, also by what only quotes have shown', async () => {
    const seen: (number | undefined)[] = []
    const strategy = defineStrategy({
      name: 'looking',
      state: () => ({ isDone: false }),
      onKline(_kline, { state, orders }) {
        for (const { purpose, stopPrice } of orders) if (purpose === 'trailingStop') seen.push(stopPrice)
        if (state.isDone) return undefined
        state.isDone = true
        return enterLong({ trailingStop: { distance: 5 } })
      },
    })
    const entered = [100, 112, 100, 112] as const
    const after = [112, 114, 112, 112] as const
    const klines = klinesOf(
      ...Array.from({ length: 60 }, (_, minute) => (minute < 11 ? FLAT : minute === 11 ? entered : after)),
    )
    const world = worldOf(strategy, { klines })
    world.start()
    await world.run(3.5 * MINUTE)
    // 112 - 5 at the close of the kline that it was entered in, and 114 - 5 at the next.
    expect(seen).toEqual([107, 109])
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
    world.remove()
  })

  it('a cancel that was under way is asked for again', async () => {
    const strategy = defineStrategy({
      name: 'taking-back',
      state: () => ({ row: 0 }),
      onKline: (_kline, { state }) =>
        state.row++ === 0 ? enterLong({ order: { type: 'limit', price: 90 } }) : { type: 'cancelEntries' },
    })
    let cancels = 0
    const passageOf: NonNullable<WorldOptions['passageOf']> = ({ url }) => {
      if (!url.endsWith('/cancel')) return undefined
      return cancels++ === 0 ? { thereMs: Number.POSITIVE_INFINITY } : undefined
    }
    const lossy = worldOf(strategy, { passageOf })
    lossy.killsAt = moment => moment === 'left' && cancels === 1
    lossy.start()
    await lossy.run(2 * MINUTE + 30_000)
    expect(lossy.lives).toBe(2)
    expect(lossy.user.history.openCount).toBe(0)
    expect(cancels).toBe(2)
    expect(await lossy.leave(MINUTE)).toBe(true)
    expect(await violations(lossy, strategy)).toEqual([])
    lossy.remove()
  })
})
