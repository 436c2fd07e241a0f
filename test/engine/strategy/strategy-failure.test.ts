import { describe, expect, it } from 'vitest'
import type { Signal } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, enterShort, exit, sma } from '../../../src/strategy/index.ts'
import { StrategyEnded, StrategyError } from '../../../src/strategy/strategy-error.ts'
import { EngineSession, scripted } from '../engine-session.ts'

/** Enters with a stop-loss and rests a second entry; `fail` runs on the third kline. */
function failing(fail: () => Signal): EngineSession {
  const session = new EngineSession(
    defineStrategy({
      name: 'failing',
      state: () => ({ row: -1 }),
      onKline(_kline, { state }) {
        state.row++
        if (state.row === 0) return enterLong({ stopLoss: 95 })
        if (state.row === 1) return enterLong({ scaleIn: true, order: { type: 'limit', price: 98 } })
        return fail()
      },
    }),
  )
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  return session
}

const failures: readonly (readonly [string, () => Signal, string])[] = [
  [
    'throws',
    () => {
      throw new RangeError('no such row')
    },
    'Strategy "failing" on BTC/USDT at 1970-01-01T00:03:00.000Z threw in onKline: no such row',
  ],
  [
    'returns NaN as a price',
    () => enterLong({ order: { type: 'limit', price: Number.NaN } }),
    'Strategy "failing" on BTC/USDT at 1970-01-01T00:03:00.000Z returned a wrong signal. Its limit order has the price NaN, but a price must be a finite number above 0.',
  ],
  [
    'returns NaN as a size',
    () => enterLong({ size: { base: Number.NaN } }),
    'Strategy "failing" on BTC/USDT at 1970-01-01T00:03:00.000Z returned a wrong signal. Its size base is NaN, but must be a finite number above 0.',
  ],
]

describe.each(failures)('a strategy that %s', (_name, fail, message) => {
  it('is reported with its name, the market time and what was wrong', () => {
    const session = failing(fail)
    session.kline(100)
    const failure = session.outputs.find(output => output.type === 'strategyFailed')
    expect(failure).toMatchObject({ symbol: 'BTC/USDT', error: { message, reaction: 'disable' } })
  })

  it('loses its resting entries and keeps its protection', () => {
    const session = failing(fail)
    expect(session.kline(100)).toEqual(['strategy failed', 'cancel 3'])
    session.update(3, 'canceled')
    expect(session.ledger.orders.working.map(({ request }) => request.purpose)).toEqual(['stopLoss'])
  })

  it('decides nothing more', () => {
    let calls = 0
    const session = failing(() => {
      calls++
      return fail()
    })
    session.kline(100)
    expect(session.kline(100)).toEqual([])
    expect(calls).toBe(1)
  })
})

describe('a failure in a handler other than onKline', () => {
  it('in onFill comes after the protection of that fill', () => {
    const session = new EngineSession(
      defineStrategy({
        name: 'failing',
        onKline: () => enterLong({ stopLoss: 95 }),
        onFill() {
          throw new Error('boom')
        },
      }),
    )
    session.kline(100)
    expect(session.fill(1, 100)).toEqual(['stopLoss sell 1 stop 95 reduceOnly', 'strategy failed'])
    expect(session.kline(100)).toEqual([])
  })

  it('in onOrder names onOrder', () => {
    const session = new EngineSession(
      defineStrategy({
        name: 'failing',
        onKline: () => enterLong(),
        onOrder() {
          throw new Error('boom')
        },
      }),
    )
    expect(session.kline(100)).toEqual(['entry buy 1 market', 'strategy failed'])
    const failure = session.outputs.find(output => output.type === 'strategyFailed')
    expect(failure?.error.message).toMatch(/threw in onOrder: boom$/)
  })

  it('still lets a market entry that was on its way be protected', () => {
    const session = new EngineSession(
      defineStrategy({
        name: 'failing',
        state: () => ({ row: -1 }),
        onKline(_kline, { state }) {
          if (++state.row > 0) throw new Error('boom')
          return enterLong({ stopLoss: 95 })
        },
      }),
    )
    session.kline(100)
    session.kline(100)
    expect(session.fill(1, 100)).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
  })
})

describe('the other handlers', () => {
  it('have their signals carried out: onFill', () => {
    const session = new EngineSession(
      defineStrategy({
        name: 'ladder',
        state: () => ({ entered: false }),
        onKline: (_kline, { state }) => {
          if (state.entered) return
          state.entered = true
          return enterLong({ tag: 'first' })
        },
        onFill: ({ purpose, price, quantity, tag }) =>
          purpose === 'entry' && tag === 'first' && price === 99 && quantity === 1
            ? exit({ order: { type: 'limit', price: price + 5 } })
            : undefined,
      }),
    )
    session.kline(100)
    expect(session.fill(1, 99)).toEqual(['exit sell 1 limit 104 reduceOnly'])
  })

  it('have their signals carried out: onOrder', () => {
    const session = new EngineSession(
      defineStrategy({
        name: 'second-try',
        onKline: () => enterLong({ order: { type: 'limit', price: 99 } }),
        onOrder: ({ status, side }) => (status === 'rejected' && side === 'buy' ? enterShort() : undefined),
      }),
    )
    session.kline(100)
    expect(session.update(1, 'rejected')).toEqual(['entry sell 1 market'])
  })
})

it('a beginning and an end that a strategy says nothing on lead to nothing', () => {
  const silent = { name: 'silent', onStart: () => undefined, onStop: () => undefined }
  const { engine } = new EngineSession(defineStrategy(silent))
  expect(engine.process({ type: 'sessionStarted', time: 0 })).toEqual([])
  expect(engine.process({ type: 'sessionEnding', time: 1 })).toEqual([])
})

describe('before the warm-up is over', () => {
  const eager = defineStrategy({
    name: 'eager',
    indicators: () => ({ average: sma(3) }),
    onKline: () => enterLong(),
  })

  it('places nothing, and decides on the first kline after it', () => {
    const session = new EngineSession(eager)
    expect([100, 100, 100].flatMap(price => session.kline(price))).toEqual([])
    expect(session.outputs).toEqual([])
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })

  it('counts history towards it, but history never decides', () => {
    const session = new EngineSession(eager)
    expect([100, 100, 100, 100, 100].flatMap(price => session.history(price))).toEqual([])
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })

  it('never decides on history, even without a warm-up', () => {
    const session = new EngineSession(scripted({ 0: enterLong() }))
    expect(session.history(100)).toEqual([])
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })
})

describe('a strategy that is stopped from outside', () => {
  const bid = { scaleIn: true, order: { type: 'limit', price: 95 } } as const

  /** Holds 1 with a stop-loss (2) and has an entry resting (3); says `later` on every kline from the third on. */
  function resting(later: () => Signal | undefined = () => undefined) {
    const session = new EngineSession(
      defineStrategy({
        name: 'resting',
        state: () => ({ row: -1 }),
        onKline: (_kline, { state }) => [enterLong({ stopLoss: 90 }), enterLong(bid)][++state.row] ?? later(),
      }),
    )
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    return session
  }

  it('because it broke after a handler had returned is reported, and loses its entries only', () => {
    const session = resting(() => exit())
    const reason = 'Strategy "resting" failed in a promise.'
    const broke = {
      type: 'strategyBroke',
      symbol: 'BTC/USDT',
      book: 'BTC/USDT',
      reason,
      time: 200_000,
    } as const
    const before = session.outputs.length
    expect(session.process(broke)).toEqual(['strategy failed', 'cancel 3'])
    expect(session.outputs.slice(before).map(({ type }) => type)).toEqual(['strategyFailed', 'cancelOrder'])
    const failure = session.outputs.find(output => output.type === 'strategyFailed')
    expect(failure).toMatchObject({ symbol: 'BTC/USDT', book: 'BTC/USDT', error: { message: reason } })
    expect(session.kline(100)).toEqual([])
    expect(session.openQuantity(2)).toBe(1)
  })

  it('tells whoever watches it that it broke', () => {
    const base = defineStrategy({ name: 'promising', onKline: () => undefined })
    let fail: (error: StrategyError) => void = () => {}
    const watch = (onFailure: typeof fail) => {
      fail = onFailure
    }
    const session = new EngineSession({
      ...base,
      start: (parameters, view) => Object.assign(base.start(parameters, view), { watch }),
    })
    const told: unknown[] = []
    session.engine.watchStrategies(broken => told.push(broken))
    fail(new StrategyError('It broke.'))
    const at = { symbol: 'BTC/USDT', book: 'BTC/USDT' }
    expect(told).toEqual([{ type: 'strategyBroke', ...at, reason: 'It broke.' }])
  })

  it('because its instrument is halted is told of, and loses its entries only', () => {
    const session = resting(() => exit())
    const halted = { type: 'instrumentHalted', symbol: 'BTC/USDT', reason: 'Nobody knows.', time: 7 } as const
    expect(session.process(halted)).toEqual(['cancel 3'])
    expect(session.outputs.filter(({ type }) => type === 'instrumentHalted')).toEqual([halted])
    expect(session.kline(100)).toEqual([])
    expect(session.openQuantity(2)).toBe(1)
  })

  it('by itself, as it has nothing more to decide, keeps its entries as well', () => {
    const session = resting(() => {
      throw new StrategyEnded('All is said.')
    })
    session.kline(100)
    expect(session.outputs.at(-1)).toEqual({
      ...{
        type: 'strategyEnded',
        strategy: 'resting',
        symbol: 'BTC/USDT',
        book: 'BTC/USDT',
        why: 'All is said.',
      },
    })
    const before = session.outputs.length
    expect(session.kline(100)).toEqual([])
    expect([session.openQuantity(2), session.openQuantity(3)]).toEqual([1, 1])
    expect(session.outputs.length).toBe(before)
  })

  it('on another instrument than its own goes on', () => {
    const session = resting(() => exit())
    session.process({ type: 'instrumentHalted', symbol: 'ETH/USDT', reason: 'Nobody knows.', time: 7 })
    expect(session.kline(100)).toContain('cancel 3')
  })
})
