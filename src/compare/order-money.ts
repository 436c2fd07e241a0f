import { feeOf } from '../domain/fee.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, notionalOf } from '../domain/numbers/grid.ts'
import type { RecordedFill, RecordedOrder } from './trading-record.ts'

/** Quote in units of 10^-36, so that an amount times a price is exact. */
export type Exact = bigint

/** One `Amount` of quote in these units. */
export const EXACT_UNIT = 10n ** 18n

/** Money that an order moved, its base valued at one price (quote per base) for both runs. */
export interface OrderMoney {
  /** Base bought, sold if negative. */
  readonly base: Amount
  /** The same after fees in base. */
  readonly held: Amount
  /** The same after fees in base at the rates of the instrument. */
  readonly usuallyHeld: Amount
  /** Quote of the fills. */
  readonly notional: Exact
  /** Quote of the fills before the losses of a fill model. */
  readonly notionalBeforeLoss: Exact
  /** Fees. */
  readonly fees: Exact
  /** Fees at the rates of the instrument. */
  readonly usualFees: Exact
  /** All of it: what the order adds to the equity. */
  readonly result: Exact
}

/** That of no order. */
export const NO_MONEY: OrderMoney = {
  ...{ base: ZERO, held: ZERO, usuallyHeld: ZERO },
  notional: 0n,
  notionalBeforeLoss: 0n,
  fees: 0n,
  usualFees: 0n,
  result: 0n,
}

/** Sums the fills of an order; `instrument` has the fees that were usual for it, and `mark` is the price of the end. */
export function orderMoney(order: RecordedOrder, instrument: Instrument, mark: Amount): OrderMoney {
  const sign = order.request.side === 'buy' ? 1n : -1n
  let [base, notional, notionalBeforeLoss, fees, usualFees] = [0n, 0n, 0n, 0n, 0n]
  let [baseFees, usualBaseFees] = [0n, 0n]
  for (const fill of order.fills) {
    const { price, quantity, side, priceBeforeSlippage = price } = fill
    base += sign * baseAmount(instrument, quantity)
    notional += notionalOf(instrument, price, quantity) * EXACT_UNIT
    notionalBeforeLoss += notionalOf(instrument, priceBeforeSlippage, quantity) * EXACT_UNIT
    fees += feeWorth(fill, instrument, mark)
    baseFees += feeInBase(fill, instrument)
    const usual = feeOf(instrument, side, price, quantity, fill.liquidity)
    usualFees += feeWorth(usual, instrument, mark)
    usualBaseFees += feeInBase(usual, instrument)
  }
  return {
    base: base as Amount,
    held: (base - baseFees) as Amount,
    usuallyHeld: (base - usualBaseFees) as Amount,
    ...{ notional, notionalBeforeLoss, fees, usualFees },
    result: base * mark - sign * notional - fees,
  }
}

type PaidFee = Pick<RecordedFill, 'fee' | 'feeAsset'>

/** A fee in quote; one in a third asset is not part of the equity. */
function feeWorth(paid: PaidFee, instrument: Instrument, mark: Amount): Exact {
  return paid.feeAsset === instrument.quote ? paid.fee * EXACT_UNIT : feeInBase(paid, instrument) * mark
}

function feeInBase({ fee, feeAsset }: PaidFee, { base }: Instrument): Amount {
  return feeAsset === base ? fee : ZERO
}
