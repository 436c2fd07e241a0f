import { afterEach, describe, expect, it } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { BotWorld, type WorldOptions } from '../world/bot-world.ts'
import type { ClockStep } from '../world/mortal-clock.ts'

const SECOND = 1000
const HOUR = 60 * MINUTE
const STARTED = START + 10 * MINUTE
/** Order of the entry rests below the market until this minute reaches it. */
const FILLED_IN = 14

/** The market stands at 100 and dips to 98 once: in minute 14. */
const KLINES = klinesOf(
  ...Array.from({ length: 60 }, (_, minute) =>
    minute === FILLED_IN ? ([100, 100, 98, 100] as const) : ([100, 100.5, 99.5, 100] as const),
  ),
)

const worlds: BotWorld[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove()
})

/** A world whose bot has one limit order at 98.5 from minute 11 on, and notes the klines it is shown. */
function watchedWorld(options: Partial<WorldOptions>) {
  const shown: Kline[] = []
  const strategy = defineStrategy({
    name: 'rests',
    state: () => ({ klines: 0 }),
    onKline: (kline, { state }) => {
      shown.push(kline)
      if (state.klines++ > 0) return undefined
      return enterLong({ order: { type: 'limit', price: 98.5 }, keep: true, stopLoss: 90 })
    },
  })
  const world = new BotWorld({ strategy, klines: KLINES, startAt: STARTED, ...options })
  worlds.push(world)
  world.start()
  return { world, shown, strategy }
}

/** What the exchange had told by a time, oldest first, behind the minute in which the bot was started. */
function closedBy(time: number): readonly Kline[] {
  return KLINES.filter(({ openTime }) => openTime >= STARTED && openTime + MINUTE <= time)
}

const STEPS: readonly (readonly [string, Omit<ClockStep, 'from'>])[] = [
  ['two hours ahead for 14 s', { aheadMs: 2 * HOUR, until: 14 * SECOND }],
  ['two hours behind for 14 s', { aheadMs: -2 * HOUR, until: 14 * SECOND }],
  ['20 s behind for 40 s', { aheadMs: -20 * SECOND, until: 40 * SECOND }],
  ['a day behind for good', { aheadMs: -24 * HOUR, until: 24 * HOUR }],
]

describe.each(STEPS)('a machine whose clock is set %s', (_name, { aheadMs, until }) => {
  /** Minute 12.5: an order rests, and no kline closes soon. */
  const from = STARTED + 2.5 * MINUTE
  const clockSteps = [{ from, until: from + until, aheadMs }]

  it('shows each kline once it is closed by the exchange’s time, and never before', async () => {
    const { world, shown } = watchedWorld({ clockSteps })
    await world.run(10 * MINUTE + 10 * SECOND)
    expect(shown).toEqual(closedBy(STARTED + 10 * MINUTE))
    expect(world.failures).toEqual([])
  })

  it('learns of a fill as soon as ever', async () => {
    const { world, strategy } = watchedWorld({ clockSteps })
    await world.run(4 * MINUTE - SECOND)
    expect(world.said('fill')).toEqual([])
    await world.run(MINUTE + 5 * SECOND)
    expect(world.said('fill')).toHaveLength(1)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
  })
})

describe.each([
  ['two hours ahead', 2 * HOUR],
  ['two hours behind', -2 * HOUR],
])('an exchange whose own clock is %s for 14 s', (_name, skewMs) => {
  it('is followed again once its clock is right', async () => {
    const { world, shown, strategy } = watchedWorld({ aheadMs: 0 })
    await world.run(2.5 * MINUTE)
    const rule = { fault: 'clockSkew', skewMs, until: '+14s' } as const
    world.exchange.stage({ type: 'setFault', time: world.clock.now(), rule })
    await world.run(2.5 * MINUTE + 5 * SECOND)
    expect(world.said('fill')).toHaveLength(1)
    await world.run(5 * MINUTE + 5 * SECOND)
    expect(shown).toEqual(closedBy(STARTED + 10 * MINUTE))
    expect(world.failures).toEqual([])
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, strategy)).toEqual([])
  })
})

describe.each(STEPS.slice(0, 2))(
  'a bot that leaves while the clock is set %s',
  (_name, { aheadMs, until }) => {
    it('leaves within its bound, whatever the exchange answers', async () => {
      const from = STARTED + 3 * MINUTE + SECOND
      const { world } = watchedWorld({
        clockSteps: [{ from, until: from + until, aheadMs }],
        execution: { stopWithinMs: 20 * SECOND },
      })
      await world.run(3 * MINUTE)
      const { clock, exchange } = world
      const rule = { fault: 'serverError', endpoint: '/sapi/v2/cancel' } as const
      exchange.stage({ type: 'setFault', time: clock.now(), rule })
      expect(await world.leave(21 * SECOND)).toBe(true)
      expect(world.said('left with unconfirmed orders')).toHaveLength(1)
    })
  },
)
