import type { Accounts } from '../../config/account-fields.ts'
import type { SimulatedVenueConfig } from '../../config/bot-config.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { documentedContract } from '../../simulator/dialects/contract-names.ts'
import { DIALECT_NAMES, type DialectName, dialectOf } from '../../simulator/dialects/dialects.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../simulator/simulator-config.ts'
import type { ExchangeSetup } from './exchange-setup.ts'

/** The simulated exchange's own configuration: one listing per traded pair or pair of a traded contract, one account of each kind. */
export function simulatorInput(
  venue: SimulatedVenueConfig,
  { pairs, contracts }: ExchangeSetup,
  accounts: Accounts,
  klines: readonly Kline[] | undefined,
): SimulatorConfigInput {
  const dialect = dialectNamed(venue.dialect.name)
  const { contractPrefix } = dialectOf(dialect)
  return {
    seed: venue.seed,
    dialect,
    listings: pairs.map(([symbol, interval]) => ({ symbol, market: marketOfPair(venue, klines, interval) })),
    accounts: [testAccount(venue, accounts)],
    liquidity: { spreadTicks: venue.spreadTicks },
    keptRecords: KEPT_RECORDS,
    // A contract goes where its pair goes.
    ...(contracts.length > 0 && {
      futures: {
        contracts: contracts.map(name => ({
          symbol: documentedContract(name, contractPrefix) ?? name,
          market: { type: 'spot' },
        })),
        keptRecords: KEPT_RECORDS,
      },
    }),
  }
}

/** Throws `UsageError` for a profile that the simulated exchange has no dialect of, such as one of your own. */
function dialectNamed(profile: string): DialectName {
  const name = DIALECT_NAMES.find(known => known === profile)
  if (name !== undefined) return name
  throw new UsageError(
    `The simulated exchange cannot answer like "${profile}", which is the "venue.dialect" of the configuration. Write one of ${DIALECT_NAMES.join(', ')}.`,
  )
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

/** The bot's account at an exchange in its own process, with its opening balances. */
export function testAccount(
  venue: Pick<SimulatedVenueConfig, 'balances'>,
  accounts: Accounts,
): NonNullable<SimulatorConfigInput['accounts']>[number] {
  const { spot, margin, futures } = simulatorBalances(venue, accounts)
  const { apiKey, apiSecret } = TEST_ACCOUNT
  return { apiKey, apiSecret, balances: spot, marginBalances: margin, futuresBalances: futures }
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
