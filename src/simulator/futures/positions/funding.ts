import { type Amount, divide, type Rate, rateOf, subtract } from '../../../domain/numbers/amount.ts'
import { priceAmount, type Ticks } from '../../../domain/numbers/grid.ts'
import type { Contract } from '../contract.ts'

const HOUR = 3_600_000
/** Bounds that live exchanges of this interface publish (supplement section 7). */
const LARGEST_CORRECTION = rateOf('0.0005')
const LARGEST_RATE = rateOf('0.015')

/** The first settlement after `time` (ms UTC): multiples of the interval from 00:00 UTC. */
export function nextFundingTime({ funding }: Contract, time: number): number {
  const interval = funding.intervalHours * HOUR
  return (Math.floor(time / interval) + 1) * interval
}

/**
 * Funding rate from longs to shorts at a settlement, a fraction of the position's notional: the contract's
 * fixed rate, or premium + clamp(interest − premium, ±0.05%); either within ±1.5%.
 */
export function fundingRateOf(contract: Contract, mark: Ticks, index: Amount): Rate {
  const { fixedRate, interestRate } = contract.funding
  if (fixedRate !== undefined) return clamp(fixedRate, LARGEST_RATE)
  const premium = premiumOf(contract, mark, index)
  const correction = clamp((interestRate - premium) as Rate, LARGEST_CORRECTION) // a difference of rates
  return clamp((premium + correction) as Rate, LARGEST_RATE) // a sum of rates
}

/** (mark − index) ÷ index, towards zero. */
function premiumOf(contract: Contract, mark: Ticks, index: Amount): Rate {
  if (index === 0n) return 0n as Rate // no premium
  return divide(subtract(priceAmount(contract, mark), index), index) as bigint as Rate // a ratio of prices
}

function clamp(rate: Rate, most: Rate): Rate {
  if (rate > most) return most
  return rate < -most ? (-most as Rate) : rate // the other bound
}
