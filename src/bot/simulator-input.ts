import { amountToText } from '../domain/amount.ts'
import type { Interval } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../simulator/simulator-config.ts'
import type { Accounts } from './config/account-fields.ts'
import type { BotConfig, StrategyConfig } from './config/bot-config.ts'
import { tradedMarkets } from './traded-market.ts'

/** The part of a bot's configuration that describes a simulated exchange. */
export type SimulatedVenueConfig = Extract<BotConfig['venue'], { type: 'simulated' }>

/** The simulated exchange's own configuration: one listing per traded pair or pair of a traded contract, one account of each kind. */
export function simulatorInput(
  venue: SimulatedVenueConfig,
  strategies: readonly StrategyConfig[],
  accounts: Accounts,
  klines: readonly Kline[] | undefined,
): SimulatorConfigInput {
  const marketOf = tradedMarkets(accounts)
  const traded = strategies.flatMap(({ symbol, interval, markets = {} }) =>
    [symbol, ...Object.values(markets).map(market => market.symbol)].map(of => ({
      interval,
      ...marketOf(of),
    })),
  )
  const contracts = traded.filter(({ market }) => market === 'futures').map(({ name }) => name)
  const intervals = new Map(
    traded
      .toReversed()
      .map(({ market, name, interval }) => [market === 'spot' ? name : pairOf(name), interval]),
  )
  return {
    seed: venue.seed,
    listings: Array.from(intervals, ([symbol, interval]) => ({
      symbol,
      market: marketOfPair(venue, klines, interval),
    })),
    accounts: [
      {
        apiKey: TEST_ACCOUNT.apiKey,
        apiSecret: TEST_ACCOUNT.apiSecret,
        balances: accounts.spot === undefined ? {} : balancesOf(venue),
        // What the bot declares is true here.
        marginBalances: accounts.margin === undefined ? {} : balancesOf(accounts.margin),
        futuresBalances: accounts.futures === undefined ? {} : balancesOf(venue),
      },
    ],
    liquidity: { spreadTicks: venue.spreadTicks },
    // A contract goes where its pair goes.
    ...(contracts.length > 0 && {
      futures: { contracts: contracts.map(symbol => ({ symbol, market: { type: 'spot' } })) },
    }),
  }
}

/** The pair of a contract: that of `E-BTC-USDT` is `BTC/USDT`. */
function pairOf(contractName: string): string {
  const [, base, quote] = contractName.split('-')
  return `${base}/${quote}`
}

type Listing = NonNullable<SimulatorConfigInput['listings']>[number]

function marketOfPair(
  { historyKlines }: SimulatedVenueConfig,
  klines: readonly Kline[] | undefined,
  interval: Interval,
): NonNullable<Listing['market']> {
  return klines === undefined ? { type: 'generated', historyKlines } : { type: 'klines', interval, klines }
}

function balancesOf({ balances }: Pick<SimulatedVenueConfig, 'balances'>): Record<string, string> {
  return Object.fromEntries([...balances].map(([asset, amount]) => [asset, amountToText(amount)]))
}
