import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountAtExchange, negate } from '../../domain/numbers/amount.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'

/** Balance changes of a trade, in order; its fee may be in either asset of the pair, or in a third. */
export function changesBy(
  { side, price, quantity, fee, feeAsset }: OwnTrade,
  { base, quote }: Instrument,
): readonly (readonly [asset: string, change: Amount])[] {
  const [bought, paid] = [amountAtExchange(quantity), amountAtExchange(quantity.times(price))]
  return [
    [base, side === 'buy' ? bought : negate(bought)],
    [quote, side === 'buy' ? negate(paid) : paid],
    [feeAsset, negate(amountAtExchange(fee))],
  ]
}
