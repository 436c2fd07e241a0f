import { type Accounts, accountsOf, type GivenAccounts } from '../../config/account-fields.ts'
import type { MarketOf } from '../../config/configured-market.ts'
import { listedName } from '../../domain/account-symbol.ts'
import type { AccountType, Instrument } from '../../domain/instrument.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Engine } from '../../engine/engine.ts'
import { FuturesTrading } from '../../execution/gateway/futures-trading.ts'
import { MarginTrading } from '../../execution/gateway/margin-trading.ts'
import { renamedTrading } from '../../execution/gateway/renamed-trading.ts'
import { routedTrading } from '../../execution/gateway/routed-trading.ts'
import { spotTrading } from '../../execution/gateway/spot-trading.ts'
import type { TradingCalls } from '../../execution/gateway/trading-calls.ts'
import { type HeldContract, readWallets } from '../../execution/reconciliation/futures-account.ts'
import { readBalances } from '../../execution/reconciliation/read-balances.ts'
import type { MarginRules } from '../../execution/reconciliation/reconciler-options.ts'
import { futuresOf, marginOf, type Venue } from './venue.ts'

/** Balances of accounts by asset, by the type of the account. */
export type Holdings = Partial<Record<AccountType, ReadonlyMap<string, Amount>>>

/** The contracts among the instruments of a bot, with their names at the exchange. */
export function contractsOf(instruments: Iterable<Instrument>, marketOf: MarketOf): readonly HeldContract[] {
  return [...instruments].flatMap(instrument => {
    const { symbol, quote, futures } = instrument
    if (futures === undefined) return []
    return [{ instrument, contractName: marketOf(symbol).name, quote, marginMode: futures.marginMode }]
  })
}

/** The calls by which the orders of each instrument go to its account. */
export function tradingOn(
  venue: Venue,
  instruments: Iterable<Instrument>,
  contracts: readonly HeldContract[],
): TradingCalls {
  const accounts = new Map([...instruments].map(({ symbol, accountType }) => [symbol, accountType]))
  const calls = new Map(
    Array.from(new Set(accounts.values()), account => [account, tradingOf(venue, account, contracts)]),
  )
  const [only] = calls.values()
  if (only !== undefined && calls.size === 1) return only
  return routedTrading(symbol => {
    const account = accounts.get(symbol)
    const found = account && calls.get(account)
    if (found === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    return found
  })
}

function tradingOf(venue: Venue, account: AccountType, contracts: readonly HeldContract[]): TradingCalls {
  switch (account) {
    case 'spot':
      return spotTrading(venue.spot)
    case 'margin':
      return renamedTrading(new MarginTrading(marginOf(venue)))
    case 'futures':
      return new FuturesTrading(
        futuresOf(venue),
        new Map(contracts.map(contract => [contract.instrument.symbol, contract])),
      )
  }
}

/** Rules of the margin account of a bot, if it has one. */
export function marginRules(
  config: GivenAccounts,
  { runners, risk }: Pick<Engine, 'runners' | 'risk'>,
): MarginRules | undefined {
  const { margin } = accountsOf(config)
  if (margin === undefined) return undefined
  const isTraded = (symbol: string) => runners.some(runner => runner.symbol === symbol)
  const holdOf = (symbol: string) =>
    risk.scopes
      .find(({ scope }) => scope.symbol === symbol && scope.strategy === undefined)
      ?.state.holds.find(({ source }) => source === 'invariant')?.reason
  return { foreignTrades: margin.foreignTrades, isTraded, holdOf }
}

/**
 * Balances of each account of a bot, by asset; of a margin account the declared ones. Those of the assets of
 * `symbols`, which are traded, must be readable.
 */
export async function readHoldings(
  venue: Venue,
  { spot, margin, futures }: Accounts,
  symbols: readonly string[],
): Promise<Holdings> {
  return {
    ...(spot !== undefined && { spot: await readBalances(venue.account, assetsIn(symbols)) }),
    ...(margin !== undefined && { margin: margin.balances }),
    ...(futures !== undefined && { futures: await readWallets(futuresOf(venue)) }),
  }
}

/** Bases and quotes of pairs. */
function assetsIn(symbols: readonly string[]): ReadonlySet<string> {
  return new Set(symbols.flatMap(symbol => listedName(symbol).toUpperCase().split('/')))
}
