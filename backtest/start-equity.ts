import { amountToNumber } from '../src/domain/amount.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { KlineColumns } from '../src/klines/kline-columns.ts'
import { AccountBalances, type OpeningBalances } from '../src/ledger/account-balances.ts'

/** What accounts of these balances are worth at the start: quote, and each base at the first open of its instrument. */
export function startEquityOf(
  balances: OpeningBalances,
  markets: readonly { readonly instrument: Instrument; readonly klines: KlineColumns }[],
): number {
  const accounts = new AccountBalances(
    balances,
    markets.map(({ instrument }) => instrument.accountType),
  )
  const opens = new Map<string, { readonly time: number; readonly price: number; readonly owned: number }>()
  for (const { instrument, klines } of markets) {
    const { base, accountType } = instrument
    const [time, price] = [klines.openTime[0], klines.open[0]]
    if (time === undefined || price === undefined || instrument.futures !== undefined) continue
    if (time >= (opens.get(base)?.time ?? Number.POSITIVE_INFINITY)) continue
    opens.set(base, { time, price, owned: amountToNumber(accounts.in(accountType).of(base)) })
  }
  const quote = amountToNumber(accounts.of(markets[0]?.instrument.quote ?? ''))
  return [...opens.values()].reduce((sum, { price, owned }) => sum + owned * price, quote)
}
