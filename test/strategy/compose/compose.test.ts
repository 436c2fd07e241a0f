import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run-backtest.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import { isPlainData } from '../../../src/journal/plain-data.ts'
import {
  atrRisk,
  atrTrail,
  breakeven,
  compose,
  cooldownAfterLoss,
  definePart,
  defineStrategy,
  enterLong,
  enterShort,
  every,
  exit,
  fixedFraction,
  integer,
  klines,
  leavingWith,
  maxTradesPerDay,
  type Part,
  protect,
  type Strategy,
  sma,
  targetPosition,
  timeStop,
  trendFilter,
} from '../../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../../src/streams/index.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { ETH, fillWords, klinesAt, marketOf, several } from '../../backtest/markets/several.ts'
import { DeskSession, scripted } from '../../engine/desk-session.ts'
import { emptyView } from '../strategy-view.ts'

const flat = (price: number) => [price, price, price, price] as const

function composed(
  script: Readonly<Record<number, Signal | readonly Signal[]>>,
  ...parts: Part[]
): DeskSession {
  return new DeskSession(compose(scripted(script), { name: 'composed', parts: () => parts }))
}

/** Allows nothing while a flag is set. */
function switchedOff(flag: { off: boolean }): Part {
  return definePart({ name: 'switch', allows: () => !flag.off })
}

/** Stops at what a list says, kline by kline. */
function stopsAt(...levels: readonly (number | undefined)[]): Part {
  let kline = 0
  return definePart({ name: 'stops', stopOf: () => levels[kline++] })
}

describe('a filter', () => {
  const off = { off: true }

  it('holds entries back', () => {
    const session = composed({ 0: enterLong(), 1: enterShort() }, switchedOff(off))
    expect([session.kline(100), session.kline(100)]).toEqual([[], []])
  })

  it('holds back what another allows', () => {
    const session = composed({ 0: enterLong() }, switchedOff({ off: false }), switchedOff(off))
    expect(session.kline(100)).toEqual([])
  })

  it('lets exits and everything else pass', () => {
    const flag = { off: false }
    const session = composed(
      { 0: enterLong({ stopLoss: 90 }), 1: protect({ stopLoss: 95 }), 2: exit() },
      switchedOff(flag),
    )
    session.kline(100)
    session.fill(1, 100)
    flag.off = true
    expect(session.kline(100)).toEqual(['cancel 2'])
    session.update(2, 'canceled')
    expect(session.kline(100).at(-1)).toBe('exit sell 1 market reduceOnly')
  })

  it.each([
    ['more', { base: 3 }, []],
    ['less', { base: 1 }, ['exit sell 1 market reduceOnly']],
    ['nothing', { base: 0 }, ['exit sell 2 market reduceOnly']],
    ['more, by worth', { quote: 210 }, []],
    ['less, by worth', { quote: 100 }, ['exit sell 1 market reduceOnly']],
    ['more, by equity', { equityFraction: 0.021 }, []],
    ['less, by equity', { equityFraction: 0.01 }, ['exit sell 1 market reduceOnly']],
    ['the other side', { base: -1 }, ['exit sell 2 market reduceOnly']],
  ] as const)('lets a target make two units smaller, not larger: %s', (_what, size, expected) => {
    const flag = { off: false }
    const session = composed(
      { 0: enterLong({ size: { base: 2 } }), 1: targetPosition(size) },
      switchedOff(flag),
    )
    session.kline(100)
    session.fill(1, 100)
    flag.off = true
    expect(session.kline(100)).toEqual(expected)
  })

  it('keeps a target from opening a position', () => {
    expect(composed({ 0: targetPosition({ base: 1 }) }, switchedOff(off)).kline(100)).toEqual([])
  })

  it('concerns what is signaled on fills and orders too', () => {
    const again = defineStrategy({
      name: 'again',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
      onFill: () => enterLong({ scaleIn: true }),
    })
    const flag = { off: false }
    const session = new DeskSession(compose(again, { name: 'composed', parts: () => [switchedOff(flag)] }))
    session.kline(100)
    flag.off = true
    expect(session.fill(1, 100)).toEqual([])
  })
})

describe('sizing', () => {
  it('takes the place of the size of an entry, and gives it a stop', () => {
    // The first is asked for when there is an ATR of one kline: 10; half a percent of 10000 at a stop 20 away is 2.5 units.
    const session = composed(
      { 0: enterLong({ size: { base: 9 } }) },
      atrRisk({ klines: 1, multiple: 2, fraction: 0.005 }),
    )
    expect([100, 110].map(price => session.kline(price))).toEqual([[], []])
    expect(session.kline(120)).toEqual(['entry buy 2.5 market'])
    expect(session.fill(1, 120)).toEqual(['stopLoss sell 2.5 stop 100 reduceOnly'])
  })

  it('goes by the last part that names one', () => {
    const session = composed({ 0: enterLong() }, fixedFraction(0.5), fixedFraction(0.1))
    expect(session.kline(100)).toEqual(['entry buy 10 market'])
  })
})

describe('stops of parts', () => {
  /** One unit long since the first kline, at 100. */
  function held(entry: Signal, ...parts: Part[]): DeskSession {
    const session = composed({ 0: entry }, ...parts)
    session.kline(100)
    session.fill(1, 100)
    return session
  }

  it('come nearer and never move away', () => {
    const session = held(enterLong(), stopsAt(90, 85, 95))
    expect(session.kline(100)).toEqual(['stopLoss sell 1 stop 90 reduceOnly'])
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
  })

  it('are the nearest of all parts', () => {
    expect(held(enterLong(), stopsAt(90), stopsAt(93), stopsAt(91)).kline(100)).toEqual([
      'stopLoss sell 1 stop 93 reduceOnly',
    ])
  })

  it('work for shorts the other way round', () => {
    const session = held(enterShort(), stopsAt(110, 115, 105), stopsAt(112, 111, 120))
    expect(session.kline(100)).toEqual(['stopLoss buy 1 stop 110 reduceOnly'])
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['cancel 2'])
  })

  it.each([
    ['a price', { stopLoss: 95 }],
    ['a fraction', { stopLoss: { fraction: 0.05 } }],
  ])('do not move away the stop-loss that an entry brought as %s', (_what, protection) => {
    const session = held(enterLong(protection), stopsAt(90, 96))
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 96 reduceOnly'])
  })

  it('that the market has passed close the position', () => {
    expect(held(enterLong(), stopsAt(99)).kline(98)).toEqual(['exit sell 1 market reduceOnly'])
    expect(held(enterShort(), stopsAt(101)).kline(102)).toEqual(['exit buy 1 market reduceOnly'])
  })

  it('cover what was added to a position', () => {
    const session = composed({ 0: enterLong(), 2: enterLong({ scaleIn: true }) }, stopsAt(90, undefined, 90))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    session.kline(100)
    session.fill(3, 100)
    expect(session.kline(100)).toEqual(['stopLoss sell 1 stop 90 reduceOnly'])
  })

  it('begin anew with another position', () => {
    const session = composed({ 0: enterLong(), 2: exit(), 3: enterLong() }, stopsAt(95, 80))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
    session.kline(100)
    session.fill(3, 100)
    session.kline(100)
    session.fill(4, 90)
    expect(session.kline(90)).toEqual(['stopLoss sell 1 stop 80 reduceOnly'])
  })

  it('begin anew where another position follows before the next kline', () => {
    const session = composed(
      { 0: enterLong(), 1: enterLong({ scaleIn: true, order: { type: 'limit', price: 90 } }) },
      stopsAt(95, 80),
    )
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100).sort()).toEqual(['entry buy 1 limit 90', 'stopLoss sell 1 stop 95 reduceOnly'])
    const isStop = session.order(2).purpose === 'stopLoss'
    session.fill(isStop ? 2 : 3, 95)
    session.fill(isStop ? 3 : 2, 90)
    expect(session.kline(92)).toEqual(['stopLoss sell 1 stop 80 reduceOnly'])
  })

  it('of several kinds work together', () => {
    const session = composed(
      { 0: enterLong({ stopLoss: 90 }) },
      atrTrail({ klines: 1, multiple: 1 }),
      breakeven({ after: 0.9 }),
    )
    for (let kline = 0; kline < 3; kline++) session.kline(100)
    session.fill(1, 100)
    // The true ranges are 4 and 6: the trail is at 104 - 4 = 100, then at 110 - 6 = 104, nearer than the entry price.
    expect(session.kline(104)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 100 reduceOnly'])
    expect(session.kline(110)).toEqual(['cancel 3'])
    expect(session.update(3, 'canceled')).toEqual(['stopLoss sell 1 stop 104 reduceOnly'])
  })
})

describe('exits of parts', () => {
  it('close the position once, even where the strategy does so itself', () => {
    for (const script of [{ 0: enterLong() }, { 0: enterLong(), 1: exit() }]) {
      const session = composed(script, timeStop({ klines: 1 }))
      session.kline(100)
      session.fill(1, 100)
      expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
    }
  })

  it('leave the turning of a position to the strategy', () => {
    const session = composed({ 0: enterLong(), 1: enterShort() }, timeStop({ klines: 1 }))
    const plain = new DeskSession(scripted({ 0: enterLong(), 1: enterShort() }))
    for (const each of [session, plain]) {
      each.kline(100)
      each.fill(1, 100)
    }
    expect(session.kline(100)).toEqual(plain.kline(100))
  })

  it('go before what the strategy says besides', () => {
    const session = composed(
      { 0: enterLong(), 1: exit({ fraction: 0.5 }) },
      leavingWith(
        definePart({ name: 'never', allows: (_direction, { view }) => view.position.direction === 'flat' }),
      ),
    )
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)[0]).toBe('exit sell 1 market reduceOnly')
  })
})

describe('a composed strategy', () => {
  const careful = compose(smaCross, {
    name: 'careful-cross',
    parameters: { trend: integer({ default: 200, min: 2, max: 999, description: 'Klines of the trend.' }) },
    parts: ({ trend }) => [trendFilter({ klines: trend }), maxTradesPerDay(3)],
  })

  it('has the parameters of both, and waits for the indicators of both', () => {
    expect(careful.parameterValues({ slow: 30, trend: '100' })).toEqual({ fast: 20, slow: 30, trend: 100 })
    expect(Object.keys(careful.parameters)).toEqual(['fast', 'slow', 'trend'])
    expect(careful.start({}, emptyView()).warmUp).toBe(200)
    expect(careful.start({ trend: 10, slow: 60 }, emptyView()).warmUp).toBe(60)
    expect(careful.description).toBe(smaCross.description)
  })

  it('refuses what either would', () => {
    expect(() => careful.parameterValues({ fast: 80 })).toThrow('fast (80) must be smaller than slow (50).')
    expect(() => careful.parameterValues({ trend: 1 })).toThrow('"trend" of strategy "careful-cross" is 1')
    expect(() => careful.parameterValues({ trand: 1 })).toThrow(UsageError)
    expect(() =>
      compose(smaCross, { name: 'twice', parameters: careful.parameters, parts: () => [] }),
    ).toThrow('"twice" and the strategy "sma-cross" in it both have a parameter "fast".')
  })

  it('may be made of streams, and be composed again', () => {
    const streams = defineStreamStrategy({
      name: 'streams',
      signals: ({ klines$ }) => klines$.pipe(map(() => enterLong())),
    })
    const sized = compose(streams, { name: 'sized', parts: () => [fixedFraction(0.1)] })
    const session = new DeskSession(
      compose(sized, { name: 'late', parts: () => [trendFilter({ klines: 2 })] }),
    )
    expect([100, 100, 125].map(price => session.kline(price))).toEqual([[], [], ['entry buy 8 market']])
  })

  it('is stopped for an error in a part, which names it', () => {
    const session = composed(
      { 1: enterLong() },
      definePart({
        name: 'broken',
        allows: () => {
          throw new Error('no idea')
        },
      }),
    )
    session.kline(100)
    expect(session.kline(100)).toEqual(['strategy failed'])
    const failure = session.outputs.find(({ type }) => type === 'strategyFailed')
    expect(journalText(failure)).toBeDefined()
    expect(failure).toMatchObject({
      error: {
        message:
          'Strategy "composed" on BTC/USDT at 1970-01-01T00:02:00.000Z threw in the part "broken": no idea',
      },
    })
  })

  it('lets its parts judge what is signaled by timers, and leaves other instruments alone', () => {
    const strategy = compose(
      defineStrategy({
        name: 'timed',
        markets: ['hedge'],
        timers: { entry: every('5m'), other: every('3m') },
        on: {
          entry: () => enterLong(),
          other: () => enterShort({ market: 'hedge' }),
        },
      }),
      { name: 'composed', parts: () => [trendFilter({ klines: 2 })] },
    )
    expect([strategy.markets, Object.keys(strategy.timers)]).toEqual([['hedge'], ['entry', 'other']])
    // Above the average of two at 5:00, below it at 10:00.
    const rows = [100, 100, 100, 100, 105, 110, 110, 110, 110, 100, 100].map(price => flat(price))
    const hedge = { instrument: ETH, klines: klinesAt(rows.map(() => flat(50))) }
    const result = runBacktest(several([marketOf(strategy, klinesAt(rows), { roles: { hedge } })]))
    expect(fillWords(result)).toEqual(['3: ETH/USDT sell 1 at 50', '5: BTC/USDT buy 1 at 110'])
  })

  it('hands its parameters on to the feeds of its strategy', () => {
    const strategy = compose(
      defineStrategy({
        name: 'followed',
        parameters: { hours: integer({ default: 1, min: 1, max: 4, description: 'Hours.' }) },
        feeds: ({ hours }) => ({ slow: klines({ interval: hours === 1 ? '1h' : '4h' }) }),
      }),
      {
        name: 'composed',
        parameters: { more: integer({ default: 2, min: 1, max: 9, description: 'More.' }) },
        parts: () => [],
      },
    )
    expect(strategy.feeds({ hours: 4, more: 3 })).toEqual({ slow: { type: 'klines', interval: '4h' } })
  })

  it('refuses the state of a strategy that was not composed', () => {
    const run = compose(scripted({}), { name: 'composed', parts: () => [] }).start({}, emptyView())
    expect(() => run.restoreMemory({ row: 3 }, 1)).toThrow(
      'The kept state of strategy "composed" is from before it was composed of parts.',
    )
  })

  it('goes on after a restart with what its parts and its strategy remembered', () => {
    const strategy: Strategy = compose(
      defineStrategy({
        name: 'counter',
        indicators: () => ({ average: sma(2) }),
        state: () => ({ klines: 0 }),
        onKline: (_kline, { state, position }) =>
          ++state.klines % 3 === 1 && position.direction === 'flat' ? enterLong({ stopLoss: 90 }) : undefined,
      }),
      {
        name: 'composed',
        parts: () => [
          cooldownAfterLoss({ klines: 4 }),
          maxTradesPerDay(3),
          atrTrail({ klines: 2, multiple: 1 }),
          timeStop({ klines: 6 }),
        ],
      },
    )
    const { events, outputs } = played(strategy)
    const all = journalText(outputs)
    expect(all.split('"signaled"').length).toBeGreaterThan(12)
    for (const cut of [5, 40, 90, 150]) {
      const before = new DeskSession(strategy)
      const begun = events.slice(0, cut).flatMap(event => before.engine.process(event))
      const snapshot = before.engine.snapshot()
      expect(snapshot.desks.every(({ memory }) => isPlainData(memory))).toBe(true)
      const after = new DeskSession(strategy)
      const klines = events.slice(0, cut).flatMap(event => ('kline' in event ? [event.kline] : []))
      // What `snapshot` gave.
      after.engine.restore(fromJournalText(journalText(snapshot)) as typeof snapshot, () => klines)
      const rest = events.slice(cut).flatMap(event => after.engine.process(event))
      expect(journalText([...begun, ...rest])).toBe(all)
    }
  })
})

/** A session of some klines; entries and exits at market fill before the next of them, stops where a kline reaches them. */
function played(strategy: Strategy): DeskSession {
  const session = new DeskSession(strategy)
  for (let row = 0; row < 80; row++) {
    const price = 100 + ((row * 7) % 11)
    for (let number = 1; number <= session.placed.length; number++) {
      const { spec, clientOrderId } = session.order(number)
      const isOpen = session.ledger.orders.working.some(
        ({ request }) => request.clientOrderId === clientOrderId,
      )
      const isReached = spec.type === 'market' || (spec.type === 'stop' && price * 100 <= spec.stopPrice)
      if (isOpen && isReached) session.fill(number, price)
    }
    for (const said of session.kline(price)) {
      const canceled = /^cancel (\d+)/.exec(said)?.[1]
      if (canceled !== undefined) session.update(Number(canceled), 'canceled')
    }
  }
  return session
}
