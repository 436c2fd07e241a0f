import type { FuturesTerms } from '../../domain/futures-terms.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../domain/numbers/amount.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { steps, ticks } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { FuturesContract } from './contract.ts'

/**
 * Instrument of a contract, traded as `symbol` on the given terms. Each fee rate is the larger of opening and
 * closing, because only fills show the real one. The contract list has no maintenance margin rates: the terms
 * give them. Throws `UsageError` for a contract that is not settled in quote, that is not tradable, or whose
 * leverage does not allow the terms.
 */
export function contractInstrument(
  contract: FuturesContract,
  symbol: string,
  terms: FuturesTerms,
): Instrument {
  const { contractName, pricePrecision } = contract
  requireUsable(contract, terms.leverage)
  const [, , quote = ''] = contractName.split('-')
  return {
    symbol,
    base: contract.multiplierCoin.toUpperCase(),
    quote: contract.marginCoin?.toUpperCase() ?? quote,
    pricePrecision,
    quantityPrecision: 0,
    minPrice: ticks(1),
    minQuantity: steps(Decimal.max(1, contract.minOrderVolume.ceil()).toNumber()),
    maxQuantity: steps(largestOf(contract).floor().toNumber()),
    minNotional: amountOf(contract.minOrderMoney),
    leverage: boundsOf(contract),
    accountType: 'futures',
    contractSize: contractSizeOf(contract),
    futures: terms,
    fees: {
      maker: rateOf(Decimal.max(contract.openMakerFeeRate, contract.closeMakerFeeRate)),
      taker: rateOf(Decimal.max(contract.openTakerFeeRate, contract.closeTakerFeeRate)),
      paidIn: 'quote',
    },
  }
}

/** Largest volume of an order of any type: entries are sent as limit orders, exits as market orders. */
function largestOf({ maxMarketVolume, maxLimitVolume }: FuturesContract): Decimal {
  return Decimal.min(maxMarketVolume, maxLimitVolume, Number.MAX_SAFE_INTEGER)
}

/** Some hosts list a minimum leverage of 0. */
function boundsOf({ minLeverage, maxLeverage }: FuturesContract): Instrument['leverage'] {
  return { min: Math.max(1, minLeverage.toNumber()), max: maxLeverage.toNumber() }
}

function requireUsable(contract: FuturesContract, leverage: number): void {
  const { contractName, side, isTradable } = contract
  if (side !== 'forward')
    throw new UsageError(
      `${contractName} is settled in its base currency; only contracts settled in quote can be traded.`,
    )
  if (!isTradable)
    throw new UsageError(`The exchange accepts no orders for ${contractName} now; trade another one.`)
  const { min, max } = boundsOf(contract)
  if (leverage >= min && leverage <= max) return
  throw new UsageError(
    `The leverage of ${leverage} is not one that ${contractName} allows, ${min} to ${max}; change it in the account of the configuration.`,
  )
}

/** The size must be exact, or amounts of money would not be. */
function contractSizeOf({ contractName, multiplier, pricePrecision }: FuturesContract) {
  const size = amountOf(multiplier)
  if (size > 0n && size % 10n ** BigInt(pricePrecision) === 0n) return size
  throw new UsageError(
    `The multiplier ${amountToText(size)} of ${contractName} has, with the ${pricePrecision} decimals of its price, more than the 18 decimals of an amount.`,
  )
}
