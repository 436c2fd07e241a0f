import { rulesOf } from '../../src/domain/account-rules.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, amountToNumber } from '../../src/domain/numbers/amount.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { AccountBalances, type OpeningBalances } from '../../src/ledger/account-balances.ts'

/** A market; its first open values base at the start. */
type OpeningMarket = { readonly instrument: Instrument; readonly klines: KlineColumns }

/** Base that an account holds at the start. */
export interface StartingBase {
  readonly symbol: string
  readonly amount: Amount
  /** Open of the first kline of its instrument, quote per base. */
  readonly price: number
}

/** Counted holdings of accounts at the start: quote, and the base of each spot instrument. */
export interface StartingHoldings {
  readonly quote: Amount
  readonly bases: readonly StartingBase[]
}

/** Holdings of accounts with these balances at the start. */
export function startingHoldings(
  balances: OpeningBalances,
  markets: readonly OpeningMarket[],
): StartingHoldings {
  const accounts = new AccountBalances(
    balances,
    markets.map(({ instrument }) => instrument.accountType),
  )
  const opens = new Map<string, StartingBase & { readonly time: number }>()
  for (const { instrument, klines } of markets) {
    const { symbol, base } = instrument
    const [time, price] = [klines.openTime[0], klines.open[0]]
    if (time === undefined || price === undefined || rulesOf(instrument).holdsContracts) continue
    if (time >= (opens.get(base)?.time ?? Number.POSITIVE_INFINITY)) continue
    opens.set(base, { symbol, time, price, amount: accounts.baseOf(instrument) })
  }
  return { quote: accounts.of(markets[0]?.instrument.quote ?? ''), bases: [...opens.values()] }
}

/**
 * Equity of accounts with these balances at the start: quote, and each base at the first open of its
 * instrument.
 */
export function startEquityOf(balances: OpeningBalances, markets: readonly OpeningMarket[]): number {
  const { quote, bases } = startingHoldings(balances, markets)
  return bases.reduce((sum, { price, amount }) => sum + amountToNumber(amount) * price, amountToNumber(quote))
}
