import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { JournalError } from '../../../src/journal/journal-error.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { defineStrategy, ema, enterLong, exit, type Strategy } from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { BotWorld, SYMBOL, type WorldOptions } from '../world/bot-world.ts'

const FLAT = [100, 100, 100, 100] as const

/** Enters once, protected; then only watches. */
const holder = defineStrategy({
  name: 'holder',
  parameters: { length: { type: 'integer', default: 3, min: 1, max: 50, description: 'Klines.' } },
  indicators: ({ length }) => ({ average: ema(length) }),
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state, position }) =>
    state.klines++ === 0 && position.direction === 'flat' ? enterLong({ stopLoss: 95 }) : undefined,
})

function worldOf(options: Partial<WorldOptions> = {}): BotWorld {
  const klines = klinesOf(...Array.from({ length: 60 }, () => FLAT))
  return new BotWorld({ strategy: holder, klines, startAt: START + 10 * MINUTE, ...options })
}

/** A world whose bot holds a protected position and was stopped in order. */
async function stopped(options: Partial<WorldOptions> = {}): Promise<BotWorld> {
  const world = worldOf(options)
  world.start()
  await world.run(2 * MINUTE)
  expect(world.said('fill')).toHaveLength(1)
  expect(await world.leave(MINUTE)).toBe(true)
  return world
}

function openOrders(world: BotWorld): readonly unknown[] {
  return world.said('restored from the journal').map(({ orders }) => orders)
}

describe('a bot that is started again on its journal', () => {
  it('goes on with position, protection and the memory of its strategy', async () => {
    const world = await stopped()
    world.start()
    await world.run(3 * MINUTE)
    expect(openOrders(world)).toEqual([1])
    expect(world.said('signal')).toHaveLength(1)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, holder)).toEqual([])
    const reader = new JournalReader(world.journalPath)
    expect(await replayJournal(reader, async () => holder)).toMatchObject({
      sessions: 2,
      difference: undefined,
    })
    reader.close()
    world.remove()
  })

  it('keeps protecting a position when its parameters have changed', async () => {
    const world = await stopped()
    world.setup = { ...world.setup, parameters: { length: 7 } }
    world.start()
    await world.run(2 * MINUTE)
    expect(world.failures).toEqual([])
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, holder)).toEqual([])
    world.remove()
  })

  it('keeps protecting a position when another strategy takes its symbol over', async () => {
    const world = await stopped()
    const other = defineStrategy({ name: 'other', onKline: ({ close }) => (close > 0 ? exit() : undefined) })
    world.setup = { ...world.setup, strategy: other }
    world.start()
    await world.run(2 * MINUTE)
    expect(world.said('round trip closed')).toHaveLength(1)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(world.failures).toEqual([])
    world.remove()
  })

  it.each([
    [
      'its symbol is traded by no strategy any more',
      { symbol: 'ETH/USDT' },
      /open position or order of BTC\/USDT/,
    ],
    [
      'the journal belongs to another bot',
      { bot: 'other' },
      /belongs to the bot "world", but this one is "other"/,
    ],
  ])('refuses to start where %s', async (_name, change, message) => {
    const world = await stopped()
    world.setup = { ...world.setup, ...change }
    world.start()
    await world.run(1000)
    expect(world.failures).toEqual([expect.any(UsageError)])
    expect(String(world.failures[0])).toMatch(message)
    world.remove()
  })

  it('starts with an instrument halted that the exchange counts in other decimals than its journal', async () => {
    const world = await stopped()
    const rule = { fault: 'changedPrecision', symbol: SYMBOL, quantityPrecision: 2 } as const
    world.exchange.stage({ type: 'setFault', time: world.clock.now(), rule })
    world.start()
    const before = world.user.history.size
    await world.run(3 * MINUTE)
    const [halt] = world.said('trading halted')
    expect(halt).toMatchObject({ scope: SYMBOL, mode: 'halted' })
    expect(JSON.stringify(halt)).toMatch(
      /counts BTC\/USDT in 2 decimals of its price and 2 of its quantity, but the journal in 2 .* and 3 of/,
    )
    expect(world.user.history.size).toBe(before)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(world.failures).toEqual([])
    world.remove()
  })

  it('refuses to start where a strategy that was changed while the bot lay dead decides otherwise', async () => {
    const world = worldOf({ snapshotEntries: 1_000_000, downMs: 1e9 })
    world.start()
    await world.run(2 * MINUTE)
    world.kill()
    const changed: Strategy = defineStrategy({ name: 'holder', onKline: () => exit() })
    world.setup = { ...world.setup, strategy: changed }
    world.start()
    await world.run(1000)
    expect(world.failures).toEqual([expect.any(JournalError)])
    expect(String(world.failures[0])).toMatch(/leads to another decision than the recorded one/)
    world.remove()
  })

  it('runs the whole journal again where a strategy keeps what no journal can hold, and says so', async () => {
    class Counter {
      count = 0
    }
    const odd = defineStrategy({
      name: 'odd',
      state: () => new Counter(),
      onKline: (_kline, { state }) => (state.count++ === 0 ? enterLong({ stopLoss: 95 }) : undefined),
    })
    const world = worldOf({ strategy: odd, snapshotEntries: 5 })
    world.start()
    await world.run(2 * MINUTE)
    world.kill()
    await world.run(2 * MINUTE)
    expect(world.said('the journal cannot keep the state of the bot').length).toBeGreaterThan(0)
    expect(world.said('restored from the journal')).toEqual([expect.objectContaining({ snapshot: 0 })])
    expect(world.said('signal')).toHaveLength(1)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(await violations(world, odd)).toEqual([])
    world.remove()
  })

  it('asks no strategy about the klines that closed while it was down, but shows them to its indicators', async () => {
    const seen: number[] = []
    const watcher = defineStrategy({
      name: 'watcher',
      indicators: () => ({ average: ema(3) }),
      onKline: ({ openTime }, { indicators }) => {
        seen.push((openTime - START) / MINUTE, indicators.average.value)
        return undefined
      },
    })
    const closes = Array.from({ length: 60 }, (_, minute) => 100 + minute)
    const klines = klinesOf(...closes.map(close => [close, close, close, close] as const))
    const world = worldOf({ strategy: watcher, klines, downMs: 5 * MINUTE })
    world.start()
    await world.run(90_000)
    world.kill()
    await world.run(6 * MINUTE + 31_000)
    // What it decided on the first is run again to restore it.
    expect(seen.filter((_, index) => index % 2 === 0)).toEqual([10, 10, 16, 17])
    const average = ema(3)
    const expected: number[] = []
    for (const [minute, close] of closes.entries()) {
      if (minute >= 7) average.update({ openTime: 0, open: close, high: close, low: close, close, volume: 0 })
      expected.push(average.value)
    }
    expect(seen.at(-1)).toBe(expected[17])
    world.remove()
  })
})

describe('leaving', () => {
  it('keep: leaves every order at the exchange, and finds it again', async () => {
    const bidder = defineStrategy({
      name: 'bidder',
      onKline: (_kline, { orders }) =>
        orders.length === 0 ? enterLong({ order: { type: 'limit', price: 90 } }) : undefined,
    })
    const world = worldOf({ strategy: bidder, execution: { onStop: 'keep' } })
    world.start()
    await world.run(90_000)
    expect(await world.leave(10_000)).toBe(true)
    expect(world.user.history.openCount).toBe(1)
    world.start()
    await world.run(2 * MINUTE)
    expect(openOrders(world)).toEqual([1])
    expect(world.user.history.orders).toHaveLength(1)
    expect(world.failures).toEqual([])
    world.remove()
  })

  it('flatten: closes what is held, and has nothing left to protect', async () => {
    const world = worldOf({ execution: { onStop: 'flatten' } })
    world.start()
    await world.run(2 * MINUTE)
    expect(await world.leave(MINUTE)).toBe(true)
    expect(world.said('round trip closed')).toEqual([expect.objectContaining({ exitReason: 'operator' })])
    expect(await violations(world, holder)).toEqual([])
    expect(world.user.account.holding('BTC').free).toBeLessThan(10n ** 15n)
    world.remove()
  })

  it.each(['cancel', 'flatten'] as const)(
    '%s: is over within its time where the exchange is gone',
    async onStop => {
      const passageOf = () => (isGone ? { thereMs: Number.POSITIVE_INFINITY } : undefined)
      let isGone = false
      const bidder = defineStrategy({
        name: 'bidder',
        onKline: () => enterLong({ order: { type: 'limit', price: 90 } }),
      })
      const world = worldOf({ strategy: bidder, passageOf, execution: { onStop, stopWithinMs: 7000 } })
      world.start()
      await world.run(90_000)
      isGone = true
      expect(await world.leave(7001)).toBe(true)
      expect(world.said('left with unconfirmed orders')).toHaveLength(1)
      world.remove()
    },
  )
})
