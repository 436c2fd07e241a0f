import { decimalOf } from '../domain/decimal.ts'
import { ticksOf } from '../domain/grid.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { ExchangeCore } from './exchange-core.ts'
import type { PriceShock } from './exchange-input.ts'

/** Moves a market's reference price, from which it goes on; throws `UsageError` for an unknown symbol or a price off its grid. */
export function shockPrice({ state }: ExchangeCore, { symbol, price }: PriceShock): void {
  const wanted = symbol.replace('/', '').toUpperCase()
  const listed = state.markets.find(({ instrument }) => instrument.base + instrument.quote === wanted)
  if (listed === undefined) {
    const known = state.markets.map(({ instrument }) => instrument.symbol)
    throw new UsageError(`There is no market ${symbol}; there are ${known.join(', ')}.`)
  }
  const target = ticksOf(listed.instrument, decimalOf(price))
  if (target <= 0) throw new UsageError(`A price must be above 0, but it is ${price}.`)
  state.shock(listed, target)
}
