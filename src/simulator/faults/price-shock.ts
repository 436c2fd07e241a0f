import { decimalOf } from '../../domain/numbers/decimal.ts'
import { type Grid, type Ticks, ticksOf } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ExchangeCore } from '../exchange-core.ts'
import type { PriceShock } from '../exchange-input.ts'

/**
 * Moves the reference price of a spot pair, or of a contract with its own market, which continues from there.
 * Throws `UsageError` for any other symbol, and for a price off its grid.
 */
export function shockPrice({ state, futures }: ExchangeCore, { symbol, price }: PriceShock): void {
  const wanted = symbol.replace('/', '').toUpperCase()
  const listed = state.markets.find(({ instrument }) => instrument.base + instrument.quote === wanted)
  if (listed !== undefined) {
    state.shock(listed, priceOn(listed.instrument, price))
    futures.catchUp()
    return
  }
  const contract = futures.contracts.find(candidate => candidate.contract.name === wanted)
  if (contract === undefined) {
    throw new UsageError(`There is no market ${symbol}; there are ${movable(state, futures).join(', ')}.`)
  }
  if (contract.follows !== undefined) {
    throw new UsageError(
      `The contract ${wanted} follows the spot pair ${contract.follows.symbol}; move the price of that.`,
    )
  }
  const target = priceOn(contract.contract, price)
  // After all checks: a refused shock must not change state, and access wakes a contract.
  futures.shock(futures.contractOf(wanted), target)
}

function movable(state: ExchangeCore['state'], futures: ExchangeCore['futures']): readonly string[] {
  const own = futures.contracts.filter(({ follows }) => follows === undefined)
  return [
    ...state.markets.map(({ instrument }) => instrument.symbol),
    ...own.map(({ contract }) => contract.name),
  ]
}

function priceOn(grid: Grid, price: string): Ticks {
  const target = ticksOf(grid, decimalOf(price))
  if (target <= 0) throw new UsageError(`A price must be above 0, but it is ${price}.`)
  return target
}
