import { amountToText } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf } from '../../../../src/domain/numbers/grid.ts'
import { allTrades, type Moment, type Violation } from '../scene.ts'

/** A fill of the spot account changes base, quote and the asset of its fee by exactly what the exchange says of the trade, and nothing else. */
export function fillBooksMoney(moment: Moment): readonly Violation[] {
  const { event, ledger, before, after } = moment
  if (event.type !== 'filled' || before.spot.size === 0) return []
  const { fill } = event
  const instrument = ledger.instrument(fill.symbol)
  if (instrument.accountType !== 'spot') return []
  const real = allTrades(moment).find(
    ({ id, order }) => id === fill.id && order.account === 'spot' && order.side === fill.side,
  )
  if (real === undefined) return []
  const expected = new Map<string, bigint>(before.spot)
  const move = (asset: string, amount: bigint) => expected.set(asset, (expected.get(asset) ?? 0n) + amount)
  const sign = fill.side === 'buy' ? 1n : -1n
  move(instrument.base, sign * baseAmount(instrument, fill.quantity))
  move(instrument.quote, -sign * notionalOf(instrument, fill.price, fill.quantity))
  move(real.feeAsset, -real.fee)
  const assets = [...new Set([...expected.keys(), ...after.spot.keys()])]
  return assets.flatMap(asset => {
    const [wanted, booked] = [expected.get(asset) ?? 0n, after.spot.get(asset) ?? 0n]
    if (wanted === booked) return []
    const texts = [wanted, booked].map(amount => amountToText(amount as typeof fill.fee)) // a sum of amounts
    const problem = `after fill ${fill.id}, ${asset} should be ${texts[0]}, booked ${texts[1]}`
    return [{ problem, about: fill.clientOrderId }]
  })
}
