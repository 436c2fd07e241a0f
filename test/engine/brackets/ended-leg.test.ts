import { describe, expect, it } from 'vitest'
import { enterLong, protect } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../engine-session.ts'

/** A long of 2 from 100 with stop-loss (order 2) and take-profit (order 3). */
function bracketed(): EngineSession {
  const entry = enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit: 110 })
  const session = new EngineSession(scripted({ 0: entry }))
  session.kline(100)
  session.fill(1, 100)
  return session
}

describe('a protective order that ends while something is still held', () => {
  it('is placed again when the exchange refuses it', () => {
    const session = bracketed()
    expect(session.update(2, 'rejected')).toContain('stopLoss sell 2 stop 95 reduceOnly')
  })

  it('says so after the third refusal and waits for a retry or the next kline, and then after each refusal', () => {
    const session = bracketed()
    // The stop-loss is order 2, the take-profit 3; the new ones are 4 and 5.
    expect(session.update(2, 'rejected')).toHaveLength(1)
    expect(session.update(4, 'rejected')).toHaveLength(1)
    expect(session.update(5, 'rejected')).toEqual(['stopLoss refused too often'])
    expect(session.kline(100)).toEqual(['stopLoss sell 2 stop 95 reduceOnly'])
    expect(session.update(6, 'rejected')).toEqual(['stopLoss refused too often'])
    expect(session.retry()).toEqual(['stopLoss sell 2 stop 95 reduceOnly'])
    expect(session.retry()).toEqual([])
    expect(session.kline(100)).toEqual([])
  })

  it('is sent once at a retry as well where the ledger has forgotten the refused order', () => {
    const session = bracketed()
    for (const order of [2, 4, 5]) session.update(order, 'rejected')
    // The ledger remembers the latest 5,000 to 10,000 orders that ended.
    const { orders } = session.ledger
    for (let other = 0; other < 10_000; other++) {
      const clientOrderId = `other-${other}`
      orders.add({ ...session.order(1), clientOrderId })
      orders.acknowledge(clientOrderId)
      orders.update(clientOrderId, 'canceled')
    }
    expect(orders.get(session.order(5).clientOrderId)).toBeUndefined()
    expect(session.retry()).toEqual(['stopLoss sell 2 stop 95 reduceOnly'])
    expect(session.update(6, 'rejected')).toEqual(['stopLoss refused too often'])
  })

  it('is sent once where the strategy asks for the same at that kline', () => {
    const entry = enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit: 110 })
    const session = new EngineSession(
      scripted({ 0: entry, 1: protect({ stopLoss: 95 }), 2: protect({ stopLoss: 95 }) }),
    )
    session.kline(100)
    session.fill(1, 100)
    for (const order of [2, 4, 5]) session.update(order, 'rejected')
    expect(session.kline(100)).toEqual(['stopLoss sell 2 stop 95 reduceOnly'])
    expect(session.kline(100)).toEqual([])
  })

  it('is asked of risk again as well once the strategy asks for the same anew', () => {
    const entry = enterLong({ size: { base: 2 }, stopLoss: 95 })
    const again = protect({ stopLoss: 95 })
    const session = new EngineSession(scripted({ 0: entry, 1: again, 2: again }))
    session.kline(100)
    // 0.05 at 95 are worth less than the 5 that an order must be.
    expect(session.fill(1, 100, 0.05)).toEqual([])
    // The part stays too small, and so does what the strategy asks for.
    expect(session.kline(100)).toEqual(['denied by minimumNotional', 'denied by minimumNotional'])
    session.fill(1, 100, 0.01)
    expect(session.openQuantity(2)).toBe(0.06)
    expect(session.kline(100)).toEqual([])
  })

  it('is placed again for the rest after filling in part', () => {
    const session = bracketed()
    session.fill(3, 110, 0.5)
    expect(session.update(3, 'canceled')).toContain('takeProfit sell 1.5 limit 110 reduceOnly')
  })

  it('stays away once the position is closed', () => {
    const session = bracketed()
    session.fill(2, 95)
    expect(session.update(3, 'canceled').filter(line => line.includes('sell'))).toEqual([])
  })
})
