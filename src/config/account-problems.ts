import type { z } from 'zod'
import { accountIn, listedName } from '../domain/account-symbol.ts'
import type { Size } from '../domain/signal.ts'
import { type Accounts, accountsOf, type GivenAccounts, tradesPairs } from './account-fields.ts'
import { configuredMarkets, type MarketOf } from './configured-market.ts'
import { refuseSize } from './size-problems.ts'

interface Config extends GivenAccounts {
  readonly venue: {
    readonly type: string
    readonly spotUrl?: string | undefined
    readonly futuresUrl?: string | undefined
  }
  readonly journal?: unknown
  readonly strategies: readonly {
    readonly symbol: string
    readonly size?: Size | undefined
    readonly markets?:
      | Readonly<Record<string, { readonly symbol: string; readonly size?: Size | undefined }>>
      | undefined
  }[]
}

/** Reports accounts that are given twice, lack a host, or do not fit the traded symbols or their sizes. */
export function accountProblems(config: Config, context: z.RefinementCtx): void {
  const { account, accounts: several, venue, strategies } = config
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message, params: { sentence: true } })
  if (account !== undefined && several !== undefined)
    refuse(['accounts'], 'contradicts account: give the one account, or several by their type.')
  const accounts = accountsOf(config)
  if (accounts.futures !== undefined && venue.type !== 'simulated' && venue.futuresUrl === undefined)
    refuse(['venue', 'futuresUrl'], 'is missing; expected the origin of the futures host.')
  if (tradesPairs(accounts) && venue.type !== 'simulated' && venue.spotUrl === undefined)
    refuse(['venue', 'spotUrl'], 'is missing; expected the origin of the spot host.')
  if (accounts.margin !== undefined && venue.type === 'exchange' && config.journal === undefined)
    refuse(
      ['journal'],
      'is missing: the exchange tells nobody what a margin account holds, so that only a journal knows it after the first start; give journal: { file: data/NAME.journal }.',
    )
  const traded: string[] = []
  const check = (symbol: string, size: Size | undefined, path: (string | number)[], sizePath = path) => {
    const message = problemOf(symbol, accounts, traded)
    traded.push(symbol)
    if (message !== undefined) {
      refuse(path, message)
      return
    }
    const { account: type } = configuredMarkets(accounts)(symbol)
    if (type !== 'futures') refuseSize(size, type, [...sizePath, 'size'], context)
  }
  strategies.forEach(({ symbol, size, markets = {} }, index) => {
    const path = ['strategies', index]
    check(symbol, size, [...path, 'symbol'], path)
    for (const [role, market] of Object.entries(markets))
      check(market.symbol, market.size, [...path, 'markets', role])
  })
  const { margin } = accounts
  const isTradedOnMargin = (margin?.symbols ?? []).length > 0 || traded.some(accountIn)
  if (accounts.spot !== undefined && margin !== undefined && !isTradedOnMargin)
    refuse(
      ['accounts', 'margin', 'symbols'],
      'is missing: with a spot account beside it, say which pairs are traded on margin, such as symbols: [ETH/USDT], or name one as ETH/USDT@margin where it is traded on both.',
    )
  margin?.symbols?.forEach((symbol, index) => {
    if (!traded.includes(symbol))
      refuse(
        ['accounts', 'margin', 'symbols', index],
        `is ${symbol}, which no strategy trades; leave it out.`,
      )
  })
}

/**
 * Says why a strategy cannot trade a symbol beside those that others trade; `undefined` if it can. A contract
 * has one position at the exchange, so that two strategies would close each other's: a long of one and a short
 * of the other net to zero there, and no order could close either.
 */
export function sharedContractProblem(
  symbol: string,
  others: readonly string[],
  marketOf: MarketOf,
): string | undefined {
  const { market, name } = marketOf(symbol)
  const isTaken = market === 'futures' && others.some(other => marketOf(other).name === name)
  if (!isTaken) return undefined
  return `is ${symbol}, which another strategy trades; the exchange keeps one position of a contract, so that only one strategy can hold it.`
}

function problemOf(symbol: string, accounts: Accounts, before: readonly string[]): string | undefined {
  if (accountIn(symbol) === 'margin') return marginProblem(symbol, accounts)
  if (accounts.futures === undefined)
    return symbol.includes('/')
      ? undefined
      : `is ${symbol}, a contract, but there is no futures account; use account: { type: futures }, or accounts with futures.`
  return sharedContractProblem(symbol, before, configuredMarkets(accounts))
}

/** One instrument has one name, so that it has one book. */
function marginProblem(symbol: string, { spot, margin }: Accounts): string | undefined {
  const pair = listedName(symbol)
  if (margin === undefined)
    return `is ${symbol}, but there is no margin account; use accounts with spot and margin, or write ${pair}.`
  if (spot === undefined)
    return `is ${symbol}, but every pair of this bot is traded on margin; write ${pair}.`
  if (margin.symbols?.includes(pair))
    return `is ${symbol}, but ${pair} is in accounts.margin.symbols and so on margin already; write ${pair}, or take it out there to trade it on both accounts.`
  return undefined
}
