import { priceOf } from '../../../src/domain/numbers/grid.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'

/** The price of the latest trade of each market and contract that has traded, quote per base, by what the exchange calls it. */
export function lastPricesOf({ state, futures }: SimulatedExchange): ReadonlyMap<string, number> {
  const listed = [
    ...state.markets.map(({ instrument, tape }) => ({ grid: instrument, symbol: instrument.symbol, tape })),
    ...futures.contracts.map(({ contract, tape }) => ({ grid: contract, symbol: contract.name, tape })),
  ]
  return new Map(
    listed.flatMap(({ grid, symbol, tape }) =>
      tape.newest === undefined ? [] : [[symbol, priceOf(grid, tape.newest.price)] as const],
    ),
  )
}
