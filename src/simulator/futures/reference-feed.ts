import { AMOUNT_DECIMALS, type Amount, amountToText, ONE_RATE } from '../../domain/numbers/amount.ts'
import {
  baseAmount,
  type Grid,
  priceAmount,
  type Steps,
  steps,
  type Ticks,
  ticks,
} from '../../domain/numbers/grid.ts'
import type { Print } from '../prices/print.ts'
import type { Quotes } from '../prices/quotes.ts'
import type { Contract } from './contract.ts'

/** A print of a contract, with the index price it follows. */
export interface ContractPrint extends Print {
  readonly index: Amount
}

/** Decimals beyond those of one contract, so that a fraction of a contract does not round to zero. */
const FINER_BY = 3

/** The grid of a contract's own feed: its prices, and volumes in base finer than one contract. */
export function feedGridOf({ pricePrecision, multiplier }: Contract): Grid {
  const decimals = amountToText(multiplier).split('.')[1]?.length ?? 0
  return { pricePrecision, quantityPrecision: Math.min(decimals + FINER_BY, AMOUNT_DECIMALS) }
}

/**
 * A print of the underlying (on `grid`) as a print of the contract: the price is the index plus the contract's premium, on
 * the nearest tick; the volume is the whole contracts it makes.
 */
export function contractPrintOf(
  contract: Contract,
  grid: Grid,
  { time, price, quantity, side }: Print,
): ContractPrint {
  const index = priceAmount(grid, price)
  return {
    time,
    side,
    index,
    price: markOf(contract, index),
    quantity: contractsIn(contract, grid, quantity),
  }
}

/** A print of the contract's own feed, its volume in whole contracts. */
export function ownPrintOf(contract: Contract, print: Print): Print {
  return { ...print, quantity: contractsIn(contract, feedGridOf(contract), print.quantity) }
}

/**
 * Best quotes of the contract's own feed in contracts; a fraction of a contract becomes one, so that no price
 * is lost.
 */
export function ownQuotesOf(contract: Contract, quotes: Quotes): Quotes {
  const grid = feedGridOf(contract)
  const atLeastOne = (quantity: Steps) =>
    quantity === 0 ? quantity : steps(Math.max(1, contractsIn(contract, grid, quantity)))
  return {
    ...quotes,
    bidQuantity: atLeastOne(quotes.bidQuantity),
    askQuantity: atLeastOne(quotes.askQuantity),
  }
}

/** The index price from which the contract's premium leads to `mark`, quote per base, towards zero at 10^-18. */
export function indexBelow(contract: Contract, mark: Ticks): Amount {
  const exact = priceAmount(contract, mark) * ONE_RATE
  return (exact / (ONE_RATE + contract.premium)) as Amount // a price without a rate
}

function markOf({ premium, pricePrecision }: Contract, index: Amount): Ticks {
  const unit = 10n ** BigInt(AMOUNT_DECIMALS - pricePrecision) * ONE_RATE
  const exact = index * (ONE_RATE + premium)
  return ticks(Math.max(1, Number((2n * exact + unit) / (2n * unit))))
}

function contractsIn({ multiplier }: Contract, grid: Grid, quantity: Steps): Steps {
  return steps(Number(baseAmount(grid, quantity) / multiplier))
}
