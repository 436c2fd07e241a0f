import type { Amount } from '../domain/amount.ts'
import type { AccountType, Instrument } from '../domain/instrument.ts'
import { type HeldContract, readWallets } from '../execution/futures-account.ts'
import { FuturesTrading } from '../execution/futures-trading.ts'
import { readBalances } from '../execution/read-balances.ts'
import { routedTrading } from '../execution/routed-trading.ts'
import { spotTrading } from '../execution/spot-trading.ts'
import type { TradingCalls } from '../execution/trading-calls.ts'
import type { Accounts } from './config/account-fields.ts'
import type { MarketOf } from './traded-market.ts'
import { futuresOf, type Venue } from './venue.ts'

/** What accounts hold by asset, by the type of the account. */
export type Holdings = Partial<Record<AccountType, ReadonlyMap<string, Amount>>>

/** The contracts among the instruments of a bot, with what the exchange calls them. */
export function contractsOf(instruments: Iterable<Instrument>, marketOf: MarketOf): readonly HeldContract[] {
  return [...instruments].flatMap(instrument => {
    const { symbol, quote, futures } = instrument
    if (futures === undefined) return []
    return [{ instrument, contractName: marketOf(symbol).name, quote, marginMode: futures.marginMode }]
  })
}

/** The calls by which the orders of each instrument go to its account. */
export function tradingOn(venue: Venue, contracts: readonly HeldContract[]): TradingCalls {
  const spot = spotTrading(venue.spot)
  if (contracts.length === 0) return spot
  const futures = new FuturesTrading(
    futuresOf(venue),
    new Map(contracts.map(contract => [contract.instrument.symbol, contract])),
  )
  const symbols = new Set(contracts.map(({ instrument }) => instrument.symbol))
  return routedTrading(symbol => (symbols.has(symbol) ? futures : spot))
}

/** What each account of a bot holds, by asset. */
export async function readHoldings(venue: Venue, { spot, futures }: Accounts): Promise<Holdings> {
  return {
    ...(spot !== undefined && { spot: await readBalances(venue.account) }),
    ...(futures !== undefined && { futures: await readWallets(futuresOf(venue)) }),
  }
}
