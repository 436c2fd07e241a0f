import { type Amount, ONE_RATE, type Rate } from '../../domain/numbers/amount.ts'
import type { Grid, Steps, Ticks } from '../../domain/numbers/grid.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'

/** Fee rates of one action. */
export type LiquidityRates = Readonly<Record<Liquidity, Rate>>

/** Up to which position value a maintenance rate applies; the last tier has no end. */
export interface SimulatedMaintenanceTier {
  readonly upTo?: Amount | undefined
  readonly keepRate: Rate
}

/** Interval and rate of funding. */
export interface FundingTerms {
  /** 1, 2, 4 or 8: settlements lie on multiples of it from 00:00 UTC. */
  readonly intervalHours: number
  /** A fixed rate; otherwise it follows from the premium. */
  readonly fixedRate: Rate | undefined
  /** Interest of one interval, the rate of a market without premium. */
  readonly interestRate: Rate
}

/** A linear perpetual contract and the rules of its orders (interface section 2.10). Volumes are whole contracts. */
export interface Contract extends Grid {
  /** contractId of the wire. */
  readonly id: number
  /** `E-BTC-USDT`. */
  readonly name: string
  /** The first part of the name: E perpetual, S simulated. */
  readonly type: string
  readonly base: string
  /** The margin coin. */
  readonly quote: string
  readonly isTrading: boolean
  /** Base of one contract. */
  readonly multiplier: Amount
  /** Gain of one contract per tick of price, in quote. */
  readonly tickWorth: Amount
  readonly minOrderVolume: Steps
  readonly minOrderMoney: Amount
  readonly maxMarketVolume: Steps
  readonly maxMarketMoney: Amount
  readonly maxLimitVolume: Steps
  readonly maxLimitMoney: Amount
  /** Orders of one account that may wait on this contract, conditions included. */
  readonly maxValidOrder: number
  readonly leverage: { readonly min: number; readonly max: number }
  readonly fees: { readonly open: LiquidityRates; readonly close: LiquidityRates }
  /** Ascending. */
  readonly tiers: readonly SimulatedMaintenanceTier[]
  /** (mark − index) ÷ index. */
  readonly premium: Rate
  readonly funding: FundingTerms
}

/** Exact notional of a volume at a price, in quote. */
export function contractsWorth({ tickWorth }: Contract, price: Ticks, volume: Steps): Amount {
  return (BigInt(price) * BigInt(volume) * tickWorth) as Amount // whole ticks, contracts and units
}

/** Exact base of a volume. */
export function baseOf({ multiplier }: Contract, volume: Steps): Amount {
  return (BigInt(volume) * multiplier) as Amount // whole contracts and units
}

/** Margin of a value at a leverage, rounded up at 10^-18. */
export function contractInitialMargin(value: Amount, leverage: number): Amount {
  const divisor = BigInt(leverage)
  return ((value + divisor - 1n) / divisor) as Amount // a share of an amount
}

/** `value × rate`, rounded up at 10^-18 in the exchange's favour; a negative rate is a rebate. */
export function feeAt(value: Amount, rate: Rate): Amount {
  const product = value * rate
  // Bigint division rounds towards zero, which is up for negative numbers.
  return ((product > 0n ? product + ONE_RATE - 1n : product) / ONE_RATE) as Amount
}

/** The largest fee rate of a contract, reserved by orders and part of the maintenance margin. */
export function maxFeeRateOf({ fees: { open, close } }: Contract): Rate {
  const rates = [open.maker, open.taker, close.maker, close.taker]
  return rates.reduce((most, rate) => (rate > most ? rate : most), 0n as Rate) // a rate of nothing
}

/** The maintenance margin rate of a position with the notional `value`. */
export function keepRateOf({ tiers }: Contract, value: Amount): Rate {
  const tier = tiers.find(({ upTo }) => upTo === undefined || value <= upTo)
  return tier?.keepRate ?? (0n as Rate) // a contract without tiers keeps nothing
}

/** Maintenance margin of a position with the notional `value`, closing fee included. */
export function maintenanceOf(contract: Contract, value: Amount): Amount {
  const rate = keepRateOf(contract, value) + maxFeeRateOf(contract)
  return feeAt(value, rate as Rate) // a sum of rates
}
