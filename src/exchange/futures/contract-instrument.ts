import type { FuturesTerms } from '../../domain/futures-terms.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../domain/numbers/amount.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { steps, ticks } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { listedOf } from '../wire/listed-of.ts'
import type { FuturesContract } from './contract.ts'

/** Largest leverage of a contract whose bound is known to the exchange alone, which refuses what is above it. */
const UNKNOWN_BOUND = Number.MAX_SAFE_INTEGER

/**
 * Instrument of a contract, traded as `symbol` on the given terms. Each fee rate is the larger of opening and
 * closing, because only fills show the real one. The contract list has no maintenance margin rates: the terms
 * give them. Without listed bounds any leverage is allowed here, and the exchange refuses. Throws `UsageError`
 * for a contract that is not settled in quote, that is not tradable, that lacks a needed rule, or whose
 * leverage does not allow the terms.
 */
export function contractInstrument(
  contract: FuturesContract,
  symbol: string,
  terms: FuturesTerms,
): Instrument {
  const { contractName } = contract
  requireUsable(contract, terms.leverage)
  const [, base = '', quote = ''] = contractName.split('-')
  const needed = <Value>(value: Value | undefined, rule: string) => listedOf(contractName, value, rule)
  const pricePrecision = needed(contract.pricePrecision, 'pricePrecision')
  const maker = largerOf(contract.openMakerFeeRate, contract.closeMakerFeeRate)
  const taker = largerOf(contract.openTakerFeeRate, contract.closeTakerFeeRate)
  return {
    symbol,
    base: contract.multiplierCoin?.toUpperCase() ?? base,
    quote: contract.marginCoin?.toUpperCase() ?? quote,
    pricePrecision,
    quantityPrecision: 0,
    minPrice: ticks(1),
    minQuantity: steps(Decimal.max(1, contract.minOrderVolume?.ceil() ?? 1).toNumber()),
    maxQuantity: steps(largestOf(contract).floor().toNumber()),
    minNotional: amountOf(needed(contract.minOrderMoney, 'minNotional')),
    leverage: boundsOf(contract),
    accountType: 'futures',
    contractSize: contractSizeOf(contractName, needed(contract.multiplier, 'contractSize'), pricePrecision),
    futures: terms,
    fees: {
      maker: rateOf(needed(maker, 'makerFeeRate')),
      taker: rateOf(needed(taker, 'takerFeeRate')),
      paidIn: 'quote',
    },
  }
}

function largerOf(opening: Decimal | undefined, closing: Decimal | undefined): Decimal | undefined {
  return opening && closing && Decimal.max(opening, closing)
}

/** Largest volume of an order of any type: entries are sent as limit orders, exits as market orders. */
function largestOf({ maxMarketVolume, maxLimitVolume }: FuturesContract): Decimal {
  const bounds = [maxMarketVolume, maxLimitVolume].filter(bound => bound !== undefined)
  return Decimal.min(...bounds, Number.MAX_SAFE_INTEGER)
}

/** Some hosts list a leverage of 0 for a bound that they do not have. */
function boundsOf({ minLeverage, maxLeverage }: FuturesContract): Instrument['leverage'] {
  const [min = 0, max = 0] = [minLeverage?.toNumber(), maxLeverage?.toNumber()]
  return { min: Math.max(1, min), max: max === 0 ? UNKNOWN_BOUND : max }
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
function contractSizeOf(contractName: string, multiplier: Decimal, pricePrecision: number) {
  const size = amountOf(multiplier)
  if (size > 0n && size % 10n ** BigInt(pricePrecision) === 0n) return size
  throw new UsageError(
    `The multiplier ${amountToText(size)} of ${contractName} has, with the ${pricePrecision} decimals of its price, more than the 18 decimals of an amount.`,
  )
}
