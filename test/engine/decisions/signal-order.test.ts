import { describe, expect, it } from 'vitest'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { isWorking } from '../../../src/domain/orders/order-status.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import type { SizingReference } from '../../../src/engine/engine-options.ts'
import {
  cancelEntries,
  enterLong,
  enterShort,
  exit,
  keepQuotes,
  protect,
  targetPosition,
} from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, SPOT, scripted } from '../engine-session.ts'

/** Every kind of signal that trades at once or leads to no order of its own. */
const KINDS: Readonly<Record<string, Signal>> = {
  'an entry': enterLong({ size: { base: 3 }, stopLoss: 90 }),
  'an entry that adds': enterLong({ size: { base: 3 }, scaleIn: true }),
  'an entry by equity that adds': enterLong({ size: { equityFraction: 0.2 }, scaleIn: true }),
  'an entry the other way': enterShort({ size: { base: 2 } }),
  'an exit': exit(),
  'half an exit': exit({ fraction: 0.5 }),
  'a target above': targetPosition({ base: 6 }),
  'a target below': targetPosition({ base: 1 }),
  'a target in equity': targetPosition({ equityFraction: 0.05 }),
  'a target the other way': targetPosition({ base: -2 }),
  'a flat target': targetPosition({ base: 0 }),
  'a new stop-loss': protect({ stopLoss: 95 }),
  'taking entries back': cancelEntries(),
}
/** A spot account knows no short positions. */
const SPOT_KINDS = Object.keys(KINDS).filter(name => !name.includes('other way'))

const pairsOf = (names: readonly string[]) =>
  names.flatMap(first => names.map(second => [first, second] as const))

/** Fills everything at market at 100, in the order in which it was placed, and confirms every cancel, until nothing of it works. */
function settle(session: EngineSession): void {
  for (let number = 1; number <= session.placed.length; number++) {
    const { spec, clientOrderId } = session.order(number)
    const order = session.ledger.orders.get(clientOrderId)
    if (order !== undefined && spec.type === 'market' && isWorking(order.status)) session.fill(number, 100)
  }
  session.placed.forEach(({ clientOrderId }, index) => {
    const order = session.ledger.orders.get(clientOrderId)
    const isCanceled = session.outputs.some(
      output => output.type === 'cancelOrder' && output.clientOrderId === clientOrderId,
    )
    if (order !== undefined && isCanceled && isWorking(order.status)) session.update(index + 1, 'canceled')
  })
}

/** Shows an opening at 100 as a backtest does: again, as long as anything is placed and filled at it. */
function open(session: EngineSession): void {
  const event = { type: 'openingSeen', symbol: session.instrument.symbol, price: ticks(10_000) } as const
  let again = false
  let words: readonly string[]
  do {
    words = session.process({ ...event, time: session.time, ...(again && { again: true as const }) })
    settle(session)
    again = true
  } while (words.length > 0)
}

/** What an account that begins with `held` has in the end: base held, and what protects it. */
function endOf(
  lists: readonly (readonly Signal[])[],
  held: number,
  instrument = MARGIN,
  sizingReference: SizingReference = 'decision',
): { readonly held: number; readonly resting: readonly string[] } {
  const start = held === 0 ? [] : [(held > 0 ? enterLong : enterShort)({ size: { base: Math.abs(held) } })]
  const session = new EngineSession(scripted({ ...[start, ...lists] }), { instrument, sizingReference })
  for (let kline = 0; kline <= lists.length; kline++) {
    session.kline(100)
    settle(session)
    if (sizingReference === 'nextOpen') open(session)
  }
  const resting = session.ledger.orders.working.map(
    ({ request, filledQuantity }) => `${request.purpose} ${request.quantity - filledQuantity}`,
  )
  return { held: session.held, resting: [...resting].sort() }
}

describe('a list of signals comes to the same as its signals one decision after the other', () => {
  describe.each([0, 4, -4])('on a margin account that holds %d', held => {
    it.each(pairsOf(Object.keys(KINDS)))('%s, then %s', (first, second) => {
      const signals = [KINDS[first] as Signal, KINDS[second] as Signal]
      expect(endOf([signals], held)).toEqual(endOf([[signals[0] as Signal], [signals[1] as Signal]], held))
    })
  })

  describe.each([0, 4, 95])('on a spot account that holds %d, less its fee', held => {
    it.each(pairsOf(SPOT_KINDS))('%s, then %s', (first, second) => {
      const signals = [KINDS[first] as Signal, KINDS[second] as Signal]
      const single = endOf([[signals[0] as Signal], [signals[1] as Signal]], held, SPOT)
      const whole = endOf([signals], held, SPOT)
      // Entries of one direction are placed together, so that sizes by equity do not know the fee of the first.
      expect(whole.held).toBeCloseTo(single.held, 1)
      if (whole.held === single.held) expect(whole.resting).toEqual(single.resting)
    })
  })
})

describe('a list of signals that is sized at the next opening comes to the same as one that is sized when it is decided', () => {
  describe.each([0, 4, -4])('on a margin account that holds %d', held => {
    it.each(pairsOf(Object.keys(KINDS)))('%s, then %s', (first, second) => {
      const list = [KINDS[first] as Signal, KINDS[second] as Signal]
      expect(endOf([list], held, MARGIN, 'nextOpen')).toEqual(endOf([list], held))
    })
  })

  describe.each([0, 4, 95])('on a spot account that holds %d, less its fee', held => {
    it.each(pairsOf(SPOT_KINDS))('%s, then %s', (first, second) => {
      const list = [KINDS[first] as Signal, KINDS[second] as Signal]
      expect(endOf([list], held, SPOT, 'nextOpen')).toEqual(endOf([list], held, SPOT))
    })
  })
})

describe('a list of signals that is sized at the next opening', () => {
  const sizedAtOpen = (list: readonly Signal[], instrument = MARGIN) => {
    const script = { 0: enterLong({ size: { base: 4 } }), 1: list }
    const session = new EngineSession(scripted(script), { instrument, sizingReference: 'nextOpen' })
    session.kline(100)
    open(session)
    return session
  }
  const opening = (session: EngineSession, price: number) =>
    session.process({
      type: 'openingSeen',
      symbol: session.instrument.symbol,
      price: ticks(price * 100),
      time: session.time,
    })

  it('waits for an exit that is not over at the opening, and is sized at the one after it', () => {
    const session = sizedAtOpen([exit(), enterLong({ size: { equityFraction: 0.5 } })], SPOT)
    expect(session.kline(100)).toEqual(['exit sell 3.996 market reduceOnly'])
    session.fill(2, 100, 2)
    expect(opening(session, 100)).toEqual([])
    expect(session.fill(2, 100)).toEqual([])
    // 9,600 + 3.996 × 99.9 = 9,999.2004; half of it at 50.
    expect(opening(session, 50)).toEqual(['entry buy 99.992 market'])
  })

  it('changes the protection of what its entry opens, not before', () => {
    const list = [enterLong({ size: { base: 2 }, scaleIn: true }), protect({ stopLoss: 95 })]
    const session = sizedAtOpen(list)
    expect(session.kline(100)).toEqual([])
    expect(opening(session, 100)).toEqual(['entry buy 2 market'])
    expect(session.fill(2, 100)).toEqual([
      'stopLoss sell 4 stop 95 reduceOnly',
      'stopLoss sell 2 stop 95 reduceOnly',
    ])
  })

  it('is dropped where the next decision comes before the opening', () => {
    const script = { 0: enterLong({ size: { base: 4 } }), 1: cancelEntries() }
    const session = new EngineSession(scripted(script), { sizingReference: 'nextOpen' })
    session.kline(100)
    session.kline(100)
    expect(opening(session, 100)).toEqual([])
  })
})

describe('a list of signals', () => {
  it('counts a target from after the exit before it', () => {
    expect(endOf([[exit({ fraction: 0.5 }), targetPosition({ base: 3 })]], 4).held).toBe(3)
    expect(endOf([[targetPosition({ base: 3 }), exit({ fraction: 0.5 })]], 4).held).toBe(1.5)
  })

  it('closes and enters anew with the money of the exit', () => {
    // 94.905 base sold at 100 less 0.1%, and 9,490.5 + 500 of quote are 9,980.
    const list = [exit(), enterLong({ size: { equityFraction: 0.95 } })]
    expect(endOf([list], 95, SPOT).held).toBeCloseTo(0.95 * 99.81, 0)
  })

  it('does not take back what it has placed itself', () => {
    const dip = enterLong({ order: { type: 'limit', price: 98 }, size: { base: 1 }, scaleIn: true })
    expect(endOf([[dip, exit()]], 4)).toEqual({ held: 0, resting: ['entry 1000'] })
    expect(endOf([[exit(), dip]], 4)).toEqual({ held: 0, resting: ['entry 1000'] })
    expect(endOf([[dip, cancelEntries()]], 4)).toEqual({ held: 4, resting: ['entry 1000'] })
    expect(endOf([[dip, targetPosition({ base: 1 })]], 4)).toEqual({ held: 1, resting: ['entry 1000'] })
  })

  it('goes on in order where it waits for what earlier decisions left', () => {
    const dip = enterLong({ order: { type: 'limit', price: 98 }, size: { base: 1 }, scaleIn: true })
    const list = [targetPosition({ base: 2 }), exit({ fraction: 0.5 }), protect({ stopLoss: 95 })]
    const session = new EngineSession(scripted({ 0: [enterLong({ size: { base: 4 } }), dip], 1: list }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['exit sell 2 market reduceOnly'])
    expect(session.fill(3, 100)).toEqual([
      'exit sell 1 market reduceOnly',
      'stopLoss sell 2 stop 95 reduceOnly',
    ])
    session.fill(4, 100)
    expect(session.held).toBe(1)
  })

  it('goes on where an order of it is refused', () => {
    const list = [enterLong({ size: { base: 2 }, scaleIn: true }), targetPosition({ base: 3 })]
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 4 } }), 1: list }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['entry buy 2 market'])
    expect(session.update(2, 'rejected')).toEqual(['exit sell 1 market reduceOnly'])
  })

  it('waits on where an exit of it is refused, until that has traded', () => {
    const list = [exit({ fraction: 0.5 }), targetPosition({ base: 3 })]
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 4 } }), 1: list }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly'])
    expect(session.update(2, 'rejected')).toEqual([])
    expect(session.retry()).toEqual(['exit sell 2 market reduceOnly'])
    expect(session.fill(3, 100, 1)).toEqual([])
    expect(session.update(3, 'expired')).toEqual(['exit sell 1 market reduceOnly'])
    expect(session.fill(4, 100)).toEqual(['entry buy 1 market'])
  })

  it('is dropped as far as it waits where the next decision comes first', () => {
    const list = [exit({ fraction: 0.5 }), targetPosition({ base: 3 })]
    const script = { 0: enterLong({ size: { base: 4 } }), 1: list, 2: targetPosition({ base: 1 }) }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
    expect(session.fill(2, 100)).toEqual([])
  })

  it('declares quotes after all others, wherever they stand in it', () => {
    const quotes = keepQuotes([{ side: 'buy', price: 98, size: { base: 1 } }])
    for (const signal of Object.values(KINDS))
      expect(endOf([[quotes, signal]], 4)).toEqual(endOf([[signal, quotes]], 4))
  })
})
