import { describe, expect, expectTypeOf, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { Indicator } from '../../src/indicators/indicator.ts'
import { isStrategy } from '../../src/strategy/define-strategy.ts'
import {
  choice,
  defineStrategy,
  ema,
  enterLong,
  exit,
  type FillView,
  integer,
  type OrderView,
  sma,
} from '../../src/strategy/index.ts'
import { flatKline } from '../indicators/kline-series.ts'
import { emptyView, LONG } from './strategy-view.ts'

const CROSS = defineStrategy({
  name: 'cross',
  parameters: {
    fast: integer({ default: 2, min: 1, max: 50, description: 'Fast.' }),
    slow: integer({ default: 4, min: 1, max: 50, description: 'Slow.' }),
    mode: choice({ default: 'long', options: ['long', 'both'], description: 'Mode.' }),
  },
  check: ({ fast, slow }) => (fast < slow ? undefined : `fast (${fast}) must be below slow (${slow}).`),
  indicators: ({ fast, slow }) => ({ fast: sma(fast), slow: ema(slow) }),
  state: () => ({ seen: 0 }),
  onKline(kline, context) {
    expectTypeOf(context.parameters.fast).toEqualTypeOf<number>()
    expectTypeOf(context.parameters.mode).toEqualTypeOf<'long' | 'both'>()
    expectTypeOf(context.indicators.slow).toEqualTypeOf<Indicator>()
    expectTypeOf(context.state.seen).toEqualTypeOf<number>()
    context.state.seen++
    return enterLong({ tag: `${context.state.seen} ${kline.close} ${context.indicators.fast.value}` })
  },
})

const FIRST = flatKline(10)
const SECOND = flatKline(20, 1)

describe('a strategy', () => {
  it('warms up as long as its slowest indicator needs', () => {
    expect(CROSS.start({}, emptyView()).warmUp).toBe(4)
    expect(CROSS.start({ slow: 50 }, emptyView()).warmUp).toBe(50)
  })

  it('warms up as long as it declares, or not at all without indicators', () => {
    const declared = defineStrategy({
      name: 'declared',
      parameters: { days: integer({ default: 3, min: 1, max: 9, description: 'Days.' }) },
      indicators: () => ({ average: sma(20) }),
      warmUp: ({ days }) => days * 24,
    })
    expect(declared.start({ days: 2 }, emptyView()).warmUp).toBe(48)
    expect(defineStrategy({ name: 'bare' }).start({}, emptyView()).warmUp).toBe(0)
  })

  it('feeds its indicators on update and decides in onKline', () => {
    const run = CROSS.start({}, emptyView())
    run.update(FIRST)
    run.update(SECOND)
    expect(run.onKline(SECOND)).toEqual({ type: 'enter', direction: 'long', tag: '1 20 15' })
  })

  it('starts every run with fresh indicators and state', () => {
    const used = CROSS.start({}, emptyView())
    used.update(FIRST)
    used.onKline(FIRST)
    const fresh = CROSS.start({}, emptyView())
    fresh.update(SECOND)
    expect(fresh.onKline(SECOND)).toEqual({ type: 'enter', direction: 'long', tag: '1 20 NaN' })
  })

  it('shows its handlers the present, not the moment of its start', () => {
    const view = emptyView()
    const strategy = defineStrategy({
      name: 'watcher',
      onKline: (_kline, { time, position, orders, equity, instrument }) =>
        exit({ tag: `${time} ${position.direction} ${orders.length} ${equity} ${instrument.symbol}` }),
    })
    const run = strategy.start({}, view)
    expect(run.onKline(FIRST)).toEqual({ type: 'exit', tag: '0 flat 0 10000 BTC/USDT' })
    Object.assign(view, { time: 60_000, position: LONG, equity: 9_000, orders: [{}] })
    expect(run.onKline(FIRST)).toEqual({ type: 'exit', tag: '60000 long 1 9000 BTC/USDT' })
  })

  it('hears of fills and orders where it has handlers for them', () => {
    const strategy = defineStrategy({
      name: 'listener',
      onFill: (fill, { equity }) => exit({ tag: `${fill.price} ${equity}` }),
      onOrder: order => (order.status === 'rejected' ? enterLong() : undefined),
    })
    const run = strategy.start({}, emptyView())
    // Handlers read these fields only.
    expect(run.onFill?.({ price: 7 } as FillView)).toEqual({ type: 'exit', tag: '7 10000' })
    expect(run.onOrder?.({ status: 'rejected' } as OrderView)).toEqual({ type: 'enter', direction: 'long' })
    expect(run.onKline(FIRST)).toBeUndefined()
    expect(CROSS.start({}, emptyView())).toMatchObject({ onFill: undefined, onOrder: undefined })
  })

  it('refuses a combination of parameters that its check refuses', () => {
    const message = 'Strategy "cross" cannot use these parameters: fast (9) must be below slow (4).'
    expect(() => CROSS.parameterValues({ fast: 9 })).toThrow(UsageError)
    expect(() => CROSS.parameterValues({ fast: 9 })).toThrow(message)
    expect(() => CROSS.start({ fast: 9 }, emptyView())).toThrow(message)
  })

  it('completes parameters, and refuses wrong ones before it starts', () => {
    expect(CROSS.parameterValues({ slow: '9' })).toEqual({ fast: 2, slow: 9, mode: 'long' })
    expect(() => CROSS.start({ slo: 9 }, emptyView())).toThrow('Did you mean "slow"?')
    expect(() => CROSS.start({ slow: 51 }, emptyView())).toThrow('a whole number from 1 to 50')
  })

  it('describes itself', () => {
    expect(CROSS).toMatchObject({ name: 'cross', description: '' })
    expect(defineStrategy({ name: 'told', description: 'Does it.' }).description).toBe('Does it.')
    expect(Object.keys(CROSS.parameters)).toEqual(['fast', 'slow', 'mode'])
  })
})

describe('isStrategy', () => {
  it('knows what defineStrategy returns', () => {
    expect(isStrategy(CROSS)).toBe(true)
    expect([undefined, null, 'cross', () => CROSS, {}, { name: 'cross' }].map(isStrategy)).toEqual(
      Array(6).fill(false),
    )
  })
})
