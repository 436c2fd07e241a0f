import { type Amount, divide } from '../../domain/numbers/amount.ts'
import { priceAmount, worthOf } from '../../domain/numbers/grid.ts'
import type { ListedMarket } from '../spot/listed-market.ts'

/**
 * Value of an amount in another asset at the reference prices: over their market in either direction, or over
 * one asset in between; `undefined` if no such market has printed.
 */
export function valueIn(
  target: string,
  asset: string,
  amount: Amount,
  markets: readonly ListedMarket[],
): Amount | undefined {
  const direct = converted(target, asset, amount, markets)
  if (direct !== undefined) return direct
  for (const { instrument } of markets) {
    const between = instrument.base === asset ? instrument.quote : instrument.base
    const there = converted(between, asset, amount, markets)
    const worth = there === undefined ? undefined : converted(target, between, there, markets)
    if (worth !== undefined) return worth
  }
  return undefined
}

function converted(
  target: string,
  asset: string,
  amount: Amount,
  markets: readonly ListedMarket[],
): Amount | undefined {
  if (asset === target) return amount
  for (const { instrument, reference } of markets) {
    const { base, quote } = instrument
    if (reference === undefined) continue
    if (base === asset && quote === target) return worthOf(instrument, reference, amount)
    if (quote === asset && base === target) return divide(amount, priceAmount(instrument, reference))
  }
  return undefined
}
