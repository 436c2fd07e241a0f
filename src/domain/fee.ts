import type { Instrument } from './instrument.ts'
import { type Amount, ONE_RATE, type Rate } from './numbers/amount.ts'
import { baseAmount, notionalOf, type Steps, type Ticks } from './numbers/grid.ts'
import type { Liquidity } from './orders/fill.ts'
import type { Side } from './orders/side.ts'

/** A fee and the asset it is taken from. */
export interface Fee {
  readonly fee: Amount
  readonly feeAsset: string
}

/** The rate that applies to a fill. */
export function feeRateOf({ fees }: Instrument, liquidity: Liquidity): Rate {
  return liquidity === 'maker' ? fees.maker : fees.taker
}

/**
 * The fee of a fill. Exchanges of this interface take it from the asset received (spot) or from the quote (margined
 * products); it is exact to 10^-18 and rounded up there, in the exchange's favour. This is the one place that rounds fees.
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
    ? { fee: shareOf(baseAmount(instrument, quantity), rate), feeAsset: instrument.base }
    : { fee: shareOf(notionalOf(instrument, price, quantity), rate), feeAsset: instrument.quote }
}

const ALMOST_ONE = ONE_RATE - 1n

/** `amount × rate`, rounded up at 10^-18: a rebate, whose rate is negative, becomes smaller. */
function shareOf(amount: Amount, rate: Rate): Amount {
  const share = amount * rate
  // The division of a bigint rounds towards zero, which is up for what is negative.
  return ((share > 0n ? share + ALMOST_ONE : share) / ONE_RATE) as Amount
}
