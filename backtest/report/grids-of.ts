import type { Grid } from '../../src/domain/numbers/grid.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import type { ReplayedMarket } from '../metrics/market.ts'

export type GridOf = (symbol: string) => Grid

/** The grids of markets by symbol; throws `InvariantError` for a symbol that is not among them. */
export function gridsOf(markets: readonly ReplayedMarket[]): GridOf {
  const grids = new Map<string, Grid>(markets.map(({ instrument }) => [instrument.symbol, instrument]))
  return symbol => {
    const grid = grids.get(symbol)
    if (grid === undefined) throw new InvariantError(`The report has no market of the symbol ${symbol}.`)
    return grid
  }
}
