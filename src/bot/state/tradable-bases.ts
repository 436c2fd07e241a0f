import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import { NO_STEPS, stepsWithin } from '../../domain/numbers/grid.ts'

/** A base asset of which an amount is large enough for an order. */
export interface TradableBase {
  readonly asset: string
  readonly amount: Amount
  /** Symbols that trade it. */
  readonly symbols: readonly string[]
}

/** Base assets of instruments on the spot account of which the exchange accepts an order of the given amount. */
export function tradableBases(
  instruments: Iterable<Instrument>,
  amountOf: (asset: string) => Amount | undefined,
): readonly TradableBase[] {
  const traded = Map.groupBy(
    [...instruments].filter(one => rulesOf(one).comparedBy === 'balances'),
    ({ base }) => base,
  )
  return [...traded].flatMap(([asset, markets]) => {
    const amount = amountOf(asset)
    return amount === undefined || !markets.some(one => isTradable(one, amount))
      ? []
      : [{ asset, amount, symbols: markets.map(({ symbol }) => symbol) }]
  })
}

function isTradable(instrument: Instrument, base: Amount): boolean {
  const quantity = stepsWithin(instrument, base)
  return quantity > NO_STEPS && quantity >= instrument.minQuantity
}
