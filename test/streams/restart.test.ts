import { filter, finalize, map, merge, of, scan, switchMap, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../src/bot/state/replay-journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import {
  enterLong,
  exit,
  integer,
  klines as klinesFeed,
  type Strategy,
  sma,
} from '../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../src/streams/index.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { EngineSession } from '../engine/engine-session.ts'
import { violations } from '../simulation/invariants.ts'
import { BotWorld } from '../simulation/world/bot-world.ts'
import { klinesOf, MINUTE, START } from '../simulator/exchange-caller.ts'
import { emptyView } from '../strategy/strategy-view.ts'

/** Counts klines and its own fills, which only the streams remember, and trades by both. */
const counter = defineStreamStrategy({
  name: 'counter',
  parameters: { every: integer({ default: 3, min: 1, max: 50, description: 'Klines.' }) },
  indicators: () => ({ average: sma(2) }),
  signals: ({ klines$, fills$, context, parameters: { every }, indicators: { average } }) =>
    merge(klines$.pipe(map(() => 'kline')), fills$.pipe(map(() => 'fill'))).pipe(
      scan(
        ({ klines, fills }, what) =>
          what === 'fill' ? { klines, fills: fills + 1 } : { klines: klines + 1, fills },
        { klines: 0, fills: 0 },
      ),
      filter(({ klines, fills }) => (klines + fills) % every === 0 && average.value > 0),
      map(() => (context.position.direction === 'flat' ? enterLong() : exit())),
    ),
})

function worldOf(strategy: Strategy = counter): BotWorld {
  const klines = klinesOf(...Array.from({ length: 60 }, (_, row) => [100, 101, 99, 100 + (row % 2)] as const))
  return new BotWorld({ strategy, klines, startAt: START + 10 * MINUTE })
}

/** Counts klines, which is all that its streams remember, and turns every so often, by market time as well. */
const clockwork = defineStreamStrategy({
  name: 'clockwork',
  remembers: 'klines',
  indicators: () => ({ average: sma(2) }),
  signals: ({ klines$, context, indicators: { average } }) =>
    klines$.pipe(
      scan(count => count + 1, 0),
      filter(count => count % 4 === 0 && average.value > 0),
      switchMap(() =>
        merge(of(enterLong({ scaleIn: true })), timer(90_000, context.scheduler).pipe(map(() => exit()))),
      ),
    ),
})

const RESTARTS: [string, (world: BotWorld) => Promise<void>][] = [
  [
    'stopped in order',
    async world => {
      await world.leave(10_000)
      world.start()
    },
  ],
  ['killed', async world => world.kill()],
]

describe('a bot of streams that is started again on its journal', () => {
  it.each(RESTARTS)('decides as one that has never stopped, after it was %s', async (_how, restart) => {
    const [world, other] = [worldOf(), worldOf()]
    for (const each of [world, other]) {
      each.start()
      await each.run(4.5 * MINUTE)
    }
    const before = signals(world).length
    await restart(world)
    await world.run(START + 25 * MINUTE - world.clock.now())
    await other.run(START + 25 * MINUTE - other.clock.now())
    expect(before).toBeGreaterThan(0)
    expect(signals(world).length).toBeGreaterThan(before + 2)
    expect(signals(world)).toEqual(signals(other))
    for (const each of [world, other]) expect(await each.leave(MINUTE)).toBe(true)
    expect(world.failures).toEqual([])
    expect(await violations(world, counter)).toEqual([])
    expect(await replayed(world)).toMatchObject({ sessions: 2, difference: undefined })
    for (const each of [world, other]) each.remove()
  })

  it('says at its start that the whole journal will run again', async () => {
    const world = worldOf()
    world.start()
    await world.run(1000)
    const said = JSON.stringify(world.lines)
    expect(said).toContain('The state of strategy \\"counter\\" on BTC/USDT is more than plain data')
    await world.leave(MINUTE)
    world.remove()
  })

  it.each(RESTARTS)(
    'goes on from a kept state where its streams remember klines only, after it was %s',
    async (_how, restart) => {
      const [world, other] = [worldOf(clockwork), worldOf(clockwork)]
      for (const each of [world, other]) {
        each.start()
        await each.run(16.5 * MINUTE)
      }
      await restart(world)
      for (const each of [world, other]) await each.run(START + 40 * MINUTE - each.clock.now())
      const restored = world.said('restored from the journal')
      expect(restored.map(({ snapshot }) => Number(snapshot) > 0)).toEqual([true])
      expect(signals(world).length).toBeGreaterThan(8)
      expect(signals(world)).toEqual(signals(other))
      for (const each of [world, other]) expect(await each.leave(MINUTE)).toBe(true)
      expect(world.failures).toEqual([])
      expect(world.said('the journal cannot keep the state of the bot')).toEqual([])
      expect(await replayed(world, clockwork)).toMatchObject({ sessions: 2, difference: undefined })
      for (const each of [world, other]) each.remove()
    },
  )

  it('refuses the state that handlers of the same name have kept', () => {
    const run = counter.start({}, emptyView())
    expect(() => run.restoreMemory({ klines: 3 }, 1)).toThrow(
      'The kept state of strategy "counter" cannot be used: it is that of handlers, and the strategy is one of streams now.',
    )
  })

  it('begins its streams afresh where its parameters have changed', async () => {
    const world = worldOf()
    world.start()
    await world.run(4.5 * MINUTE)
    await world.leave(10_000)
    world.setup = { ...world.setup, parameters: { every: 50 } }
    world.start()
    const before = signals(world).length
    await world.run(10 * MINUTE)
    expect(signals(world)).toHaveLength(before)
    await world.leave(MINUTE)
    expect(world.failures).toEqual([])
    expect(await replayed(world)).toMatchObject({ sessions: 2, difference: undefined })
    world.remove()
  })
})

describe('an engine that is made anew for another configuration', () => {
  it('begins the streams afresh, and shows them all klines from before without deciding on them', () => {
    const seen: unknown[] = []
    const keeper = defineStreamStrategy({
      name: 'keeper',
      indicators: () => ({ average: sma(2) }),
      warmUp: () => 0,
      signals: ({ klines$, context, indicators: { average } }) =>
        klines$.pipe(
          scan((sum, { close }) => sum + close, 0),
          map(sum => {
            seen.push([sum, average.value, context.time, context.position.direction])
            return sum === 30 ? enterLong({ size: { base: 1 } }) : undefined
          }),
        ),
    })
    const first = new EngineSession(keeper)
    for (const price of [10, 20]) first.kline(price)
    first.fill(1, 20)
    const second = new EngineSession(keeper)
    const klines = first.events.flatMap(event => (event.type === 'klineClosed' ? [event.kline] : []))
    seen.length = 0
    second.engine.restore(first.engine.snapshot(), () => klines)
    const kline = { openTime: 2 * MINUTE, open: 40, high: 40, low: 40, close: 40, volume: 1 }
    second.process({ type: 'historySeen', symbol: 'BTC/USDT', interval: '1m', kline })
    second.process({
      ...{ type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m' },
      kline: { ...kline, openTime: 3 * MINUTE, close: 60 },
    })
    // Each with the average as it was there, and the position as it is now: nothing, (10 + 20) / 2, (20 + 40) / 2, (40 + 60) / 2.
    expect(seen).toEqual([
      [10, Number.NaN, MINUTE, 'long'],
      [30, 15, 2 * MINUTE, 'long'],
      [70, 30, 3 * MINUTE, 'long'],
      [130, 50, 4 * MINUTE, 'long'],
    ])
    // They signaled at 30, and did so in the past.
    expect(second.placed).toEqual([])
  })
})

function signals(world: BotWorld): readonly unknown[] {
  return world.said('signal').map(({ at, signal }) => [at, signal])
}

async function replayed(world: BotWorld, strategy: Strategy = counter) {
  const reader = new JournalReader(world.journalPath)
  try {
    return await replayJournal(reader, async () => strategy)
  } finally {
    reader.close()
  }
}

describe('the streams of a strategy', () => {
  /** Says when its streams are let go of. */
  const ending = (ended: string[]) =>
    defineStreamStrategy({
      name: 'ending',
      remembers: 'klines',
      signals: ({ klines$ }) =>
        klines$.pipe(
          map(() => undefined),
          finalize(() => ended.push('ended')),
        ),
    })

  it('are let go of when the bot leaves in order, once', async () => {
    const ended: string[] = []
    const world = worldOf(ending(ended))
    world.start()
    await world.run(3 * MINUTE)
    expect(ended).toEqual([])
    await world.leave(MINUTE)
    expect(ended).toEqual(['ended'])
    world.remove()
  })

  it('are let go of at the end of a backtest', () => {
    const ended: string[] = []
    tryStrategy(ending(ended), { klines: klineScript('1m').closes(100, 101, 102) })
    expect(ended).toEqual(['ended'])
  })

  it('may not remember klines only where they are shown those of a feed', () => {
    const several = defineStreamStrategy({
      name: 'several',
      remembers: 'klines',
      feeds: () => ({ hours: klinesFeed({ interval: '1h' }) }),
      signals: ({ klines$ }) => klines$.pipe(map(() => undefined)),
    })
    expect(() => several.start({}, emptyView())).toThrow(
      'The streams of strategy "several" remember klines only, but also get those of the feed "hours", and the order among them is not stored. Leave out remembers, or make longer klines of klines$ with resample.',
    )
  })

  it('refuse a state of streams that remembered less', () => {
    expect(() => counter.start({}, emptyView()).restoreMemory({ streams: 'klines' }, 1)).toThrow(
      'it is that of streams that remember klines only, and these remember more.',
    )
  })
})
