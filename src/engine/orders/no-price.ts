import type { Instrument } from '../../domain/instrument.ts'
import type { Refusal } from '../../risk/risk-check.ts'

/**
 * Refusal of every order of a market before its first price: size, protection and risk checks all need one.
 */
export function noPrice({ symbol }: Instrument): Refusal {
  const message = `${symbol} has no price yet, because the strategy has not seen a kline of it, so the order can be neither sized nor checked. Signal it once the price is a number: in onKline; or in onStart of a strategy that declares warmUp: () => 1.`
  return { rule: 'noPrice', limit: `a price of ${symbol}`, actual: 'none', message }
}
