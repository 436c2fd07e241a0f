import type { Accounts } from '../../config/account-fields.ts'
import type { SimulatedVenueConfig } from '../../config/bot-config.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../simulator/simulator-config.ts'
import type { ExchangeSetup } from './exchange-setup.ts'

/** The simulated exchange's own configuration: one listing per traded pair or pair of a traded contract, one account of each kind. */
export function simulatorInput(
  venue: SimulatedVenueConfig,
  { pairs, contracts }: ExchangeSetup,
  accounts: Accounts,
  klines: readonly Kline[] | undefined,
): SimulatorConfigInput {
  const money = simulatorBalances(venue, accounts)
  return {
    seed: venue.seed,
    listings: pairs.map(([symbol, interval]) => ({ symbol, market: marketOfPair(venue, klines, interval) })),
    accounts: [
      {
        apiKey: TEST_ACCOUNT.apiKey,
        apiSecret: TEST_ACCOUNT.apiSecret,
        balances: money.spot,
        marginBalances: money.margin,
        futuresBalances: money.futures,
      },
    ],
    liquidity: { spreadTicks: venue.spreadTicks },
    keptRecords: KEPT_RECORDS,
    // A contract goes where its pair goes.
    ...(contracts.length > 0 && {
      futures: {
        contracts: contracts.map(symbol => ({ symbol, market: { type: 'spot' } })),
        keptRecords: KEPT_RECORDS,
      },
    }),
  }
}

/** More than a bot that polls every few seconds reads; all of them are in the exchange's file. */
const KEPT_RECORDS = 2000

/** Opening balances of each account, decimal text by asset; the declared margin balances are true here. */
export function simulatorBalances(
  venue: Pick<SimulatedVenueConfig, 'balances'>,
  accounts: Accounts,
): Readonly<Record<'spot' | 'margin' | 'futures', Record<string, string>>> {
  return {
    spot: accounts.spot === undefined ? {} : balancesOf(venue),
    margin: accounts.margin === undefined ? {} : balancesOf(accounts.margin),
    futures: accounts.futures === undefined ? {} : balancesOf(venue),
  }
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
