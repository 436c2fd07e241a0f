import type { MarketOf } from '../../config/configured-market.ts'
import { givenFor, type RulesBySymbol } from '../../config/instrument-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { decimalOf } from '../../domain/numbers/decimal.ts'
import { type Listings, listedRulesOf } from '../../market/listing-changes.ts'
import type { Market } from '../../market/market-subscription.ts'

/**
 * The grids of the instruments of a market in the notation and with the names of its list: the units in use
 * until the list is read again. Without what `rules` configures, which counts whatever the exchange lists.
 */
export function listedGrids(
  instruments: Iterable<Instrument>,
  marketOf: MarketOf,
  market: Market,
  rules: RulesBySymbol = {},
): Listings {
  return new Map(
    Array.from(instruments, instrument => ({ instrument, traded: marketOf(instrument.symbol) }))
      .filter(({ traded }) => traded.market === market)
      .map(({ instrument, traded }) => [traded.name, listedRulesOf(gridOf(instrument, rules))] as const),
  )
}

/** Contracts are counted whole, even if their list has decimals. */
function gridOf({ symbol, contractSize, ...grid }: Instrument, rules: RulesBySymbol): object {
  const given = givenFor(rules, symbol)
  const { pricePrecision, quantityPrecision } = grid
  return {
    ...(given.pricePrecision === undefined && { pricePrecision }),
    ...(contractSize === undefined
      ? given.quantityPrecision === undefined && { quantityPrecision }
      : given.contractSize === undefined && { multiplier: decimalOf(amountToText(contractSize)) }),
  }
}
