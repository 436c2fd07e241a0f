import { AMOUNT_DECIMALS, type Amount, amountToText, ONE_RATE } from '../../domain/amount.ts'
import {
  baseAmount,
  type Grid,
  priceAmount,
  type Steps,
  steps,
  type Ticks,
  ticks,
} from '../../domain/grid.ts'
import type { Print } from '../print.ts'
import type { Contract } from './contract.ts'

/** A print of a contract, with the index price it follows. */
export interface ContractPrint extends Print {
  readonly index: Amount
}

/** The grid of a contract's own feed: its prices, and volumes in base as fine as one contract. */
export function feedGridOf({ pricePrecision, multiplier }: Contract): Grid {
  return { pricePrecision, quantityPrecision: amountToText(multiplier).split('.')[1]?.length ?? 0 }
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

function markOf({ premium, pricePrecision }: Contract, index: Amount): Ticks {
  const unit = 10n ** BigInt(AMOUNT_DECIMALS - pricePrecision) * ONE_RATE
  const exact = index * (ONE_RATE + premium)
  return ticks(Math.max(1, Number((2n * exact + unit) / (2n * unit))))
}

function contractsIn({ multiplier }: Contract, grid: Grid, quantity: Steps): Steps {
  return steps(Number(baseAmount(grid, quantity) / multiplier))
}
