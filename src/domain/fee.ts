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
    ? { fee: shareOf(baseAmount(instrument, quantity), rate), feeAsset: instrument.base }
    : { fee: shareOf(notionalOf(instrument, price, quantity), rate), feeAsset: instrument.quote }
}

const ALMOST_ONE = ONE_RATE - 1n

/** `amount × rate`, rounded up at 10^-18: a rebate (negative rate) becomes smaller. */
function shareOf(amount: Amount, rate: Rate): Amount {
  const share = amount * rate
  // Division of bigints rounds towards zero, which is up for a negative number.
  return ((share > 0n ? share + ALMOST_ONE : share) / ONE_RATE) as Amount
}
