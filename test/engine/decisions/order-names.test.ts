import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { OrderStatus } from '../../../src/domain/orders/order-status.ts'
import type { EngineState } from '../../../src/engine/engine-state.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../engine-session.ts'

const MINUTE = 60_000

describe('an order', () => {
  it('is named by its session too, so that two sessions name no order alike', () => {
    const idIn = (startedAt: number | undefined) => {
      const session = new EngineSession(scripted({ 0: enterLong() }))
      if (startedAt !== undefined) session.engine.nameSession({ startedAt, tag: 'ab' })
      session.kline(100)
      return session.order(1).clientOrderId
    }
    const ids = [undefined, 1000, 1001].map(idIn)
    expect(new Set(ids).size).toBe(3)
    // 1,000 ms in base 36 are rs; the kline closed at 60,000 ms, which are 1aao.
    expect(ids[1]).toMatch(/^[0-9a-z]{8}000rsab-1aao-0$/)
  })

  it('is not decided before its session began, whatever the time of its kline', () => {
    const session = new EngineSession(scripted({ 0: enterLong() }))
    session.engine.nameSession({ startedAt: 10 * MINUTE })
    session.kline(100)
    expect(session.order(1).decidedAt).toBe(10 * MINUTE)
  })

  it('that follows from another’s end is decided when that came', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ stopLoss: 90 }) }))
    session.kline(100)
    session.fill(1, 100)
    const { clientOrderId } = session.order(2)
    const time = session.time + 5000
    expect(session.process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time })).toEqual([
      'stopLoss sell 1 stop 90 reduceOnly',
    ])
    expect(session.order(3).decidedAt).toBe(time)
  })

  it('that had to wait for another’s end keeps the time of its decision', () => {
    const bid = enterLong({ order: { type: 'limit', price: 90 } })
    const session = new EngineSession(scripted({ 0: bid, 1: enterLong() }))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    const { clientOrderId } = session.order(1)
    const time = session.time + 5000
    session.process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time })
    expect(session.order(2)).toMatchObject({ purpose: 'entry', decidedAt: 2 * MINUTE })
  })

  it('that follows from a fill is decided when that came', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ stopLoss: 90 }) }))
    session.kline(100)
    const { clientOrderId, symbol, side, quantity, referencePrice: price } = session.order(1)
    const fill = { id: '1', clientOrderId, symbol, side, quantity, price, fee: amountOf('0') }
    const time = session.time + 5000
    session.process({ type: 'filled', fill: { ...fill, feeAsset: 'USDT', liquidity: 'taker', time } })
    expect(session.order(2)).toMatchObject({ purpose: 'stopLoss', decidedAt: time })
  })

  it.each<readonly [string, boolean, boolean, number, OrderStatus]>([
    ['at once where nobody is told of it', false, false, 299_999, 'open'],
    ['not for who follows orders', true, false, 299_999, 'pending'],
    ['not for who reads notices', false, true, 299_999, 'pending'],
    ['not once a hold has ended', false, false, 300_000, 'pending'],
  ])('is taken for accepted in one step: %s', (_name, follows, isObserved, time, status) => {
    const quiet = { name: 'quiet', onKline: () => enterLong() }
    const session = new EngineSession(
      defineStrategy(follows ? { ...quiet, onOrder: () => undefined } : quiet),
      { isObserved },
    )
    const kline = { openTime: 0, open: 100, high: 100, low: 100, close: 100, volume: 1 }
    const { engine } = session
    const placed = engine
      .process({ type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline })
      .find(output => output.type === 'placeOrder')
    if (placed === undefined) throw new Error('No order was placed.')
    session.command('pause', 300_000)
    expect(engine.acknowledge(placed.request, time)).toBe(status === 'open')
    expect(engine.ledger.orders.get(placed.request.clientOrderId)?.status).toBe(status)
  })

  it('has a name of its own after a restart, also beside one of the same decision that had waited', () => {
    const script = {
      0: enterLong({ order: { type: 'limit', price: 90 } }),
      1: enterLong({ stopLoss: 95 }),
    }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    const next = new EngineSession(scripted(script))
    next.engine.restore(fromJournalText(journalText(session.engine.snapshot())) as EngineState, () => [])
    const { clientOrderId } = session.order(1)
    const time = session.time
    next.process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time })
    const { clientOrderId: entry, symbol, side, quantity, referencePrice: price } = next.order(1)
    const fill = { id: '1', clientOrderId: entry, symbol, side, quantity, price, fee: amountOf('0') }
    next.process({ type: 'filled', fill: { ...fill, feeAsset: 'USDT', liquidity: 'taker', time } })
    const ids = next.placed.map(request => request.clientOrderId)
    expect(ids.length).toBe(2)
    expect(new Set(ids).size).toBe(2)
  })
})
