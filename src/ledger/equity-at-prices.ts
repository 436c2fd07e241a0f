import { type Amount, add } from '../domain/numbers/amount.ts'
import { type Ticks, worthOf } from '../domain/numbers/grid.ts'
import { profitAt } from './contract-position.ts'
import type { Ledger } from './ledger.ts'

/** Prices that may be fresher than those of the ledger. */
export interface FreshPrices {
  /** Latest price, of a contract its mark price; `undefined` where only the ledger knows one. */
  priceOf(symbol: string): Ticks | undefined
}

/** Everything that the accounts own in a quote asset: `Ledger.equity` at fresher prices. */
export function equityAtPrices(ledger: Ledger, quote: string, prices: FreshPrices): Amount {
  let equity = ledger.balances.of(quote)
  for (const instrument of ledger.instruments) {
    const price = prices.priceOf(instrument.symbol) ?? ledger.markOf(instrument.symbol)
    if (instrument.quote !== quote || instrument.futures !== undefined || price === undefined) continue
    const owned = ledger.balances.in(instrument.accountType).of(instrument.base)
    equity = add(equity, worthOf(instrument, price, owned))
  }
  for (const { instrument, position } of ledger.contracts.held) {
    const mark = prices.priceOf(instrument.symbol) ?? ledger.markPriceOf(instrument.symbol)
    if (instrument.quote === quote && mark !== undefined)
      equity = add(equity, profitAt(instrument, position, mark))
  }
  return equity
}
