import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import { isPlainData } from '../../../src/journal/plain-data.ts'
import {
  atrTrail,
  choice,
  compose,
  cooldownAfterLoss,
  definePart,
  defineStrategy,
  enterLong,
  enterShort,
  every,
  fixedFraction,
  integer,
  klines,
  maxTradesPerDay,
  type Strategy,
  sma,
  timeStop,
  trendFilter,
} from '../../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../../src/streams/index.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { ETH, fillWords, klinesAt, marketOf, several } from '../../backtest/markets/several.ts'
import { EngineSession, scripted } from '../../engine/engine-session.ts'
import { emptyView } from '../strategy-view.ts'
import { composed, flat, played } from './composed-session.ts'

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

  it('gives its parts the values of both, checked and completed, also of a strategy of streams and of one composed before', () => {
    const base = defineStreamStrategy({
      name: 'base',
      parameters: {
        length: integer({ default: 5, min: 1, max: 99, description: 'Length.' }),
        side: choice({ default: 'long', options: ['long', 'short'], description: 'Side.' }),
      },
      signals: ({ klines$ }) => klines$.pipe(map(() => undefined)),
    })
    const seen: unknown[] = []
    const inner = compose(base, {
      name: 'inner',
      parameters: { trend: integer({ default: 8, min: 2, max: 99, description: 'Trend.' }) },
      parts: values => {
        seen.push(values)
        return []
      },
    })
    const outer = compose(inner, {
      name: 'outer',
      parts: ({ length, side, trend }) => {
        seen.push({ length: 2 * length, side: side satisfies 'long' | 'short', trend: 2 * trend })
        return []
      },
    })
    outer.start({ length: '7' }, emptyView())
    expect(seen).toEqual([
      { length: 14, side: 'long', trend: 16 },
      { length: 7, side: 'long', trend: 8 },
    ])
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
    const session = new EngineSession(
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
      const before = new EngineSession(strategy)
      const begun = events.slice(0, cut).flatMap(event => before.engine.process(event))
      const snapshot = before.engine.snapshot()
      expect(snapshot.desks.every(({ memory }) => isPlainData(memory))).toBe(true)
      const after = new EngineSession(strategy)
      const klines = events.slice(0, cut).flatMap(event => ('kline' in event ? [event.kline] : []))
      // What `snapshot` gave.
      after.engine.restore(fromJournalText(journalText(snapshot)) as typeof snapshot, () => klines)
      const rest = events.slice(cut).flatMap(event => after.engine.process(event))
      expect(journalText([...begun, ...rest])).toBe(all)
    }
  })
})
