import { describe, expect, it } from 'vitest'
import type { Explanation, OrderAssessed } from '../../src/domain/events/explanation.ts'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { crossesAbove, defineStrategy, enterLong, sma } from '../../src/strategy/index.ts'
import { EngineSession, SPOT } from './engine-session.ts'

const RISK = {
  limits: {
    maxNotional: amountOf('600'),
    maxWorkingOrders: 3,
    maxOrders: { count: 5, perMs: 60_000 },
    maxPosition: { base: amountOf('20') },
    maxExposure: amountOf('2000'),
  },
}

/** Enters when the faster average crosses the slower one. */
const cross = defineStrategy({
  name: 'cross',
  indicators: () => ({ fast: sma(1), slow: sma(2) }),
  onKline: (_kline, { indicators: { fast, slow } }) =>
    crossesAbove(fast, slow) ? enterLong({ stopLoss: { fraction: 0.1 } }) : undefined,
})

function explained(quote: number) {
  const told: Explanation[] = []
  const session = new EngineSession(cross, { instrument: SPOT, quote: '1000', size: { quote }, risk: RISK })
  session.engine.explainTo(explanation => told.push(explanation))
  return { session, told }
}

const assessed = (told: readonly Explanation[]) =>
  told.filter((one): one is OrderAssessed => one.type === 'orderAssessed')

describe('the explanation of a decision', () => {
  it('has the values of the indicators at each kline on which the strategy decides, also where it does nothing', () => {
    const { session, told } = explained(500)
    for (const price of [100, 90, 100]) session.kline(price)
    expect(told.filter(({ type }) => type === 'klineDecided')).toEqual([
      // The second kline completes the warm-up; 95 is (100 + 90) / 2 at the next, and so on.
      expect.objectContaining({
        strategy: 'cross',
        symbol: 'BTC/USDT',
        time: 180_000,
        indicators: { fast: 100, slow: 95 },
      }),
    ])
    const book = 'BTC/USDT'
    const seen = { type: 'klineSeen', strategy: 'cross', symbol: 'BTC/USDT', book }
    expect(told.filter(({ type }) => type === 'klineSeen')).toEqual([
      { ...seen, time: 60_000, indicators: { fast: 100, slow: Number.NaN } },
      { ...seen, time: 120_000, indicators: { fast: 90, slow: 95 } },
    ])
  })

  it('has each check that applies with its limit and the figure of the order, and what was owned and free', () => {
    const { session, told } = explained(500)
    for (const price of [100, 90, 100]) session.kline(price)
    const [entry] = assessed(told)
    expect(entry && [amountToText(entry.equity), amountToText(entry.free), entry.quantity]).toEqual([
      '1000',
      '1000',
      5000, // 500 USDT at 100 are 5 BTC, in thousandths
    ])
    expect(entry?.passed).toEqual([
      { rule: 'tradingState', limit: 'every order', actual: 'an order that may open a position' },
      { rule: 'minimumVolume', limit: '0.001 BTC', actual: '5.000 BTC' },
      { rule: 'maximumVolume', limit: '1000.000 BTC', actual: '5.000 BTC' },
      { rule: 'minimumNotional', limit: '5 USDT', actual: '500 USDT' },
      { rule: 'balance', limit: '1000 USDT', actual: '500 USDT' },
      { rule: 'maxNotional', limit: '600 USDT', actual: '500 USDT', key: 'risk.limits.maxNotional' },
      {
        rule: 'maxOrders',
        limit: '5 orders within 60 s',
        actual: '1 orders within 60 s',
        key: 'risk.limits.maxOrders',
      },
      {
        rule: 'maxWorkingOrders',
        limit: '3 working orders',
        actual: '1 working orders',
        key: 'risk.limits.maxWorkingOrders',
      },
      { rule: 'maxPosition', limit: '20.000 BTC', actual: '5.000 BTC', key: 'risk.limits.maxPosition' },
      { rule: 'maxExposure', limit: '2000 USDT', actual: '500 USDT', key: 'risk.limits.maxExposure' },
    ])
    expect(entry?.denial).toBeUndefined()
  })

  it('has the checks before the one that denied, and the denial', () => {
    const { session, told } = explained(700)
    for (const price of [100, 90, 100]) session.kline(price)
    const [entry] = assessed(told)
    expect(entry?.passed.map(({ rule }) => rule).at(-1)).toBe('balance')
    expect(entry?.denial).toMatchObject({ rule: 'maxNotional', limit: '600 USDT', actual: '700 USDT' })
    expect(entry?.quantity).toBeUndefined()
  })

  it('explains the protective order that follows a fill', () => {
    const { session, told } = explained(500)
    for (const price of [100, 90, 100]) session.kline(price)
    session.fill(1, 100)
    expect(assessed(told).map(({ intent }) => intent.purpose)).toEqual(['entry', 'stopLoss'])
  })

  it('has no indicators where one cannot be read, and the strategy trades on', () => {
    const broken = { ...sma(1), requiredKlines: 1, update() {}, previous: 0 }
    Object.defineProperty(broken, 'value', {
      enumerable: true,
      get: () => {
        throw new Error('Nobody may read this.')
      },
    })
    const strategy = defineStrategy({
      name: 'unread',
      indicators: () => ({ broken }),
      onKline: () => enterLong(),
    })
    const told: Explanation[] = []
    const session = new EngineSession(strategy, { instrument: SPOT, size: { base: 1 } })
    session.engine.explainTo(explanation => told.push(explanation))
    session.kline(100)
    session.kline(100)
    expect(told.find(({ type }) => type === 'klineDecided')).toMatchObject({ indicators: {} })
    expect(session.placed).toHaveLength(1)
  })

  it('changes no output, and ends when nobody listens any more', () => {
    const { session, told } = explained(500)
    const silent = new EngineSession(cross, {
      ...{ instrument: SPOT, quote: '1000', size: { quote: 500 }, risk: RISK },
    })
    for (const price of [100, 90, 100]) {
      session.kline(price)
      silent.kline(price)
    }
    expect(session.outputs).toEqual(silent.outputs)
    const before = told.length
    session.engine.explainTo(undefined)
    session.kline(90)
    expect(told).toHaveLength(before)
  })

  it('has what a strategy plots, with the market time, as it was given', () => {
    const told: Explanation[] = []
    const values = { close: 0, 'twice the close': 0 }
    const plotting = defineStrategy({
      name: 'plotting',
      onKline({ close }, { plot }) {
        values.close = close
        values['twice the close'] = 2 * close
        plot(values)
      },
    })
    const session = new EngineSession(plotting)
    session.kline(100)
    session.engine.explainTo(explanation => told.push(explanation))
    for (const price of [101, 102]) session.kline(price)
    const of = { type: 'plotted', strategy: 'plotting', symbol: 'BTC/USDT', book: 'BTC/USDT' }
    expect(told.filter(({ type }) => type === 'plotted')).toEqual([
      { ...of, time: 120_000, values: { close: 101, 'twice the close': 202 } },
      { ...of, time: 180_000, values: { close: 102, 'twice the close': 204 } },
    ])
  })
})
