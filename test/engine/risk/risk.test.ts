import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import {
  defineStrategy,
  enterLong,
  exit,
  type Signal,
  type Strategy,
  ticker,
} from '../../../src/strategy/index.ts'
import { requestOf } from '../../ledger/order-parts.ts'
import { EngineSession, MARGIN, type SessionOptions, SPOT, scripted } from '../engine-session.ts'

const MINUTE = 60_000
const STALE = { type: 'dataStale', symbol: 'BTC/USDT', stream: 'klines', ageMs: 1, time: 0 } as const

/** Buys 1 BTC on the first kline and then does what the script says. */
const buyer = (
  script: Readonly<Record<number, Signal | readonly Signal[]>> = {},
  options: SessionOptions = {},
) => {
  const session = new EngineSession(scripted({ 0: enterLong({ stopLoss: 90 }), ...script }), options)
  session.kline(100)
  return session
}
const bid = enterLong({ order: { type: 'limit', price: 95 }, scaleIn: true })

describe('an operator', () => {
  it('who pauses has entries taken back and refused until the time is over, and exits pass', () => {
    const session = buyer({ 1: bid, 2: bid, 3: exit(), 4: enterLong() })
    session.fill(1, 100)
    session.kline(100)
    expect(session.command('pause', 4 * MINUTE + 1)).toEqual(['account reducing', 'cancel 3'])
    session.update(3, 'canceled')
    expect(session.kline(100)).toEqual(['denied by tradingState'])
    expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
    session.fill(4, 100)
    expect(session.kline(100)).toEqual(['account active', 'entry buy 1 market'])
  })

  it('who commands something once a pause is over finds it over', () => {
    const session = buyer()
    session.fill(1, 100)
    expect(session.command('pause', 2 * MINUTE)).toEqual(['account reducing'])
    const flatten = { type: 'tradingCommanded', command: 'flatten', by: 'operator', reason: 'So.' } as const
    expect(session.process({ ...flatten, time: 2 * MINUTE })).toEqual([
      'account active',
      'operator sell 1 market reduceOnly',
    ])
  })

  it('who halts has exits refused too, but what is held stays protected, and what still fills is protected as well', () => {
    const session = buyer({ 1: exit(), 2: exit() })
    session.fill(1, 100, 0.5)
    expect(session.command('halt')).toEqual(['account halted'])
    expect(session.kline(100)).toEqual(['denied by tradingState'])
    expect(session.fill(1, 100, 0.5)).toEqual(['resize 2 to 1', 'denied by tradingState'])
    expect(session.openQuantity(2)).toBe(1)
    expect(session.command('resume')).toEqual(['account active'])
    expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
  })

  it('who halts has an exit wait until the resume, though its strategy says it once', () => {
    const session = buyer({ 1: exit({ tag: 'out' }) })
    session.fill(1, 100)
    session.command('halt')
    expect(session.kline(100)).toEqual(['denied by tradingState'])
    expect([...session.engine.awaitingRetry]).toEqual([])
    expect([session.retry(), session.kline(100)]).toEqual([[], []])
    expect(session.command('resume')).toEqual(['account active'])
    expect([...session.engine.awaitingRetry]).toEqual(['BTC/USDT'])
    expect(session.retry()).toEqual(['exit sell 1 market reduceOnly'])
    expect(session.order(3).tag).toBe('out')
    session.fill(3, 100)
    expect(session.held).toBe(0)
  })

  it('who flattens has everything taken back and closed, and the strategy goes on', () => {
    const session = buyer({ 1: bid, 2: enterLong() })
    session.fill(1, 100)
    session.kline(100)
    expect(session.command('flatten')).toEqual(['cancel 3', 'operator sell 1 market reduceOnly'])
    session.update(3, 'canceled')
    expect(session.fill(4, 100)).toEqual(['cancel 2'])
    session.update(2, 'canceled')
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })

  it('who pulls the kill switch gets flat and halted, although an entry was on its way', () => {
    const session = buyer({ 1: enterLong({ scaleIn: true }) })
    session.fill(1, 100)
    session.kline(100)
    expect(session.command('kill')).toEqual(['account halted', 'operator sell 1 market reduceOnly'])
    expect(session.fill(3, 100)).toEqual(['operator sell 1 market reduceOnly'])
    expect(session.fill(4, 100)).toEqual(['cancel 2'])
    session.update(2, 'canceled')
    expect(session.fill(5, 100)).toEqual([])
    expect([session.held, session.mode]).toEqual([0, 'halted'])
  })

  it('gets what came back unfilled closed again', () => {
    const session = buyer()
    session.fill(1, 100)
    session.command('flatten')
    session.fill(3, 100, 0.4)
    expect(session.update(3, 'expired')).toEqual(['operator sell 0.6 market reduceOnly'])
    session.fill(4, 100)
    expect(session.held).toBe(0)
  })

  it.each(['flatten', 'kill'] as const)(
    'who asks for a %s while nothing is held leaves later entries alone',
    command => {
      const session = new EngineSession(scripted({ 1: enterLong() }))
      session.kline(100)
      session.command(command)
      session.command('resume')
      expect(session.kline(100)).toEqual(['entry buy 1 market'])
      expect(session.fill(1, 100)).toEqual([])
      expect(session.held).toBe(1)
    },
  )

  it('who asks for a flatten while nothing is held leaves later entries alone, whatever orders another strategy has', () => {
    const session = new EngineSession(scripted({ 1: enterLong() }))
    session.kline(100)
    session.ledger.orders.add(requestOf({ clientOrderId: 'other', book: 'BTC/USDT#other' }))
    session.command('flatten')
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
    expect(session.fill(1, 100)).toEqual([])
    expect(session.held).toBe(1)
  })

  it('who asks to close less than an order may be leaves later entries alone', () => {
    const session = new EngineSession(scripted({ 0: enterLong(), 1: enterLong({ scaleIn: true }) }))
    session.kline(100)
    // 0.04 at 100 are worth less than the 5 that an order must be.
    session.fill(1, 100, 0.04)
    session.update(1, 'canceled')
    expect(session.command('flatten')).toEqual(['denied by minimumNotional'])
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
    expect(session.fill(2, 100)).toEqual([])
    expect(session.held).toBe(1.04)
  })

  it.each(['rejected', 'canceled', 'expired'] as const)(
    'sends a closing that was %s untraded again only when a retry is due, and then until it is flat',
    end => {
      const session = buyer()
      session.fill(1, 100)
      session.command('flatten')
      for (let number = 3; number < 20; number++) {
        expect(session.update(number, end).filter(line => line.includes('market'))).toEqual([])
        expect(session.retry()).toEqual(['operator sell 1 market reduceOnly'])
      }
      session.fill(20, 100)
      expect([session.held, session.retry()]).toEqual([0, []])
    },
  )
})

describe('protections', () => {
  const session = (protections: NonNullable<RiskRules['protections']>, script = {}, own = false) =>
    buyer(script, own ? { strategyRisk: { protections } } : { risk: { protections } })

  it.each([[false], [true]])('cool down after a stop-loss (of the strategy: %j)', own => {
    const trading = session(
      { cooldownAfterStop: { pauseMs: 2 * MINUTE, mode: 'reducing' } },
      { 1: enterLong(), 2: enterLong(), 3: enterLong() },
      own,
    )
    const scope = own ? 'scripted on BTC/USDT' : 'account'
    trading.fill(1, 100)
    expect(trading.fill(2, 90)).toEqual([`${scope} reducing`])
    expect(trading.kline(90)).toEqual(['denied by tradingState'])
    expect(trading.kline(90)).toEqual([`${scope} active`, 'entry buy 1 market'])
  })

  const parts = {
    name: 'cooling',
    state: () => ({ row: -1 }),
    onKline: (_kline: Kline, { state }: { readonly state: { row: number } }) =>
      [enterLong({ stopLoss: 90 }), enterLong({ scaleIn: true })][++state.row],
  }
  const until = 4 * MINUTE

  /** Holds 1 BTC, and is halted for two minutes (until the end of the fourth) since a stop-loss has closed another one. */
  const cooling = (strategy: Strategy = defineStrategy(parts)) => {
    const protections = { cooldownAfterStop: { pauseMs: 2 * MINUTE, mode: 'halted' } } as const
    const trading = new EngineSession(strategy, { risk: { protections } })
    trading.kline(100)
    trading.fill(1, 100)
    trading.kline(100)
    trading.fill(3, 100)
    expect(trading.fill(2, 90)).toEqual(['account halted'])
    return trading
  }
  const closing = ['account active', 'exit sell 1 market reduceOnly']

  it('end by themselves before a bot that leaves closes what it holds, though nothing has happened since', () => {
    const flatten = { type: 'flattenRequested', symbol: 'BTC/USDT', purpose: 'exit' } as const
    expect(cooling().process({ ...flatten, time: until - 1 })).toEqual(['denied by tradingState'])
    expect(cooling().process({ ...flatten, time: until })).toEqual(closing)
  })

  it('end before a strategy has its say at the end of a session', () => {
    const trading = cooling(defineStrategy({ ...parts, onStop: () => exit() }))
    expect(trading.process({ type: 'sessionEnding', time: until })).toEqual(closing)
  })

  it('end before a strategy decides on what a feed shows', () => {
    const feeds = () => ({ quote: ticker({ everyMs: 1000 }) })
    const trading = cooling(defineStrategy({ ...parts, feeds, on: { quote: () => exit() } }))
    const best = { time: until, bid: 99, ask: 100, last: 100, high: 100, low: 90, volume: 1 }
    expect(trading.process({ type: 'tickerSeen', symbol: 'BTC/USDT', ticker: best })).toEqual(closing)
  })

  it('hold after two losing trades, each from flat to flat, whatever the number of fills', () => {
    const trading = session(
      { lossesInARow: { count: 2, pauseMs: 10 * MINUTE, mode: 'reducing' } },
      { 1: exit(), 2: enterLong(), 3: exit() },
    )
    trading.fill(1, 100, 0.5)
    trading.fill(1, 100, 0.5)
    trading.kline(99)
    expect(trading.fill(3, 99, 0.3)).not.toContain('account reducing')
    expect(trading.fill(3, 99, 0.7)).not.toContain('account reducing')
    trading.update(2, 'canceled')
    trading.kline(99)
    trading.fill(4, 99)
    trading.kline(98)
    expect(trading.fill(5, 98)).toContain('account reducing')
  })

  it('see an unrealised loss at the close of a kline, before the strategy decides on it', () => {
    // 1 BTC bought at 100 with an equity of 10,000: at 98.99 the loss is 1.01, above 1.
    const trading = session(
      { dailyLoss: { rate: rateOf('0.0001'), mode: 'halted' } },
      { 1: exit(), 2: exit() },
    )
    trading.fill(1, 100)
    expect(trading.kline(99.01)).toEqual(['exit sell 1 market reduceOnly'])
    trading.update(3, 'canceled')
    expect(trading.kline(98.99)).toEqual(['account halted', 'denied by tradingState'])
  })

  it('measure a strategy by what it earns itself', () => {
    const trading = session({ drawdown: { rate: rateOf('0.0001'), mode: 'reducing' } }, {}, true)
    trading.fill(1, 100)
    expect(trading.kline(105)).toEqual([])
    // 10,000 + 5 at its highest: a fall by 1.0005 from 105.
    expect(trading.kline(104)).toEqual([])
    expect(trading.kline(103.99)).toEqual(['scripted on BTC/USDT reducing'])
  })

  it('take a withdrawal for no loss', () => {
    const trading = session({ drawdown: { rate: rateOf('0.1'), mode: 'reducing' } })
    trading.process({ type: 'balancesReported', balances: new Map([['USDT', amountOf('5000')]]), time: 0 })
    expect(trading.kline(100)).toEqual([])
  })

  it('hold while data are stale and take resting entries back; resuming does not help', () => {
    const trading = session({ staleData: { gapPauseMs: 0, mode: 'reducing' } }, { 1: bid })
    trading.fill(1, 100)
    trading.kline(100)
    expect(trading.process(STALE)).toEqual(['account reducing', 'cancel 3'])
    expect(trading.command('resume')).toEqual([])
    expect(trading.process({ ...STALE, type: 'dataFresh' } as EngineEvent)).toEqual(['account active'])
  })

  it('of one instrument’s strategy do not care about another instrument', () => {
    const trading = session({ staleData: { gapPauseMs: 0, mode: 'reducing' } }, {}, true)
    expect(trading.process({ ...STALE, symbol: 'ETH/USDT' })).toEqual([])
    expect(trading.process(STALE)).toEqual(['scripted on BTC/USDT reducing'])
  })

  it('are resumed by the operator and begin anew', () => {
    const trading = session({ drawdown: { rate: rateOf('0.0001'), mode: 'halted' } }, { 3: exit() })
    trading.fill(1, 100)
    expect(trading.kline(98)).toEqual(['account halted'])
    expect(trading.command('resume')).toEqual(['account active'])
    expect(trading.kline(98)).toEqual([])
    expect(trading.kline(98)).toEqual(['exit sell 1 market reduceOnly'])
  })

  it('refuse to mix quote assets in one figure', () => {
    const eur = { ...MARGIN, symbol: 'BTC/EUR', quote: 'EUR' }
    const ledger = new Ledger([MARGIN, eur], [])
    const strategy = defineStrategy({ name: 'idle', onKline: () => undefined })
    const strategies = [MARGIN, eur].map(
      ({ symbol }) => ({ strategy, parameters: {}, symbol, interval: '1m', size: { base: 1 } }) as const,
    )
    const risk = { protections: { dailyLoss: { rate: rateOf('0.1'), mode: 'reducing' } } } as const
    expect(() => new Engine({ bot: 'test', ledger, strategies, risk })).toThrow(UsageError)
  })
})

describe('an instrument', () => {
  it('that Sluice halts is halted alone, until somebody resumes it by name', () => {
    const session = buyer({ 1: bid })
    session.fill(1, 100)
    const command = {
      type: 'tradingCommanded',
      by: 'invariant',
      symbol: 'BTC/USDT',
      reason: 'Nobody knows.',
      time: 0,
    } as const
    expect(session.process({ ...command, command: 'halt' })).toEqual(['BTC/USDT halted'])
    expect(session.kline(100)).toEqual(['denied by tradingState'])
    expect(session.command('resume')).toEqual([])
    expect(session.mode).toBe('halted')
    expect(session.process({ ...command, by: 'operator', command: 'resume' })).toEqual(['BTC/USDT active'])
  })

  it('that the exchange does not let be traded gets no entries, and can be left', () => {
    const session = buyer({ 1: bid, 2: exit() })
    session.fill(1, 100)
    session.process({ type: 'instrumentStatusSeen', symbol: 'BTC/USDT', isTradable: false, time: 0 })
    expect(session.kline(100)).toEqual(['denied by instrumentStatus'])
    expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
  })
})

describe('what was held when the bot ended', () => {
  const hold = (source: 'operator' | 'staleData' | 'drawdown', until?: number) =>
    ({ scope: {}, hold: { mode: 'halted', source, reason: 'It was.', since: 0, until } }) as const

  it('is held again, but for what has ended, what is no longer configured, and what must show itself anew', () => {
    const session = buyer()
    const restored = (...holds: readonly ReturnType<typeof hold>[]) =>
      session.process({ type: 'tradingRestored', holds, time: 2 * MINUTE })
    expect(restored(hold('staleData'))).toEqual([])
    expect(restored(hold('drawdown'))).toEqual([])
    expect(restored(hold('operator', MINUTE))).toEqual(['account halted', 'account active'])
    expect(restored(hold('operator'))).toEqual(['account halted'])
  })
})

it('limits of the account and of the strategy both hold', () => {
  const limits = (maxNotional: string) => ({ limits: { maxNotional: amountOf(maxNotional) } })
  const first = (risk: RiskRules, strategyRisk: RiskRules) =>
    new EngineSession(scripted({ 0: enterLong() }), { risk, strategyRisk }).kline(100)
  expect(first(limits('100'), limits('100'))).toEqual(['entry buy 1 market'])
  expect(first(limits('99'), limits('100'))).toEqual(['denied by maxNotional'])
  expect(first(limits('100'), limits('99'))).toEqual(['denied by maxNotional'])
})

it('a spot account that is halted keeps its stop-loss', () => {
  const session = buyer({}, { instrument: SPOT })
  session.fill(1, 100)
  session.command('halt')
  expect(session.ledger.orders.working.map(({ request }) => request.purpose)).toEqual(['stopLoss'])
})
