import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HoldSource, TradingHold, TradingMode } from '../../src/domain/events/trading-hold.ts'
import { tradingState } from '../../src/risk/checks/trading-state.ts'
import { type StateCommand, stricter, TradingState } from '../../src/risk/trading-state.ts'
import { draftOf, viewOf } from './risk-parts.ts'

type Command = StateCommand['command']

const hold = (source: HoldSource, mode: TradingHold['mode'], until?: number): TradingHold => ({
  source,
  mode,
  reason: 'A reason.',
  since: 0,
  until,
})
const commanded = (command: Command, until?: number, by: StateCommand['by'] = 'operator'): StateCommand => ({
  command,
  by,
  until,
  reason: 'A reason.',
  time: 0,
})

describe('commands of an operator', () => {
  it.each<[readonly Command[], TradingMode, number]>([
    [[], 'active', Number.POSITIVE_INFINITY],
    [['pause'], 'reducing', 100],
    [['reduce'], 'reducing', Number.POSITIVE_INFINITY],
    [['halt'], 'halted', Number.POSITIVE_INFINITY],
    [['kill'], 'halted', Number.POSITIVE_INFINITY],
    [['pause', 'reduce'], 'reducing', Number.POSITIVE_INFINITY],
    [['pause', 'halt'], 'halted', Number.POSITIVE_INFINITY],
    [['reduce', 'pause'], 'reducing', Number.POSITIVE_INFINITY],
    [['reduce', 'halt'], 'halted', Number.POSITIVE_INFINITY],
    [['halt', 'pause'], 'halted', Number.POSITIVE_INFINITY],
    [['halt', 'reduce'], 'halted', Number.POSITIVE_INFINITY],
    [['kill', 'pause', 'reduce'], 'halted', Number.POSITIVE_INFINITY],
    [['halt', 'resume'], 'active', Number.POSITIVE_INFINITY],
    [['kill', 'resume', 'pause'], 'reducing', 100],
  ])('%j lead to %s', (commands, mode, nextEnd) => {
    const state = new TradingState()
    for (const command of commands) state.command(commanded(command, command === 'pause' ? 100 : undefined))
    expect([state.mode, state.nextEnd]).toEqual([mode, nextEnd])
  })

  it('say whether they changed anything', () => {
    const state = new TradingState()
    const changes = (['resume', 'halt', 'halt', 'reduce', 'resume'] as const).map(command =>
      state.command(commanded(command)),
    )
    expect(changes).toEqual([false, true, false, false, true])
  })

  it('change something where they are stricter than the one before, or prolong a pause', () => {
    const commands = ['pause', 'reduce', 'halt', 'kill'] as const
    const changing = commands.map(first =>
      commands.filter(second => {
        const state = new TradingState()
        state.command(commanded(first, 100))
        return state.command(commanded(second, 200))
      }),
    )
    expect(changing).toEqual([['pause', 'reduce', 'halt', 'kill'], ['halt', 'kill'], [], []])
  })

  it('prolong a pause', () => {
    const state = new TradingState()
    state.command(commanded('pause', 100))
    state.command(commanded('pause', 250))
    state.end(100)
    expect([state.mode, state.nextEnd]).toEqual(['reducing', 250])
  })
})

describe('commands of an invariant', () => {
  const broken = { ...commanded('halt', undefined, 'invariant'), reason: 'The books differ.' }

  it('give a hold another reason where they name the present one, and keep its beginning', () => {
    const state = new TradingState()
    state.command(broken)
    const more = { ...broken, reason: 'They differ more.', time: broken.time + 1 }
    expect([more, { ...more, renews: 'Something else.' }].map(one => state.command(one))).toEqual([
      false,
      false,
    ])
    expect(state.command({ ...more, renews: broken.reason })).toBe(true)
    expect(state.holds).toEqual([
      { mode: 'halted', source: 'invariant', reason: more.reason, since: broken.time, until: undefined },
    ])
  })

  it('take back what was held for the same reason, and nothing else', () => {
    const state = new TradingState()
    state.command(commanded('reduce'))
    state.command(broken)
    expect(state.command({ ...broken, command: 'resume', reason: 'Something else.' })).toBe(false)
    expect(state.mode).toBe('halted')
    expect(state.command({ ...broken, command: 'resume' })).toBe(true)
    expect(state.holds.map(({ source }) => source)).toEqual(['operator'])
    expect(state.command({ ...broken, command: 'resume' })).toBe(false)
  })
})

describe('holds', () => {
  it('end at their time, not before', () => {
    const state = new TradingState()
    state.hold(hold('dailyLoss', 'halted', 100))
    state.hold(hold('drawdown', 'reducing', 200))
    expect([state.end(99), state.mode]).toEqual([false, 'halted'])
    expect([state.end(100), state.mode]).toEqual([true, 'reducing'])
    expect([state.end(500), state.mode]).toEqual([true, 'active'])
  })

  it('of a protection never lift what the operator halted', () => {
    const state = new TradingState()
    state.command(commanded('halt'))
    state.hold(hold('staleData', 'reducing'))
    state.lift('staleData')
    state.end(Number.MAX_SAFE_INTEGER)
    expect(state.mode).toBe('halted')
  })

  it('are lifted by resume, but for those that only hold while something is wrong', () => {
    const state = new TradingState()
    for (const source of [
      'operator',
      'invariant',
      'drawdown',
      'staleData',
      'clockUncertainty',
      'spread',
    ] as const)
      state.hold(hold(source, 'halted'))
    state.command(commanded('resume'))
    expect(state.holds.map(({ source }) => source)).toEqual(['staleData', 'clockUncertainty', 'spread'])
  })

  it('make the state as strict as the strictest of them', () => {
    const modes = fc.constantFrom<TradingHold['mode']>('reducing', 'halted')
    const sources = fc.constantFrom<HoldSource>('operator', 'invariant', 'dailyLoss', 'spread')
    fc.assert(
      fc.property(fc.array(fc.tuple(sources, modes)), list => {
        const state = new TradingState()
        for (const [source, mode] of list) state.hold(hold(source, mode))
        const latest = [...new Map(list).values()]
        expect(state.mode).toBe(latest.reduce<TradingMode>(stricter, 'active'))
      }),
    )
  })
})

describe('what passes', () => {
  const entry = draftOf()
  const exit = draftOf({ side: 'sell', purpose: 'exit', reduceOnly: true })
  const stopLoss = draftOf({ side: 'sell', purpose: 'stopLoss', reduceOnly: true, protects: 'entry' })
  const flatten = draftOf({ side: 'sell', purpose: 'operator', reduceOnly: true })

  it.each<[TradingMode, readonly boolean[]]>([
    ['active', [true, true, true, true]],
    ['reducing', [false, true, true, true]],
    ['halted', [false, false, true, true]],
  ])('while %s: entry, exit, stop-loss, closing by the operator: %j', (mode, passes) => {
    const answers = [entry, exit, stopLoss, flatten].map(
      draft => tradingState(draft, viewOf({ mode })) === undefined,
    )
    expect(answers).toEqual(passes)
  })

  it.each(['operator', 'ruin', 'endOfData'] as const)(
    'while halted: closing for %s, but no opening',
    purpose => {
      const view = viewOf({ mode: 'halted' })
      expect(tradingState(draftOf({ side: 'sell', purpose, reduceOnly: true }), view)).toBeUndefined()
      expect(tradingState(draftOf({ side: 'sell', purpose }), view)?.rule).toBe('tradingState')
    },
  )

  it('is told with the reason', () => {
    const holds = [{ ...hold('operator', 'halted'), reason: 'The operator halted.' }]
    expect(tradingState(entry, viewOf({ mode: 'halted', holds }))).toEqual({
      rule: 'tradingState',
      limit: 'orders that protect a position',
      actual: 'an order that may open a position',
      message: 'Trading is halted. The operator halted.',
    })
    expect(tradingState(exit, viewOf({ mode: 'halted', holds }))).toMatchObject({
      actual: 'an order that reduces',
    })
    const both = [...holds, { ...hold('spread', 'reducing'), reason: 'The spread is wide.' }]
    expect(tradingState(entry, viewOf({ mode: 'reducing', holds: both }))).toEqual({
      rule: 'tradingState',
      limit: 'orders that reduce a position',
      actual: 'an order that may open a position',
      message: 'Trading is reducing. The operator halted. The spread is wide.',
    })
  })
})
