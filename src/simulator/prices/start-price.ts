import type { Grid } from '../../domain/numbers/grid.ts'
import type { MarketSettings } from './market-settings.ts'

/** A generated price never falls below this many ticks, so that it keeps some resolution: where it may not go, it cannot start. */
export const LOWEST_TICKS = 100
/** Room for a price to grow a thousandfold and more before it is no exact number of ticks. */
const HIGHEST_START_TICKS = 10 ** 12

interface PairEntry {
  readonly instrument: Grid
  readonly market: MarketSettings
}

interface ContractEntry {
  readonly contract: Grid
  readonly market:
    | MarketSettings
    | { readonly type: 'spot'; readonly ifUnlisted?: MarketSettings | undefined }
}

/** A start price that cannot be: where it stands, and the rest of a sentence about it. */
export interface StartPriceProblem {
  readonly path: (string | number)[]
  readonly message: string
}

/** Holds the start of every generated market against the decimals of its prices. */
export function startPriceProblems(
  listings: readonly PairEntry[],
  contracts: readonly ContractEntry[],
): readonly StartPriceProblem[] {
  const pairs = listings.map(({ instrument, market }, index) =>
    problemOf(market, instrument, ['listings', index, 'market']),
  )
  const others = contracts.map(({ contract, market }, index) => {
    const path = ['futures', 'contracts', index, 'market']
    return market.type === 'spot'
      ? problemOf(market.ifUnlisted, contract, [...path, 'ifUnlisted'])
      : problemOf(market, contract, path)
  })
  return [...pairs, ...others].filter(problem => problem !== undefined)
}

function problemOf(
  market: MarketSettings | undefined,
  { pricePrecision }: Grid,
  path: readonly (string | number)[],
): StartPriceProblem | undefined {
  if (market?.type !== 'generated') return undefined
  const { startPrice } = market
  // Decimal digits times a power of ten may be a little off as a double.
  const ticks = Number((startPrice * 10 ** pricePrecision).toPrecision(12))
  if (ticks >= LOWEST_TICKS && ticks <= HIGHEST_START_TICKS) return undefined
  const bounds = `a generated market starts at ${LOWEST_TICKS} to ${HIGHEST_START_TICKS} of them`
  const remedy = `${ticks < LOWEST_TICKS ? 'raise' : 'lower'} the price or pricePrecision`
  return {
    path: [...path, 'startPrice'],
    message: `is ${startPrice}, which at a pricePrecision of ${pricePrecision} is ${ticks} ticks; ${bounds}: ${remedy}.`,
  }
}
