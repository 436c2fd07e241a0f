import { type Instrument, OWN_FUNDS } from '../domain/instrument.ts'
import { type Grid, ticks } from '../domain/numbers/grid.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { contractFrom, requireNoContractRules } from './contract-from.ts'
import {
  assetsOf,
  type InstrumentSource,
  isContractName,
  quantitiesOf,
  rulesFor,
} from './instrument-rules.ts'

/** Most decimals of a price and a quantity together: their product must be an exact amount. */
export const MOST_DECIMALS = 18

/**
 * The instrument of a symbol: its own rules over the `default` ones over built-in ones. Defaults: the
 * smallest quantity is one step; fees are paid in the received asset, or in quote if a margin account
 * borrows. Throws `UsageError` for rules that contradict each other.
 */
export function instrumentFrom(
  { account, accounts, instruments }: InstrumentSource,
  symbol: string,
): Instrument {
  if (accounts !== undefined && isContractName(symbol))
    return contractFrom(accounts.futures, instruments, symbol)
  const rules = rulesFor(instruments, symbol)
  const isSpot = account.type === 'spot'
  const borrowsNothing = account.borrows === false
  if (account.type === 'futures') return contractFrom(account, instruments, symbol)
  if (isContractName(symbol))
    throw new UsageError(`${symbol} is a contract, but this is a ${account.type} account; use type: futures.`)
  requireNoContractRules(rules, account.type)
  return {
    ...assetsOf(symbol),
    ...gridOf(rules),
    ...quantitiesOf(rules),
    minPrice: ticks(1),
    minNotional: rules.minNotional,
    leverage: { min: 1, max: isSpot ? 1 : account.maxLeverage },
    accountType: account.type,
    ...(borrowsNothing && OWN_FUNDS),
    fees: {
      maker: rules.makerFeeRate,
      taker: rules.takerFeeRate,
      paidIn: rules.feesPaidIn ?? (isSpot || borrowsNothing ? 'received' : 'quote'),
    },
  }
}

function gridOf({ pricePrecision, quantityPrecision }: Grid): Grid {
  if (pricePrecision + quantityPrecision > MOST_DECIMALS) {
    throw new UsageError(
      `A pricePrecision of ${pricePrecision} and a quantityPrecision of ${quantityPrecision} add up to more than the ${MOST_DECIMALS} decimals of an amount.`,
    )
  }
  return { pricePrecision, quantityPrecision }
}
