import { describe, expect, it } from 'vitest'
import {
  cancelEntries,
  enterLong,
  enterShort,
  exit,
  protect,
  type Signal,
  targetPosition,
} from '../../../src/strategy/index.ts'
import { EngineSession, type SessionOptions, scripted } from '../engine-session.ts'

/** Holds 5 BTC, bought at 100, and says what the script has from kline 1 on. */
function holding(
  script: Readonly<Record<number, Signal | readonly Signal[]>>,
  options: SessionOptions = {},
): EngineSession {
  const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 5 } }), ...script }), options)
  session.kline(100)
  session.fill(1, 100)
  return session
}

const limitExit = (price: number, fraction = 1) => exit({ fraction, order: { type: 'limit', price } })

/** Holds 5 BTC, and the exchange has refused the exit of all of it (order 2). */
function refused(script: Readonly<Record<number, Signal | readonly Signal[]>> = {}): EngineSession {
  const session = holding({ 1: exit(), ...script })
  expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly'])
  expect(session.update(2, 'rejected')).toEqual([])
  return session
}

describe('an exit at market whose end is not known yet', () => {
  const again = [enterLong({ size: { base: 5 } }), exit(), enterLong({ size: { base: 5 } }), exit()]
  const script = (count: number) =>
    Object.fromEntries(again.slice(0, count).map((signal, n) => [n + 2, signal]))

  /** The strategy has said exit, and then so many of: enter, exit, enter, exit. */
  function doubtful(count: number): EngineSession {
    const session = holding({ 1: exit(), ...script(count) })
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly'])
    for (let kline = 0; kline < count; kline++) expect(session.kline(100)).toEqual([])
    return session
  }

  it.each([1, 3])('lets one entry in, once it is over, whatever was said in between (%i signals)', count => {
    const session = doubtful(count)
    expect(session.update(2, 'expired')).toEqual([])
    expect(session.retry()).toEqual(['exit sell 5 market reduceOnly'])
    expect(session.fill(3, 100)).toEqual(['entry buy 5 market'])
    session.fill(4, 100)
    expect(session.held).toBe(5)
  })

  it.each([2, 4])('lets none in where the last word was exit (%i signals)', count => {
    const session = doubtful(count)
    session.update(2, 'expired')
    session.retry()
    expect(session.fill(3, 100)).toEqual([])
    expect(session.held).toBe(0)
  })

  it.each([1, 3])('lets the entry in when it turns out to have traded (%i signals)', count => {
    const session = doubtful(count)
    expect(session.fill(2, 100)).toEqual(['entry buy 5 market'])
  })
})

describe('an exit at market that a hold denies', () => {
  /** Holds 5 BTC and is halted; the strategy says what the script has, from kline 1 on. */
  function halted(script: Readonly<Record<number, Signal | readonly Signal[]>>): EngineSession {
    const session = holding(script)
    session.command('halt')
    return session
  }

  it.each([
    ['an exit', exit(), ['denied by tradingState'], 5],
    ['a part', exit({ fraction: 0.4 }), ['denied by tradingState'], 2],
    ['a flat target', targetPosition({ base: 0 }), ['denied by tradingState'], 5],
    ['a lower target', targetPosition({ base: 2 }), ['denied by tradingState'], 3],
    ['a reversal', enterShort(), ['denied by tradingState', 'denied by tradingState'], 5],
  ] as const)('is sent at the first close after it: %s', (_name, signal, words, size) => {
    const session = halted({ 1: signal })
    expect([session.kline(100), session.kline(100), session.kline(100)]).toEqual([words, [], []])
    session.command('resume')
    expect(session.kline(100)).toEqual([`exit sell ${size} market reduceOnly`])
    session.fill(2, 100)
    expect([session.held, session.kline(100)]).toEqual([5 - size, []])
  })

  it('is sent once, by the word of the close after the hold', () => {
    const session = halted({ 1: exit(), 2: exit(), 3: exit() })
    session.kline(100)
    session.kline(100)
    session.command('resume')
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly'])
    session.fill(2, 100)
    expect([session.held, session.kline(100)]).toEqual([0, []])
  })

  it('is taken back by an entry in the direction of the position', () => {
    const session = halted({ 1: exit(), 2: enterLong() })
    session.kline(100)
    session.kline(100)
    session.command('resume')
    expect([session.kline(100), session.held]).toEqual([[], 5])
  })

  it('ends with the position that a stop-loss closes meanwhile', () => {
    const session = holding({ 0: enterLong({ size: { base: 5 }, stopLoss: 95 }), 1: exit() })
    session.command('halt')
    session.kline(100)
    session.fill(2, 95)
    session.command('resume')
    expect([session.held, session.kline(100)]).toEqual([0, []])
  })

  it('takes nothing from an exit that rests before it leaves', () => {
    const session = holding({ 1: limitExit(110), 2: exit({ fraction: 0.4 }) })
    session.kline(100)
    session.command('halt')
    expect([session.kline(100), session.kline(100)]).toEqual([['denied by tradingState'], []])
    session.command('resume')
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly', 'cancel 2'])
    session.fill(3, 100)
    expect(session.update(2, 'canceled')).toEqual(['exit sell 3 limit 110 reduceOnly'])
  })

  it('closes what an entry on its way still opens', () => {
    const session = holding({ 1: enterLong({ size: { base: 1 }, scaleIn: true }), 2: exit() })
    session.kline(100)
    session.command('halt')
    session.kline(100)
    session.fill(2, 100)
    session.command('resume')
    const sent = session.kline(100)
    expect(sent).toEqual(['exit sell 5 market reduceOnly', 'exit sell 1 market reduceOnly'])
  })
})

describe('an entry at market on its way', () => {
  it('is closed by an exit that was said meanwhile', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 5 } }), 1: exit() }))
    session.kline(100)
    expect(session.kline(100)).toEqual([])
    expect(session.fill(1, 100)).toEqual(['exit sell 5 market reduceOnly'])
    session.fill(2, 100)
    expect(session.held).toBe(0)
  })

  it('is not closed where a later decision enters again, and is not entered twice', () => {
    const session = new EngineSession(
      scripted({ 0: enterLong({ size: { base: 5 } }), 1: exit(), 2: enterLong({ size: { base: 5 } }) }),
    )
    session.kline(100)
    session.kline(100)
    expect(session.kline(100)).toEqual([])
    expect(session.fill(1, 100)).toEqual([])
    expect(session.held).toBe(5)
  })

  it('of a reversal is taken back by an exit, and its position is closed', () => {
    const session = holding({ 1: enterShort({ size: { base: 2 } }), 2: exit() })
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly', 'entry sell 2 market'])
    expect(session.kline(100)).toEqual(['cancel 3'])
    session.update(3, 'canceled')
    session.fill(2, 100)
    expect(session.held).toBe(0)
  })
})

describe('an exit at market that the exchange does not complete', () => {
  it.each(['canceled', 'expired'] as const)('sells its rest at once where a part traded (%s)', end => {
    const session = holding({ 1: exit({ tag: 'top' }) })
    session.kline(100)
    session.fill(2, 100, 3)
    expect(session.update(2, end)).toEqual(['exit sell 2 market reduceOnly'])
    expect(session.order(3).tag).toBe('top')
    // Told with its order: 2 of the 5 BTC, in thousandths.
    const [sent] = session.outputs.flatMap(output => (output.type === 'exitSentAgain' ? [output] : []))
    expect(sent).toMatchObject({
      total: 5000,
      request: { quantity: 2000, clientOrderId: session.order(3).clientOrderId },
    })
    session.fill(3, 100)
    expect([session.held, session.retry()]).toEqual([0, []])
  })

  it.each(['rejected', 'canceled', 'expired'] as const)(
    'is sent again only after a pause where nothing traded (%s)',
    end => {
      const session = holding({ 1: exit() })
      session.kline(100)
      for (let number = 2; number < 30; number++) {
        expect(session.update(number, end)).toEqual([])
        expect([...session.engine.awaitingRetry]).toEqual(['BTC/USDT'])
        expect(session.retry()).toEqual(['exit sell 5 market reduceOnly'])
        expect([...session.engine.awaitingRetry]).toEqual([])
      }
      session.fill(30, 100)
      expect([session.held, session.retry()]).toEqual([0, []])
    },
  )

  it('leaves ten times at once while something trades, and then pauses', () => {
    const session = holding({ 1: exit() })
    session.kline(100)
    const sent = []
    for (let number = 2; number < 14; number++) {
      if (number > session.placed.length) break
      session.fill(number, 100, 0.1)
      sent.push(...session.update(number, 'expired'))
    }
    // 5 - 0.1 for each order.
    expect(sent).toEqual(
      [4.9, 4.8, 4.7, 4.6, 4.5, 4.4, 4.3, 4.2, 4.1, 4].map(rest => `exit sell ${rest} market reduceOnly`),
    )
    expect(session.retry()).toEqual(['exit sell 3.9 market reduceOnly'])
    session.fill(13, 100, 0.1)
    expect(session.update(13, 'expired')).toEqual(['exit sell 3.8 market reduceOnly'])
  })

  it('goes on at the next kline in a backtest, where nobody says that a retry is due', () => {
    expect(refused().kline(99)).toEqual(['exit sell 5 market reduceOnly'])
  })

  it('waits while its order is in doubt', () => {
    const session = holding({ 1: exit() })
    session.kline(100)
    const { clientOrderId } = session.order(2)
    session.ledger.orders.update(clientOrderId, 'outcomeLost')
    expect([session.retry(), session.kline(100)]).toEqual([[], []])
  })

  it('closes no more than it said where it closes a part', () => {
    const session = holding({ 1: exit({ fraction: 0.4 }) })
    session.kline(100)
    session.fill(2, 100, 0.5)
    expect(session.update(2, 'canceled')).toEqual(['exit sell 1.5 market reduceOnly'])
    session.update(3, 'rejected')
    expect(session.retry()).toEqual(['exit sell 1.5 market reduceOnly'])
    session.fill(4, 100)
    expect([session.held, session.retry(), session.kline(100)]).toEqual([3, [], []])
  })

  it('reduces to a target that is lower', () => {
    const session = holding({ 1: targetPosition({ base: 2 }) })
    expect(session.kline(100)).toEqual(['exit sell 3 market reduceOnly'])
    session.fill(2, 100, 1)
    expect(session.update(2, 'expired')).toEqual(['exit sell 2 market reduceOnly'])
    session.fill(3, 100)
    expect([session.held, session.retry()]).toEqual([2, []])
  })

  it('counts a fill that comes after the end of its order', () => {
    const session = holding({ 1: exit({ fraction: 0.6 }) })
    session.kline(100)
    session.update(2, 'canceled')
    session.fill(2, 100, 2)
    // 3 of 5 were to go, and 2 of them went.
    expect(session.retry()).toEqual(['exit sell 1 market reduceOnly'])
  })

  it('is not doubled by an order that turns up after it was proven absent, and ends once more', () => {
    const session = holding({ 1: exit({ fraction: 0.4 }) })
    session.kline(100)
    session.update(2, 'expired')
    expect(session.retry()).toEqual(['exit sell 2 market reduceOnly'])
    session.update(2, 'accepted')
    expect(session.update(2, 'canceled')).toEqual([])
    expect(session.retry()).toEqual([])
    session.fill(3, 100)
    expect([session.held, session.retry()]).toEqual([3, []])
  })

  it('is not begun anew by a second report of the same end', () => {
    const session = holding({ 1: exit({ fraction: 0.4 }) })
    session.kline(100)
    session.fill(2, 100, 1)
    session.update(2, 'canceled')
    expect(session.update(2, 'canceled')).toEqual([])
    session.fill(3, 100)
    expect(session.update(2, 'canceled')).toEqual([])
    expect([session.held, session.retry()]).toEqual([3, []])
  })

  it('shrinks with its position, and ends with it', () => {
    const session = new EngineSession(
      scripted({ 0: enterLong({ size: { base: 5 }, takeProfit: [{ at: 110, fraction: 0.6 }] }), 1: exit() }),
    )
    session.kline(100)
    session.fill(1, 100)
    expect(session.order(2).purpose).toBe('takeProfit')
    session.kline(100)
    session.update(3, 'rejected')
    session.fill(2, 110)
    expect(session.held).toBe(2)
    expect(session.retry()).toEqual(['exit sell 2 market reduceOnly'])
    session.fill(4, 110, 1)
    expect(session.update(4, 'expired')).toEqual(['exit sell 1 market reduceOnly'])
  })

  it('ends where a stop closes the position', () => {
    const session = new EngineSession(
      scripted({ 0: enterLong({ size: { base: 5 }, stopLoss: 90 }), 1: exit(), 3: enterLong() }),
    )
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    session.update(3, 'rejected')
    session.fill(2, 90)
    expect([session.held, session.engine.awaitingRetry.size, session.retry()]).toEqual([0, 0, []])
    session.kline(90)
    // A later position is not closed by it.
    session.kline(90)
    session.fill(4, 90)
    expect([session.held, session.retry(), session.kline(90)]).toEqual([1, [], []])
  })

  it('says once that its rest is less than an order may be, and ends', () => {
    const session = holding({ 1: exit() })
    session.kline(100)
    // 0.04 at 100 are worth less than the 5 that an order must be.
    session.fill(2, 100, 4.96)
    expect(session.update(2, 'expired')).toEqual(['denied by minimumNotional'])
    expect([session.retry(), session.kline(100), session.engine.unfinishedExits]).toEqual([[], [], []])
  })

  it('waits where trading is halted meanwhile, and says so once', () => {
    const session = refused()
    session.command('halt')
    expect(session.retry()).toEqual(['denied by tradingState'])
    expect(session.retry()).toEqual([])
    session.command('resume')
    expect(session.retry()).toEqual(['exit sell 5 market reduceOnly'])
    session.update(3, 'rejected')
    session.command('halt')
    expect(session.retry()).toEqual(['denied by tradingState'])
  })

  it('that another rule than a hold denies was never sent, and is not sent later', () => {
    // A fifth of a percent of 5 at 100 is worth less than the 5 that an order must be, at 1000 it is not.
    const session = holding({ 1: exit({ fraction: 0.002 }) })
    expect(session.kline(100)).toEqual(['denied by minimumNotional'])
    expect([session.kline(1000), session.retry()]).toEqual([[], []])
  })

  it('that rests keeps its rules: it is not sent again', () => {
    const session = holding({ 1: limitExit(101) })
    session.kline(100)
    session.fill(2, 101, 2)
    expect([session.update(2, 'canceled'), session.retry(), session.kline(100)]).toEqual([[], [], []])
  })
})

describe('while an exit waits to be sent again', () => {
  it.each([
    { signal: exit(), orders: ['exit sell 5 market reduceOnly'] },
    { signal: targetPosition({ base: 4 }), orders: ['exit sell 1 market reduceOnly'] },
    { signal: targetPosition({ base: 6 }), orders: ['entry buy 1 market'] },
    { signal: enterLong(), orders: [] },
    { signal: enterLong({ scaleIn: true }), orders: ['entry buy 1 market'] },
  ])('$signal.type takes its place, and that is told', ({ signal, orders }) => {
    const session = refused({ 2: signal })
    expect(session.kline(100)).toEqual(orders)
    const told = session.outputs.flatMap(output => (output.type === 'exitReplaced' ? [output] : []))
    // 5 BTC are 5000 steps; kline 2 closes after three minutes.
    const { symbol } = session.instrument
    expect(told).toEqual([
      {
        ...{ type: 'exitReplaced', symbol, book: symbol, strategy: 'scripted', side: 'sell' },
        ...{ quantity: 5000, by: signal.type, time: 180_000 },
      },
    ])
    if (orders.length > 0) session.fill(3, 100)
    expect([session.retry(), session.kline(100)]).toEqual([[], []])
  })

  it.each([
    { signal: cancelEntries(), orders: [] },
    { signal: protect({ stopLoss: 90 }), orders: ['stopLoss sell 5 stop 90 reduceOnly'] },
    {
      signal: enterLong({ order: { type: 'limit', price: 90 }, scaleIn: true }),
      orders: ['entry buy 1 limit 90'],
    },
  ])('$signal.type leaves it', ({ signal, orders }) => {
    const script = signal.type === 'protect' ? { 1: [protect({ stopLoss: 80 }), exit()] } : {}
    if (signal.type === 'protect') {
      const session = holding({ ...script, 2: signal })
      session.kline(100)
      const number = session.placed.findIndex(({ purpose }) => purpose === 'exit') + 1
      session.update(number, 'rejected')
      expect(session.kline(100)).toContain('exit sell 5 market reduceOnly')
      return
    }
    expect(refused({ 2: signal }).kline(100)).toEqual([...orders, 'exit sell 5 market reduceOnly'])
  })

  it('another part is a part of what it will leave', () => {
    const session = holding({ 1: exit({ fraction: 0.2 }), 2: exit({ fraction: 0.5 }) })
    session.kline(100)
    session.update(2, 'rejected')
    // 1 of 5 is to go, and half of the 4 that stay.
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly', 'exit sell 1 market reduceOnly'])
  })

  it('exits that rest get what it leaves', () => {
    const session = holding({ 1: exit({ fraction: 0.4 }), 2: limitExit(105, 0.9) })
    session.kline(100)
    session.update(2, 'rejected')
    // 0.9 of the 3 that stay.
    expect(session.kline(100)).toEqual([
      'exit sell 2.7 limit 105 reduceOnly',
      'exit sell 2 market reduceOnly',
    ])
  })

  it('a reversal adds its entry, which is canceled by an exit in full', () => {
    const session = holding({ 1: enterShort({ size: { base: 2 } }), 3: exit() })
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly', 'entry sell 2 market'])
    session.fill(2, 100, 1)
    expect(session.update(2, 'canceled')).toEqual(['exit sell 4 market reduceOnly'])
    session.update(4, 'rejected')
    expect(session.engine.isHeldByExit(session.order(3))).toBe(true)
    expect(session.kline(100)).toEqual(['exit sell 4 market reduceOnly'])
    session.update(5, 'rejected')
    expect(session.kline(100)).toEqual(['cancel 3', 'exit sell 4 market reduceOnly'])
    expect(session.update(3, 'canceled')).toEqual([])
    session.fill(6, 100)
    expect([session.held, session.retry()]).toEqual([0, []])
  })

  it.each([
    ['at market', enterShort({ size: { base: 3 } }), 'entry sell 3 market'],
    [
      'at a limit',
      enterShort({ size: { base: 3 }, order: { type: 'limit', price: 108 } }),
      'entry sell 3 limit 108',
    ],
  ])('a newer entry %s replaces the entry of a reversal, which waits', (_, newer, placed) => {
    const session = holding({ 1: enterShort({ size: { base: 8 } }), 2: newer })
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly', 'entry sell 8 market'])
    session.update(2, 'rejected')
    expect(session.kline(100)).toEqual(['cancel 3', 'exit sell 5 market reduceOnly'])
    expect(session.update(3, 'canceled')).toEqual([placed])
    session.fill(4, 100)
    expect(session.engine.isHeldByExit(session.order(5))).toBe(false)
    session.fill(5, 108)
    expect(session.held).toBe(-3)
  })

  it('limit entries on the other side wait for it, unless a rule of the bot denies it', () => {
    const session = refused({ 2: enterLong({ order: { type: 'limit', price: 90 }, scaleIn: true }) })
    expect(session.kline(100)).toEqual(['entry buy 1 limit 90', 'exit sell 5 market reduceOnly'])
    const bid = session.order(3)
    expect(session.engine.isHeldByExit(bid)).toBe(true)
    // A market order never trades with another one.
    expect(session.engine.isHeldByExit({ ...bid, spec: { type: 'market' } })).toBe(false)
    session.update(4, 'rejected')
    expect(session.engine.isHeldByExit(bid)).toBe(true)
    session.command('halt')
    expect(session.retry()).toEqual(['denied by tradingState'])
    expect(session.engine.isHeldByExit(bid)).toBe(false)
    session.command('resume')
    expect(session.retry()).toEqual(['exit sell 5 market reduceOnly'])
    expect(session.engine.isHeldByExit(bid)).toBe(true)
    session.fill(5, 100)
    expect(session.engine.isHeldByExit(bid)).toBe(false)
  })

  it('an operator takes over', () => {
    const session = refused()
    expect(session.command('flatten')).toEqual(['operator sell 5 market reduceOnly'])
    expect(session.retry()).toEqual([])
    session.fill(3, 100, 2)
    expect(session.update(3, 'expired')).toEqual(['operator sell 3 market reduceOnly'])
    session.fill(4, 100)
    expect([session.held, session.retry(), session.engine.closing.size]).toEqual([0, [], 0])
  })

  it('an operator takes its entry back as well', () => {
    const session = holding({ 1: enterShort() })
    session.kline(100)
    session.update(2, 'rejected')
    expect(session.command('flatten')).toEqual(['cancel 3', 'operator sell 5 market reduceOnly'])
  })

  it('it survives a restart', () => {
    const session = holding({ 1: exit({ tag: 'top' }) })
    session.kline(100)
    session.fill(2, 100, 3)
    session.update(2, 'expired')
    session.update(3, 'rejected')
    const again = new EngineSession(scripted({}))
    again.engine.restore(structuredClone(session.engine.snapshot()), () => [])
    expect(again.retry()).toEqual(['exit sell 2 market reduceOnly'])
    expect(again.order(1).tag).toBe('top')
  })

  it('a strategy that was changed decides anew, and a closing of the operator goes on', () => {
    const own = refused()
    const operators = holding({})
    operators.command('flatten')
    operators.update(2, 'rejected')
    const changed = (session: EngineSession) => {
      const other = new EngineSession({ ...scripted({}), name: 'other' })
      other.engine.restore(structuredClone(session.engine.snapshot()), () => [])
      return other.retry()
    }
    expect(changed(own)).toEqual([])
    expect(changed(operators)).toEqual(['operator sell 5 market reduceOnly'])
  })

  it('a snapshot of an older version, which knows only that the close was refused, has it closed', () => {
    const session = holding({})
    session.command('flatten')
    session.update(2, 'rejected')
    const state = structuredClone(session.engine.snapshot())
    const [{ markets, ...desk }] = state.desks as [(typeof state.desks)[number]]
    const older = markets.map(({ unfinishedExits, ...market }) => ({
      ...market,
      isClosingRefused: true as const,
    }))
    const again = new EngineSession(scripted({}))
    again.engine.restore({ ...state, desks: [{ ...desk, markets: older }] }, () => [])
    expect(again.engine.closing).toEqual(new Set(['BTC/USDT']))
    expect(again.retry()).toEqual(['operator sell 5 market reduceOnly'])
  })
})
