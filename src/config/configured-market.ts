import { accountIn, listedName } from '../domain/account-symbol.ts'
import type { AccountType } from '../domain/instrument.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Market } from '../market/market-subscription.ts'
import type { MarginDeclaration } from './account-fields.ts'

/** Account and market of a traded symbol. */
export interface ConfiguredMarket {
  readonly market: Market
  /** Which account its orders are placed on. */
  readonly account: AccountType
  /** Its name there: `BASE/QUOTE` on spot, such as `E-BTC-USDT` on futures. */
  readonly name: string
}

/** Which accounts there are. */
interface AccountTypes {
  readonly spot?: object | undefined
  readonly margin?: MarginDeclaration | undefined
  readonly futures?: object | undefined
}

/** Gives the market of a symbol. */
export type MarketOf = (symbol: string) => ConfiguredMarket

/**
 * The market of a symbol by the accounts that there are: a contract's name is that of a contract; a pair is a spot
 * pair, on the spot or on the margin account, as listed for it or stated (`BTC/USDT@margin`), or, with only a
 * futures account, the perpetual contract on it. Throws `UsageError` for a contract without such an account.
 */
export function configuredMarkets({ spot, margin, futures }: AccountTypes): MarketOf {
  const onMargin = (symbol: string) =>
    margin !== undefined &&
    (spot === undefined || accountIn(symbol) === 'margin' || margin.symbols?.includes(symbol))
  return symbol => {
    const isPair = symbol.includes('/')
    if (isPair && onMargin(symbol)) return { market: 'spot', account: 'margin', name: listedName(symbol) }
    if (isPair && spot !== undefined) return { market: 'spot', account: 'spot', name: symbol }
    if (futures !== undefined) {
      const name = isPair ? `E-${symbol.replace('/', '-')}` : symbol
      return { market: 'futures', account: 'futures', name }
    }
    throw new UsageError(`${symbol} is a contract, but the bot has no futures account to trade it on.`)
  }
}
