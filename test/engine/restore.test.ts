import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import type { Signal } from '../../src/domain/signal.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineState } from '../../src/engine/engine-state.ts'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import {
  defineStrategy,
  ema,
  enterLong,
  every,
  exit,
  rsi,
  type Strategy,
  sma,
} from '../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from './engine-session.ts'
import { anyHappenings, anyScript, play } from './random-events.ts'

const instrument = { ...MARGIN, minNotional: amountOf('0') }

/** Rules that bite often and remember something each. */
const RISK: RiskRules = {
  limits: { maxOrders: { count: 9, perMs: 120_000 } },
  protections: {
    lossesInARow: { mode: 'reducing', count: 2, pauseMs: 180_000 },
    cooldownAfterStop: { mode: 'reducing', pauseMs: 60_000 },
    drawdown: { mode: 'reducing', rate: rateOf('0.001'), pauseMs: 120_000 },
  },
}

function engineOf(strategy: Strategy, parameters: Readonly<Record<string, number>> = {}): Engine {
  const ledger = new Ledger([instrument], [['USDT', amountOf('100000')]])
  const traded = {
    strategy,
    parameters,
    symbol: 'BTC/USDT',
    interval: '1m',
    size: { base: 1 },
  } as const
  return new Engine({ bot: 'test', ledger, strategies: [traded], risk: RISK })
}

/** The engine that a restart makes of what a journal holds of another one. */
function restored(engine: Engine, strategy: Strategy, klines: readonly Kline[]): Engine {
  // What `snapshot` gave.
  const state = fromJournalText(journalText(engine.snapshot())) as EngineState
  const again = engineOf(strategy)
  again.restore(state, () => klines)
  return again
}

function klinesIn(events: readonly EngineEvent[]): readonly Kline[] {
  return events.flatMap(event => ('kline' in event ? [event.kline] : []))
}

/** What follows from an event, as text; rules may have denied an order that the event is about. */
function said(engine: Engine, event: EngineEvent): string {
  try {
    return journalText(engine.process(event))
  } catch (error) {
    return String(error)
  }
}

/** Compares every output, and the state in the end, of an engine and of one that took over at `cut`; gives what both said from there on. */
function expectSame(
  events: readonly EngineEvent[],
  cut: number,
  strategyOf: () => Strategy,
): readonly string[] {
  const engine = engineOf(strategyOf())
  for (const event of events.slice(0, cut)) said(engine, event)
  const again = restored(engine, strategyOf(), klinesIn(events.slice(0, cut)))
  expect(journalText(again.snapshot())).toBe(journalText(engine.snapshot()))
  const texts = events.slice(cut).map(event => {
    const text = said(engine, event)
    expect(said(again, event)).toBe(text)
    return text
  })
  expect(journalText(again.snapshot())).toBe(journalText(engine.snapshot()))
  return texts
}

describe('an engine restored from a snapshot', () => {
  it('gives what the engine that never stopped gives, for any strategy and course of events', () => {
    let [commands, holds] = [0, 0]
    fc.assert(
      fc.property(
        anyScript,
        anyHappenings,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (script, happenings, share) => {
          const strategyOf = () => scripted(Object.fromEntries(script.entries()))
          const session = play(script, happenings, () => {}, { instrument })
          commands += session.placed.length
          const said = expectSame(session.events, Math.floor(share * session.events.length), strategyOf)
          holds += said.filter(text => text.includes('tradingStateChanged')).length
        },
      ),
      { numRuns: 300 },
    )
    expect(commands).toBeGreaterThan(1000)
    expect(holds).toBeGreaterThan(50)
  })

  it('goes on with indicators and memory as they were', () => {
    const strategyOf = () =>
      defineStrategy({
        name: 'averages',
        indicators: () => ({ fast: ema(3), strength: rsi(4) }),
        state: () => ({ seen: new Map<number, number>(), highs: [] as number[] }),
        onKline: (
          { close, openTime },
          { indicators: { fast, strength }, state, position },
        ): Signal | undefined => {
          state.seen.set(openTime, fast.value)
          state.highs.push(strength.value)
          const earlier = state.seen.get(openTime - 180_000) ?? Number.NaN
          if (position.direction === 'flat')
            return earlier < close ? enterLong({ tag: `${state.highs.at(-2)}` }) : undefined
          return strength.value > 50 ? exit({ tag: `${earlier}` }) : undefined
        },
      })
    const closes = Array.from({ length: 60 }, (_, index) => 100 + 7 * Math.sin(index) + index / 3)
    const events = closes.map((close, index): EngineEvent => {
      const kline = { openTime: index * 60_000, open: close, high: close, low: close, close, volume: 1 }
      return { type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline }
    })
    const engine = engineOf(strategyOf())
    const signals = events.flatMap(event => engine.process(event)).filter(({ type }) => type === 'signaled')
    expect(signals.length).toBeGreaterThan(5)
    for (let cut = 0; cut <= events.length; cut += 7) expectSame(events, cut, strategyOf)
  })

  it('knows no timer of a strategy that threw before one could ring', () => {
    const strategyOf = () =>
      defineStrategy({
        name: 'throwing',
        timers: { tick: every('30s') },
        onKline: () => {
          throw new RangeError('no such row')
        },
        on: { tick: () => undefined },
      })
    const events = [0, 1, 2].map((index): EngineEvent => {
      const kline = { openTime: index * 60_000, open: 100, high: 100, low: 100, close: 100, volume: 1 }
      return { type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline }
    })
    expectSame(events, 2, strategyOf)
  })

  it('counts orders of a decision that still waits on from where it stood', () => {
    const script = {
      0: enterLong({ order: { type: 'limit', price: 90 } }),
      1: [enterLong({ scaleIn: true }), enterLong({ scaleIn: true })],
    }
    const price = 100
    const kline = (index: number): EngineEvent => ({
      type: 'klineClosed',
      symbol: 'BTC/USDT',
      interval: '1m',
      kline: { openTime: index * 60_000, open: price, high: price, low: price, close: price, volume: 1 },
    })
    const engine = engineOf(scripted(script))
    const [entry] = engine.process(kline(0)).filter(({ type }) => type === 'placeOrder')
    if (entry?.type !== 'placeOrder') throw new Error('No order was placed.')
    engine.process(kline(1))
    const again = restored(engine, scripted(script), klinesIn([kline(0), kline(1)]))
    const { clientOrderId } = entry.request
    const outputs = again.process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time: 120_000 })
    const ids = outputs.flatMap(output =>
      output.type === 'placeOrder' ? [output.request.clientOrderId] : [],
    )
    // 120,000 ms in base 36 is 2klc.
    expect(ids.map(id => id.slice(13))).toEqual(['-2klc-0', '-2klc-1'])
  })

  it('does not ask a strategy that failed, until somebody starts the bot anew', () => {
    const failing = () =>
      defineStrategy({
        name: 'failing',
        onKline: ({ openTime }) => {
          if (openTime === 0) throw new Error('broken')
          return enterLong()
        },
      })
    const kline = (openTime: number): EngineEvent => ({
      type: 'klineClosed',
      symbol: 'BTC/USDT',
      interval: '1m',
      kline: { openTime, open: 100, high: 100, low: 100, close: 100, volume: 1 },
    })
    const engine = engineOf(failing())
    expect(engine.process(kline(0)).map(({ type }) => type)).toEqual(['strategyFailed'])
    const again = restored(engine, failing(), [])
    expect(again.process(kline(60_000))).toEqual([])
    again.beginSession()
    expect(again.process(kline(120_000)).map(({ type }) => type)).toContain('placeOrder')
  })

  it('goes on where an indicator fails on an old kline as it did then, and not where a kline is none', () => {
    const failing = () =>
      defineStrategy({
        name: 'failing',
        indicators: () => {
          const broken = sma(1)
          broken.update = () => {
            throw new RangeError('broken')
          }
          return { broken }
        },
        onKline: () => enterLong(),
      })
    const kline = { openTime: 0, open: 100, high: 100, low: 100, close: 100, volume: 1 }
    const state = engineOf(failing()).snapshot()
    expect(() => engineOf(failing()).restore(state, () => [kline])).not.toThrow()
    const idle = () => defineStrategy({ name: 'idle', onKline: () => undefined })
    const missing = [undefined as unknown as Kline]
    expect(() => engineOf(idle()).restore(engineOf(idle()).snapshot(), () => missing)).toThrow(TypeError)
  })

  it('is none where nobody trades any more what is held', () => {
    const session = new EngineSession(scripted({ 0: enterLong() }))
    session.kline(100)
    const other = new EngineSession(scripted({}), {
      instrument: { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' },
    })
    expect(() => other.engine.restore(session.engine.snapshot(), () => [])).toThrow(
      'There is an open position or order of BTC/USDT, but no strategy trades it any more; put its strategy back, or stop the bot once with "onStop: flatten" before changing that.',
    )
  })

  it('knows nothing of what had waited until a later decision dropped it', () => {
    const script = { 0: enterLong({ order: { type: 'limit', price: 90 } }), 1: enterLong(), 2: exit() }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.kline(100)
    const waiting = () => session.engine.snapshot().desks[0]?.markets[0]?.decisions.waiting
    expect(waiting()?.length).toBe(1)
    session.kline(100)
    expect(waiting()).toEqual([])
  })

  it('has no best price of an entry whose fill was learned after the klines that followed it', () => {
    const strategyOf = () => scripted({ 0: enterLong({ trailingStop: { fraction: 0.05 } }) })
    const engine = engineOf(strategyOf())
    const klines = [100, 120].map((high, index) => ({
      ...{ openTime: index * 60_000, open: 100, high, low: 100, close: 100, volume: 1 },
    }))
    const outputs = klines.flatMap(kline =>
      engine.process({ type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline }),
    )
    const [entry] = outputs.filter(output => output.type === 'placeOrder')
    if (entry === undefined) throw new Error('No order was placed.')
    const { clientOrderId, quantity, symbol, side, referencePrice } = entry.request
    engine.process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time: 60_000 })
    const fill = {
      id: '1',
      clientOrderId,
      symbol,
      side,
      quantity,
      price: referencePrice,
      time: 60_000,
    } as const
    const unpaid = { fee: amountOf('0'), feeAsset: 'USDT', liquidity: 'taker' } as const
    engine.process({ type: 'filled', fill: { ...fill, ...unpaid } })
    const again = restored(engine, strategyOf(), klines)
    expect(journalText(again.snapshot())).toBe(journalText(engine.snapshot()))
  })

  it('keeps protecting what another strategy bought, and takes nothing else of it', () => {
    const engine = engineOf(scripted({ 0: enterLong({ stopLoss: 95 }) }))
    const [entry] = engine
      .process({
        type: 'klineClosed',
        symbol: 'BTC/USDT',
        interval: '1m',
        kline: { openTime: 0, open: 100, high: 100, low: 100, close: 100, volume: 1 },
      })
      .filter(({ type }) => type === 'placeOrder')
    if (entry?.type !== 'placeOrder') throw new Error('No order was placed.')
    const { clientOrderId, quantity, symbol, side, referencePrice } = entry.request
    engine.process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time: 60_000 })
    const other = defineStrategy({ name: 'other', state: () => ({ own: true }) })
    const again = restored(engine, other, [])
    const outputs = again.process({
      type: 'filled',
      fill: {
        ...{ id: '1', clientOrderId, symbol, side, price: referencePrice, quantity },
        ...{ fee: amountOf('0'), feeAsset: 'USDT', liquidity: 'taker', time: 61_000 },
      },
    })
    expect(outputs.map(({ type }) => type)).toEqual(['fillBooked', 'placeOrder'])
    expect(again.snapshot().desks[0]).toMatchObject({ strategy: 'other', memory: { own: true } })
  })
})
