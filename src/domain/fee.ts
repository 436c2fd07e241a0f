import type { Instrument } from './instrument.ts'
import { AMOUNT_DECIMALS, type Amount, ONE_RATE, type Rate } from './numbers/amount.ts'
import { baseAmount, notionalOf, productOf, type Steps, type Ticks } from './numbers/grid.ts'
import type { Liquidity } from './orders/fill.ts'
import type { Side } from './orders/side.ts'

/** A fee and the asset it is taken from. */
export interface Fee {
  readonly fee: Amount
  readonly feeAsset: string
}

/** Fee rate of a fill. */
export function feeRateOf({ fees }: Instrument, liquidity: Liquidity): Rate {
  return liquidity === 'maker' ? fees.maker : fees.taker
}

/**
 * Fee of a fill. Exchanges of this interface take it from the received asset (spot) or from the quote
 * (margined products). It is exact to 10^-18 and rounded up there, in the exchange's favour. Fees are rounded
 * only here.
 */
export function feeOf(
  instrument: Instrument,
  side: Side,
  price: Ticks,
  quantity: Steps,
  liquidity: Liquidity,
): Fee {
  const rate = feeRateOf(instrument, liquidity)
  return instrument.fees.paidIn === 'received' && side === 'buy'
    ? { fee: feeInBase(instrument, quantity, rate), feeAsset: instrument.base }
    : { fee: feeInQuote(instrument, price, quantity, rate), feeAsset: instrument.quote }
}

function feeInBase(instrument: Instrument, quantity: Steps, rate: Rate): Amount {
  const { quantityPrecision, contractSize } = instrument
  const share = contractSize === undefined ? wholeShare(quantity, quantityPrecision, rate) : undefined
  return share ?? shareOf(baseAmount(instrument, quantity), rate)
}

function feeInQuote(instrument: Instrument, price: Ticks, quantity: Steps, rate: Rate): Amount {
  const { pricePrecision, quantityPrecision, contractSize } = instrument
  const share =
    contractSize === undefined
      ? wholeShare(price * quantity, pricePrecision + quantityPrecision, rate)
      : undefined
  return share ?? shareOf(notionalOf(instrument, price, quantity), rate)
}

/**
 * `units × 10^-decimals × rate`, where that needs no rounding at 10^-18, as with nearly every rate: then it takes no division.
 * `undefined` where it may need some, or where `units` may be inexact.
 */
function wholeShare(units: number, decimals: number, rate: Rate): Amount | undefined {
  const short = shortRate(rate)
  if (short.decimals + decimals > AMOUNT_DECIMALS || !Number.isSafeInteger(units)) return undefined
  return productOf(units, short.units, short.decimals + decimals)
}

/** A rate as a whole number of units of 10^-decimals, with the fewest decimals; one of too many digits needs all of them. */
function shortRate(rate: Rate): { readonly units: number; readonly decimals: number } {
  if (rate !== lastRate.rate) {
    let [units, decimals] = [rate as bigint, AMOUNT_DECIMALS]
    for (; decimals > 0 && units % 10n === 0n; decimals--) units /= 10n
    const isSafe = Number.isSafeInteger(Number(units))
    lastRate.rate = rate
    lastRate.units = isSafe ? Number(units) : Number.NaN
    lastRate.decimals = isSafe ? decimals : Number.POSITIVE_INFINITY
  }
  return lastRate
}

/** The latest rate, cached: most fills have the same. */
const lastRate = { rate: 0n as Rate, units: 0, decimals: 0 }

const ALMOST_ONE = ONE_RATE - 1n

/** `amount × rate`, rounded up at 10^-18: a rebate (negative rate) becomes smaller. */
function shareOf(amount: Amount, rate: Rate): Amount {
  const share = amount * rate
  // Division of bigints rounds towards zero, which is up for a negative number.
  return ((share > 0n ? share + ALMOST_ONE : share) / ONE_RATE) as Amount
}
