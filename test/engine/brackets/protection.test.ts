import { describe, expect, it } from 'vitest'
import type { Protection } from '../../../src/domain/signal.ts'
import { protectionPriceProblem } from '../../../src/engine/brackets/protection-prices.ts'
import { enterLong, enterShort, exit, protect, targetPosition } from '../../../src/strategy/index.ts'
import { EngineSession, SPOT, scripted } from '../engine-session.ts'

/** What is placed when a market entry of 2, decided at 100, fills at 101 (long) or at 99 (short). */
function legsOf(direction: 'long' | 'short', protection: Protection): string[] {
  const enter = direction === 'long' ? enterLong : enterShort
  const session = new EngineSession(scripted({ 0: enter({ size: { base: 2 }, ...protection }) }))
  session.kline(100)
  return session.fill(1, direction === 'long' ? 101 : 99)
}

describe('protection', () => {
  const table: readonly (readonly [string, 'long' | 'short', Protection, string])[] = [
    ['stop-loss at a price', 'long', { stopLoss: 95 }, 'stopLoss sell 2 stop 95 reduceOnly'],
    // 101 × (1 - 0.02) = 98.98
    [
      'stop-loss by fraction',
      'long',
      { stopLoss: { fraction: 0.02 } },
      'stopLoss sell 2 stop 98.98 reduceOnly',
    ],
    ['take-profit at a price', 'long', { takeProfit: 110 }, 'takeProfit sell 2 limit 110 reduceOnly'],
    // 101 × 1.05 = 106.05
    [
      'take-profit by fraction',
      'long',
      { takeProfit: { fraction: 0.05 } },
      'takeProfit sell 2 limit 106.05 reduceOnly',
    ],
    [
      'trailing stop by distance',
      'long',
      { trailingStop: { distance: 3 } },
      'trailingStop sell 2 trailing 3 from 101 reduceOnly',
    ],
    // 101 × 0.02 = 2.02
    [
      'trailing stop by fraction',
      'long',
      { trailingStop: { fraction: 0.02 } },
      'trailingStop sell 2 trailing 2.02 from 101 reduceOnly',
    ],
    [
      'trailing stop by callback rate',
      'long',
      { trailingStop: { callbackRate: 0.02 } },
      'trailingStop sell 2 trailing rate 0.02 from 101 reduceOnly',
    ],
    // 101 × 1.03 = 104.03
    [
      'trailing stop with an activation by fraction',
      'long',
      { trailingStop: { distance: 3, activation: { fraction: 0.03 } } },
      'trailingStop sell 2 trailing 3 from 101 once at 104.03 reduceOnly',
    ],
    // 99 × 0.97 = 96.03
    [
      'trailing stop with an activation by fraction',
      'short',
      { trailingStop: { callbackRate: 0.02, activation: { fraction: 0.03 } } },
      'trailingStop buy 2 trailing rate 0.02 from 99 once at 96.03 reduceOnly',
    ],
    ['stop-loss at a price', 'short', { stopLoss: 105 }, 'stopLoss buy 2 stop 105 reduceOnly'],
    // 99 × 1.02 = 100.98
    [
      'stop-loss by fraction',
      'short',
      { stopLoss: { fraction: 0.02 } },
      'stopLoss buy 2 stop 100.98 reduceOnly',
    ],
    // 99 × 0.95 = 94.05
    [
      'take-profit by fraction',
      'short',
      { takeProfit: { fraction: 0.05 } },
      'takeProfit buy 2 limit 94.05 reduceOnly',
    ],
    [
      'trailing stop by fraction',
      'short',
      { trailingStop: { fraction: 0.02 } },
      'trailingStop buy 2 trailing 1.98 from 99 reduceOnly',
    ],
  ]
  it.each(table)(
    'is placed after the fill, from its price: %s, %s',
    (_name, direction, protection, expected) => {
      expect(legsOf(direction, protection)).toEqual([expected])
    },
  )

  it('places every leg that the signal names', () => {
    expect(legsOf('long', { stopLoss: 95, takeProfit: 110, trailingStop: { distance: 4 } })).toEqual([
      'stopLoss sell 2 stop 95 reduceOnly',
      'takeProfit sell 2 limit 110 reduceOnly',
      'trailingStop sell 2 trailing 4 from 101 reduceOnly',
    ])
  })

  it('comes with a target as well', () => {
    const session = new EngineSession(scripted({ 0: targetPosition({ base: -2 }, { stopLoss: 105 }) }))
    session.kline(100)
    expect(session.fill(1, 100)).toEqual(['stopLoss buy 2 stop 105 reduceOnly'])
  })

  it('is not placed before the entry fills', () => {
    const order = { type: 'limit', price: 98 } as const
    const session = new EngineSession(scripted({ 0: enterLong({ order, stopLoss: 95 }) }))
    expect(session.kline(100)).toEqual(['entry buy 1 limit 98'])
    expect(session.fill(1, 98)).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
  })

  it('covers what a fee in base leaves', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 2 }, stopLoss: 95 }) }), {
      instrument: SPOT,
    })
    session.kline(100)
    expect(session.fill(1, 100)).toEqual(['stopLoss sell 1.998 stop 95 reduceOnly'])
  })

  it('names the entry that it protects', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ stopLoss: 95, tag: 'dip' }) }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.order(2)).toMatchObject({ protects: session.order(1).clientOrderId, tag: 'dip' })
  })
})

it.each([
  [enterLong({ trailingStop: { distance: 3, activation: 100 } }), 'a long entry at 100 must be above it'],
  [enterShort({ trailingStop: { distance: 3, activation: 101 } }), 'a short entry at 100 must be below it'],
  [
    enterLong({ trailingStop: [{ distance: 5 }, { distance: 3, activation: 99 }] }),
    'a long entry at 100 must be above it',
  ],
])('denies a trailing stop whose activation is no profit', (signal, reason) => {
  const session = new EngineSession(scripted({ 0: signal }))
  expect(session.kline(100)).toEqual(['denied by protection'])
  expect(protectionPriceProblem(signal, signal.direction, 100)).toContain(reason)
})

const bracket = { stopLoss: 95, takeProfit: 110 }

describe('protective orders', () => {
  it('shrink with a partial exit and go with a full one', () => {
    const script = { 0: enterLong({ size: { base: 4 }, ...bracket }), 1: exit({ fraction: 0.25 }), 2: exit() }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.fill(4, 100)).toEqual(['resize 2 to 3', 'resize 3 to 3'])
    session.kline(100)
    expect(session.fill(5, 100)).toEqual(['cancel 2', 'cancel 3'])
  })

  it('cancel each other', () => {
    const session = new EngineSession(scripted({ 0: enterLong(bracket) }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.fill(3, 110)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual([])
    expect(session.held).toBe(0)
  })

  it('shrink each other when one fills in part', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 4 }, ...bracket }) }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.fill(3, 110, 1)).toEqual(['resize 2 to 3'])
    expect([session.openQuantity(2), session.openQuantity(3)]).toEqual([3, 3])
  })

  it('grow with an entry that fills in parts', () => {
    const order = { type: 'limit', price: 98 } as const
    const session = new EngineSession(scripted({ 0: enterLong({ order, size: { base: 4 }, stopLoss: 95 }) }))
    session.kline(100)
    expect(session.fill(1, 98, 1)).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
    expect(session.fill(1, 98, 2)).toEqual(['resize 2 to 3'])
    expect(session.fill(1, 98, 1)).toEqual(['resize 2 to 4'])
  })

  it('stay at the level of the first part while the entry fills at other prices, until `protect` moves them', () => {
    const order = { type: 'limit', price: 98 } as const
    const entry = enterLong({ order, size: { base: 4 }, stopLoss: { fraction: 0.02 } })
    const session = new EngineSession(scripted({ 0: entry, 1: protect({ stopLoss: { fraction: 0.02 } }) }))
    session.kline(100)
    // 98 × 0.98 = 96.04; the average of 98 and 3 × 96 is 96.5, and 96.5 × 0.98 = 94.57.
    expect(session.fill(1, 98, 1)).toEqual(['stopLoss sell 1 stop 96.04 reduceOnly'])
    expect(session.fill(1, 96)).toEqual(['resize 2 to 4'])
    session.kline(97)
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 4 stop 94.57 reduceOnly'])
  })

  describe('of an entry whose first part is too small for an order', () => {
    const order = { type: 'limit', price: 98 } as const
    /** A session after the fill of 0.05 × 95 = 4.75 USDT, below the smallest order of 5. */
    function withSmallPart(): EngineSession {
      const session = new EngineSession(scripted({ 0: enterLong({ order, stopLoss: 95 }) }))
      session.kline(100)
      expect(session.fill(1, 98, 0.05)).toEqual([])
      return session
    }

    it('wait in silence until the part is large enough', () => {
      const session = withSmallPart()
      expect(session.fill(1, 98, 0.001)).toEqual([])
      expect(session.fill(1, 98, 0.449)).toEqual(['stopLoss sell 0.5 stop 95 reduceOnly'])
      expect(session.fill(1, 98)).toEqual(['resize 2 to 1'])
      expect([session.retry(), session.engine.awaitingRetry.size]).toEqual([[], 0])
    })

    it.each(['retry', 'kline'] as const)('are told once at the next %s where it stays so', moment => {
      const session = withSmallPart()
      expect(session.engine.awaitingRetry.size).toBe(1)
      const act = () => (moment === 'retry' ? session.retry() : session.kline(100))
      expect(act()).toEqual(['denied by minimumNotional'])
      expect(session.outputs.find(({ type }) => type === 'denied')).toMatchObject({
        denial: {
          message: expect.stringMatching(
            / 5 USDT\. The bot places it when its entry has filled enough for the smallest order; until then, and if that does not happen, this part is without it\.$/,
          ),
        },
      })
      expect([act(), session.engine.awaitingRetry.size]).toEqual([[], 0])
      expect(session.fill(1, 98, 0.001)).toEqual([])
      expect(session.fill(1, 98, 0.449)).toEqual(['stopLoss sell 0.5 stop 95 reduceOnly'])
    })

    it('are told once where the entry ends before', () => {
      const session = withSmallPart()
      expect(session.update(1, 'canceled')).toEqual(['denied by minimumNotional'])
      expect([session.retry(), session.kline(100)]).toEqual([[], []])
    })

    it('go on waiting after a restart', () => {
      const again = new EngineSession(scripted({}))
      again.engine.restore(withSmallPart().engine.snapshot(), () => [])
      expect(again.retry()).toEqual(['denied by minimumNotional'])
    })
  })

  it('come again, from its own price, where the rest of an entry fills after the first part was stopped out', () => {
    const entry = enterLong({
      order: { type: 'limit', price: 98 },
      size: { base: 4 },
      stopLoss: { fraction: 0.02 },
    })
    const session = new EngineSession(scripted({ 0: entry }))
    session.kline(100)
    // 98 × 0.98 = 96.04, 97 × 0.98 = 95.06
    expect(session.fill(1, 98, 1)).toEqual(['stopLoss sell 1 stop 96.04 reduceOnly'])
    session.fill(2, 96)
    expect(session.fill(1, 97)).toEqual(['stopLoss sell 3 stop 95.06 reduceOnly'])
  })

  it('belong to their own entry when there are two', () => {
    const script = {
      0: enterLong({ stopLoss: 95 }),
      1: enterLong({ size: { base: 2 }, stopLoss: 97, scaleIn: true }),
    }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.fill(3, 100)).toEqual(['stopLoss sell 2 stop 97 reduceOnly'])
    expect(session.fill(4, 97)).toEqual([])
    expect([session.held, session.openQuantity(2)]).toEqual([1, 1])
  })
})
