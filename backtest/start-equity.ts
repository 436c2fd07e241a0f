import { type Amount, amountToNumber, ZERO } from '../src/domain/amount.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { KlineColumns } from '../src/klines/kline-columns.ts'

/** What an account of these balances is worth at the start: quote, and each base at the first open of its instrument. */
export function startEquityOf(
  balances: ReadonlyMap<string, Amount>,
  markets: readonly { readonly instrument: Instrument; readonly klines: KlineColumns }[],
): number {
  const held = (asset: string) => amountToNumber(balances.get(asset) ?? ZERO)
  const opens = new Map<string, { readonly time: number; readonly price: number }>()
  for (const { instrument, klines } of markets) {
    const [time, price] = [klines.openTime[0], klines.open[0]]
    if (time === undefined || price === undefined) continue
    if (time < (opens.get(instrument.base)?.time ?? Number.POSITIVE_INFINITY)) {
      opens.set(instrument.base, { time, price })
    }
  }
  const quote = held(markets[0]?.instrument.quote ?? '')
  return [...opens].reduce((sum, [base, { price }]) => sum + held(base) * price, quote)
}
