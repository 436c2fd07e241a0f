import { amountOf } from '../../src/domain/numbers/amount.ts'
import type { RiskFact, RiskProtection } from '../../src/risk/protections/protection.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const mode = 'reducing'

export const marked = (equity: string, time: number, result = equity): RiskFact => ({
  type: 'marked',
  result: amountOf(result),
  equity: amountOf(equity),
  time,
})
export const funded = (amount: string): RiskFact => ({ type: 'funded', amount: amountOf(amount) })
export const closed = (pnl: string, time: number): RiskFact => ({
  type: 'tradeClosed',
  pnl: amountOf(pnl),
  time,
})
export const stale = (stream: string, time: number): RiskFact => ({
  type: 'dataStale',
  symbol: 'BTC/USDT',
  stream,
  ageMs: 1,
  time,
})
export const fresh = (stream: string, time: number): RiskFact => ({
  type: 'dataFresh',
  symbol: 'BTC/USDT',
  stream,
  time,
})
export const missed = (time: number): RiskFact => ({
  type: 'klinesMissed',
  symbol: 'BTC/USDT',
  from: 0,
  until: DAY,
  time,
})
export const spread = (spreadRate: number, symbol = 'BTC/USDT'): RiskFact => ({
  type: 'spreadSeen',
  symbol,
  spreadRate,
  time: 7,
})
export const clock = (uncertaintyMs: number): RiskFact => ({ type: 'clockMeasured', uncertaintyMs, time: 7 })

/** What follows from each fact: nothing, a lift, or when the hold ends (`open` for no end). */
export function answers(
  protection: RiskProtection,
  facts: readonly RiskFact[],
): readonly (string | number | undefined)[] {
  return facts.map(fact => {
    const change = protection.observe(fact)
    return change?.type === 'hold' ? (change.hold.until ?? 'open') : change?.type
  })
}
