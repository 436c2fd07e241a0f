import type { Instrument } from '../domain/instrument.ts'
import { type Amount, larger, ONE_RATE, type Rate } from '../domain/numbers/amount.ts'

const NO_RATE = 0n as Rate

/** Notional of a position ÷ its initial margin; 1 for spot, which is fully paid. */
export function leverageOf({ futures }: Instrument): number {
  return futures?.leverage ?? 1
}

/** Initial margin of a notional: notional ÷ leverage, rounded up at 10^-18 (openAmount of the interface). */
export function initialMargin(instrument: Instrument, worth: Amount): Amount {
  const divisor = BigInt(leverageOf(instrument))
  return ((worth + divisor - 1n) / divisor) as Amount // a share of an amount
}

/** The larger fee rate of an instrument, reserved by orders and added to the maintenance margin. */
function largestFeeRate({ fees: { maker, taker } }: Instrument): Rate {
  return larger(larger(maker, taker), NO_RATE) // a rebate keeps nothing
}

/**
 * Reserve of an order with the notional `worth`: initial margin and the largest fee, each rounded up at
 * 10^-18.
 */
export function orderMargin(instrument: Instrument, worth: Amount): Amount {
  return (initialMargin(instrument, worth) + orderFee(instrument, worth)) as Amount // a sum of amounts
}

/** The largest fee of an order with the notional `worth`, rounded up at 10^-18. */
export function orderFee(instrument: Instrument, worth: Amount): Amount {
  return shareOf(worth, largestFeeRate(instrument))
}

/**
 * Maintenance margin rate of a position with the notional `worth` (keepRate of the interface): that of the
 * first tier that covers it.
 */
export function maintenanceRate({ futures }: Instrument, worth: Amount): Rate {
  const tier = futures?.maintenance.find(({ upTo }) => upTo === undefined || worth <= upTo)
  return tier?.rate ?? NO_RATE // without tiers, nothing is kept
}

/**
 * Maintenance margin of a position with the notional `worth`, below which it is liquidated: notional ×
 * (maintenance rate + largest fee rate), rounded up at 10^-18.
 */
export function maintenanceMargin(instrument: Instrument, worth: Amount): Amount {
  return shareOf(worth, maintenanceRateWithFee(instrument, worth))
}

/** Maintenance margin rate of a position with the notional `worth`, closing fee included. */
export function maintenanceRateWithFee(instrument: Instrument, worth: Amount): Rate {
  return (maintenanceRate(instrument, worth) + largestFeeRate(instrument)) as Rate // a sum of rates
}

/** `worth × rate` of a rate of at least 0, rounded up. */
function shareOf(worth: Amount, rate: Rate): Amount {
  return ((worth * rate + ONE_RATE - 1n) / ONE_RATE) as Amount // a share of an amount
}
