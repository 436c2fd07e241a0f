import { expect } from 'vitest'
import type { Purpose } from '../../../src/domain/orders/order-intent.ts'
import type { EngineSession } from '../engine-session.ts'

const LEGS: readonly Purpose[] = ['stopLoss', 'takeProfit', 'trailingStop']

/**
 * Compares protection with lots, both ways; returns how many protective orders there were. Parts of a take-profit may be
 * open for what is held at most; every other kind for exactly that.
 */
export function expectCovered(session: EngineSession): number {
  const lots = session.ledger.position('BTC/USDT')?.lots ?? []
  const heldOf = (id: string | undefined) =>
    lots.reduce((sum, lot) => (lot.clientOrderId === id ? sum + lot.quantity : sum), 0)
  const working = session.ledger.orders.working
  const protective = working.filter(({ request }) => request.protects !== undefined)
  const openOf = (entry: string | undefined, purpose: Purpose) =>
    protective
      .filter(({ request }) => request.protects === entry && request.purpose === purpose)
      .reduce((sum, { request, filledQuantity }) => sum + request.quantity - filledQuantity, 0)
  for (const { request, filledQuantity } of protective) {
    const held = heldOf(request.protects)
    expect(request.quantity - filledQuantity).toBeGreaterThan(0)
    // Of several trailing stops each covers all.
    if (request.purpose === 'trailingStop') expect(request.quantity - filledQuantity).toBe(held)
    else if (request.purpose === 'takeProfit')
      expect(openOf(request.protects, 'takeProfit')).toBeLessThanOrEqual(held)
    else expect(openOf(request.protects, request.purpose)).toBe(held)
  }
  const changed = session.outputs.some(
    output => output.type === 'signaled' && output.signal.type === 'protect',
  )
  for (const entry of session.placed) {
    const held = heldOf(entry.clientOrderId)
    if (changed || entry.protection === undefined || held === 0) continue
    for (const leg of LEGS) {
      if (leg === 'trailingStop') {
        const trailing = entry.protection.trailingStop ?? []
        expect(openOf(entry.clientOrderId, leg)).toBe(held * [trailing].flat().length)
        continue
      }
      const level = entry.protection[leg as 'stopLoss']
      const isParted = Array.isArray(level)
      const isWhole = isParted && level.reduce((sum, { fraction }) => sum + fraction, 0) === 1
      if (level !== undefined && (!isParted || isWhole)) expect(openOf(entry.clientOrderId, leg)).toBe(held)
      if (level === undefined) expect(openOf(entry.clientOrderId, leg)).toBe(0)
    }
  }
  return protective.length
}
