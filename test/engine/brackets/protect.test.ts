import { describe, expect, it } from 'vitest'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import type { EnterSignal, ProtectSignal } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, enterShort, protect } from '../../../src/strategy/index.ts'
import { EngineSession, type SessionOptions, scripted } from '../engine-session.ts'

type Entry = Omit<EnterSignal, 'type' | 'direction'>

/** A session that bought 2 at 100, and is told `change` at 104. */
function told(
  entry: Entry,
  change: Omit<ProtectSignal, 'type'>,
  options?: SessionOptions,
): [EngineSession, string[]] {
  const script = { 0: enterLong({ size: { base: 2 }, ...entry }), 1: protect(change) }
  const session = new EngineSession(scripted(script), options)
  session.kline(100)
  session.fill(1, 100)
  return [session, session.kline(104)]
}

describe('a change of protection', () => {
  it('takes the old order back first, and places the new one once that is over', () => {
    const [session, words] = told({ stopLoss: 95 }, { stopLoss: 100 })
    expect(words).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 2 stop 100 reduceOnly'])
  })

  it('never lets both fill: where the old order filled instead, there is no new one', () => {
    const [session] = told({ stopLoss: 95 }, { stopLoss: 100 })
    expect(session.fill(2, 95)).toEqual([])
    expect([session.held, session.ledger.orders.working.length]).toEqual([0, 0])
  })

  it('covers what is left where the old order filled in part', () => {
    const [session] = told({ stopLoss: 95 }, { stopLoss: 100 })
    expect(session.fill(2, 95, 0.5)).toEqual([])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1.5 stop 100 reduceOnly'])
  })

  it('leaves the kinds alone that it does not name', () => {
    const [session, words] = told({ stopLoss: 95, takeProfit: 110 }, { takeProfit: 120 })
    expect(words).toEqual(['cancel 3'])
    expect(session.update(3, 'canceled')).toEqual(['takeProfit sell 2 limit 120 reduceOnly'])
    expect(session.openQuantity(2)).toBe(2)
  })

  it('takes a kind away', () => {
    const [session, words] = told({ stopLoss: 95, takeProfit: 110 }, { takeProfit: 'none' })
    expect(words).toEqual(['cancel 3'])
    expect(session.update(3, 'canceled')).toEqual([])
  })

  it('protects what had no protection', () => {
    expect(told({}, { stopLoss: { fraction: 0.02 } })[1]).toEqual(['stopLoss sell 2 stop 98 reduceOnly'])
  })

  it('counts fractions from the entry, and lets a trailing stop follow the best price since', () => {
    expect(told({}, { takeProfit: { fraction: 0.1 }, trailingStop: { fraction: 0.03 } })[1]).toEqual([
      'takeProfit sell 2 limit 110 reduceOnly',
      'trailingStop sell 2 trailing 3 from 104 reduceOnly',
    ])
  })

  it('changes nothing where everything is as it says', () => {
    expect(
      told(
        { stopLoss: 95, trailingStop: { distance: 3 } },
        { stopLoss: 95, trailingStop: { distance: 3 } },
      )[1],
    ).toEqual([])
  })

  // 100 × 1.1 = 110.00000000000001 as a double; 95.004 is below 95.00 + half a cent, where a stop that sells is put down.
  it.each<[string, Entry, Omit<ProtectSignal, 'type'>]>([
    ['a fraction of the entry', { takeProfit: 110 }, { takeProfit: { fraction: 0.1 } }],
    ['less than a cent above a stop', { stopLoss: 95 }, { stopLoss: 95.004 }],
    ['less than a cent below a take-profit', { takeProfit: 110 }, { takeProfit: 109.996 }],
    [
      'the activation and the distance of a trailing stop',
      { trailingStop: { distance: 3, activation: 110 } },
      { trailingStop: { fraction: 0.03, activation: { fraction: 0.1 } } },
    ],
  ])('changes nothing where it is the same price on the grid: %s', (_what, entry, change) => {
    expect(told(entry, change)[1]).toEqual([])
  })

  it('by a fraction that is the same price counts from where the entry fills anew', () => {
    const entry = enterLong({ order: { type: 'limit', price: 101 }, size: { base: 2 }, takeProfit: 110 })
    const session = new EngineSession(scripted({ 0: entry, 1: protect({ takeProfit: { fraction: 0.1 } }) }))
    session.kline(102)
    session.fill(1, 100, 1)
    expect(session.kline(104)).toEqual([])
    session.fill(2, 110, 1)
    // 101 × 1.1
    expect(session.fill(1, 101, 1)).toEqual(['takeProfit sell 1 limit 111.1 reduceOnly'])
  })

  it('splits a take-profit, of what is held now', () => {
    const parts = [
      { at: 106, fraction: 0.25 },
      { at: 108, fraction: 0.75 },
    ]
    const [session, words] = told({ takeProfit: 110 }, { takeProfit: parts })
    expect(words).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual([
      'takeProfit sell 0.5 limit 106 reduceOnly',
      'takeProfit sell 1.5 limit 108 reduceOnly',
    ])
  })

  it('waits for all parts of an old take-profit', () => {
    const parts = [
      { at: 106, fraction: 0.5 },
      { at: 108, fraction: 0.5 },
    ]
    const [session, words] = told({ takeProfit: parts }, { takeProfit: 120 })
    expect(words).toEqual(['cancel 2', 'cancel 3'])
    expect(session.update(3, 'canceled')).toEqual([])
    expect(session.update(2, 'canceled')).toEqual(['takeProfit sell 2 limit 120 reduceOnly'])
  })

  it('that risk denies leaves the old order where it is', () => {
    // 2 × 2 = 4 USDT, below the smallest order of 5.
    const [session, words] = told({ stopLoss: 95 }, { stopLoss: 2 })
    expect(words).toEqual(['denied by minimumNotional'])
    expect(session.openQuantity(2)).toBe(2)
  })

  it('to a price beyond what the grid counts is denied, and leaves the old order where it is', () => {
    const [session, words] = told({ takeProfit: 110 }, { takeProfit: 1e300 })
    expect(words).toEqual(['denied by checkFailed'])
    expect(session.openQuantity(2)).toBe(2)
  })

  it('covers what fills of its entry later as well', () => {
    const entry = enterLong({ order: { type: 'limit', price: 100 }, size: { base: 2 }, stopLoss: 95 })
    const session = new EngineSession(scripted({ 0: entry, 1: protect({ stopLoss: 97 }) }))
    session.kline(101)
    session.fill(1, 100, 1)
    session.kline(101)
    session.update(2, 'canceled')
    expect(session.fill(1, 100)).toEqual(['resize 3 to 2'])
  })

  it('reaches only what entries with its tag opened', () => {
    const script = {
      0: enterLong({ stopLoss: 95, tag: 'a' }),
      1: enterLong({ stopLoss: 96, tag: 'b', scaleIn: true }),
      2: protect({ stopLoss: 99, tag: 'b' }),
    }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    session.fill(3, 100)
    expect(session.kline(100)).toEqual(['cancel 4'])
  })

  it('replaces no entries, and does nothing when flat', () => {
    const rests = enterShort({ order: { type: 'limit', price: 110 } })
    const session = new EngineSession(scripted({ 0: rests, 1: protect({ stopLoss: 99 }) }))
    session.kline(100)
    expect(session.kline(100)).toEqual([])
    expect(session.openQuantity(1)).toBe(1)
  })

  it('may follow from a fill: the stop-loss goes to the entry once a part of the profit is taken', () => {
    const strategy = defineStrategy({
      name: 'break-even',
      state: () => ({ row: -1 }),
      onKline: (_kline, { state }) =>
        ++state.row === 0
          ? enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit: [{ at: 105, fraction: 0.5 }] })
          : undefined,
      onFill: ({ purpose }, { position }) =>
        purpose === 'takeProfit' ? protect({ stopLoss: position.entryPrice }) : undefined,
    })
    const session = new EngineSession(strategy)
    session.kline(100)
    session.fill(1, 100)
    expect(session.fill(3, 105)).toEqual(['resize 2 to 1', 'cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 100 reduceOnly'])
  })
})

describe('a change of protection replaces an order', () => {
  const half = [{ at: 110, fraction: 0.5 }]
  const quarter = [{ at: 110, fraction: 0.25 }]
  const activated = { distance: 5, activation: 108 }

  it.each<readonly [string, Entry, Omit<ProtectSignal, 'type'>, boolean]>([
    ['a stop-loss at another price', { stopLoss: 95 }, { stopLoss: 96 }, true],
    ['a stop-loss at the same price', { stopLoss: 95 }, { stopLoss: { fraction: 0.05 } }, false],
    ['a take-profit at another price', { takeProfit: 110 }, { takeProfit: 111 }, true],
    ['a take-profit at the same price', { takeProfit: 125 }, { takeProfit: { fraction: 0.25 } }, false],
    ['a take-profit of the whole by one of a part', { takeProfit: 110 }, { takeProfit: half }, true],
    ['a part by a smaller one', { takeProfit: half }, { takeProfit: quarter }, true],
    ['a part by the same', { takeProfit: half }, { takeProfit: half }, false],
    ['a distance by another', { trailingStop: { distance: 5 } }, { trailingStop: { distance: 6 } }, true],
    [
      'a distance by the same',
      { trailingStop: { distance: 5 } },
      { trailingStop: { fraction: 0.05 } },
      false,
    ],
    [
      'a rate by another',
      { trailingStop: { callbackRate: 0.05 } },
      { trailingStop: { callbackRate: 0.06 } },
      true,
    ],
    [
      'a rate by the same',
      { trailingStop: { callbackRate: 0.05 } },
      { trailingStop: { callbackRate: 0.05 } },
      false,
    ],
    [
      'a rate by a distance',
      { trailingStop: { callbackRate: 0.05 } },
      { trailingStop: { distance: 5 } },
      true,
    ],
    [
      'a distance by a rate',
      { trailingStop: { distance: 5 } },
      { trailingStop: { callbackRate: 0.05 } },
      true,
    ],
    ['one at once by one that waits', { trailingStop: { distance: 5 } }, { trailingStop: activated }, true],
    ['one that waits by the same', { trailingStop: activated }, { trailingStop: activated }, false],
    [
      'one that waits by one that waits longer',
      { trailingStop: activated },
      { trailingStop: { ...activated, activation: 109 } },
      true,
    ],
    [
      'one stop by two',
      { trailingStop: { distance: 5 } },
      { trailingStop: [{ distance: 5 }, { distance: 7 }] },
      true,
    ],
    [
      'two stops by one',
      { trailingStop: [{ distance: 5 }, { distance: 7 }] },
      { trailingStop: { distance: 5 } },
      true,
    ],
  ])('only where it says something else: %s', (_name, entry, change, replaces) => {
    const [session, words] = told(entry, change)
    const orders = session.placed.slice(1).map((_request, index) => `cancel ${index + 2}`)
    expect(words).toEqual(replaces ? orders : [])
  })
})

describe('a trailing stop that the exchange takes back', () => {
  it('is placed again, and goes on from the best price that it has seen between two klines', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ trailingStop: { distance: 5 } }) }))
    session.kline(100)
    session.fill(1, 100)
    const { clientOrderId } = session.order(2)
    session.process({ type: 'trailingStopMoved', clientOrderId, best: ticks(10_950), time: session.time })
    expect(session.update(2, 'canceled')).toEqual(['trailingStop sell 1 trailing 5 from 109.5 reduceOnly'])
  })
})

describe('a trailing stop that replaces another one', () => {
  const script = {
    0: enterLong({ size: { base: 2 }, trailingStop: { distance: 5 } }),
    2: protect({ trailingStop: { distance: 3 } }),
  }

  it('goes on from the best price that the old order has seen, between two klines as well', () => {
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.fill(1, 100)
    session.kline(104)
    const { clientOrderId } = session.order(2)
    session.process({ type: 'trailingStopMoved', clientOrderId, best: ticks(10_950), time: session.time })
    expect(session.kline(106)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['trailingStop sell 2 trailing 3 from 109.5 reduceOnly'])
  })

  it('goes on from the best price since the entry after a restart', () => {
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.fill(1, 100)
    session.kline(110)
    const { clientOrderId } = session.order(2)
    const next = new EngineSession(scripted(script))
    next.engine.restore(session.engine.snapshot(), () => [])
    const kline = { openTime: session.time, open: 107, high: 107, low: 107, close: 107, volume: 1 }
    next.process({ type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline })
    const time = session.time + 60_000
    expect(next.process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time })).toEqual([
      'trailingStop sell 2 trailing 3 from 110 reduceOnly',
    ])
  })

  it('is sent again from the best price where the exchange has refused it', () => {
    const session = new EngineSession(scripted({ 0: script[0] }))
    session.kline(100)
    session.fill(1, 100)
    session.kline(110)
    expect(session.update(2, 'rejected')).toEqual(['trailingStop sell 2 trailing 5 from 110 reduceOnly'])
  })
})
