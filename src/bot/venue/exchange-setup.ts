import { z } from 'zod'
import type { Accounts } from '../../config/account-fields.ts'
import type { SimulatedVenueConfig, StrategyConfig } from '../../config/bot-config.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import { INTERVALS } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { UsageError } from '../../domain/sluice-error.ts'

const ACCOUNT_KINDS = ['spot', 'margin', 'futures'] as const

const exchangeSetup = z.object({
  seed: z.number(),
  /** Of a file that is replayed: how many klines it has, and when the first and the last open, ms UTC. */
  klines: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  /** Every pair that was ever listed, in order, and the interval of the strategy that traded it first. */
  pairs: z.array(z.tuple([z.string(), z.enum(INTERVALS)])),
  /** Every contract that was ever listed, in order. */
  contracts: z.array(z.string()),
  /** `venue.balances`, decimal text by asset; exchanges from before it was noted have none. */
  balances: z.record(z.string(), z.string()).optional(),
  /** Accounts that have received their opening balances. */
  opened: z.array(z.enum(ACCOUNT_KINDS)),
})

/** Setup of a simulated exchange, as needed by a later start. */
export type ExchangeSetup = z.output<typeof exchangeSetup>

/** Setup of a bot's simulated exchange; earlier listings stay listed. */
export function exchangeSetupOf(
  { seed, balances }: SimulatedVenueConfig,
  strategies: readonly StrategyConfig[],
  accounts: Accounts,
  klines: readonly Kline[] | undefined,
  before?: ExchangeSetup,
): ExchangeSetup {
  const marketOf = configuredMarkets(accounts)
  const traded = strategies.flatMap(({ symbol, interval, markets = {} }) =>
    [symbol, ...Object.values(markets).map(market => market.symbol)].map(of => ({
      interval,
      ...marketOf(of),
    })),
  )
  const names = traded.filter(({ market }) => market === 'futures').map(({ name }) => name)
  const pairs = new Map(before?.pairs)
  for (const { market, name, interval } of traded) {
    const pair = market === 'spot' ? name : pairOf(name)
    if (!pairs.has(pair)) pairs.set(pair, interval)
  }
  return {
    seed,
    klines: fingerprintOf(klines),
    pairs: [...pairs],
    contracts: [...new Set([...(before?.contracts ?? []), ...names])],
    balances: Object.fromEntries([...balances].map(([asset, amount]) => [asset, amountToText(amount)])),
    opened: ACCOUNT_KINDS.filter(kind => accounts[kind] !== undefined || before?.opened.includes(kind)),
  }
}

/** Reads a stored setup; throws `UsageError` if the configuration has another market. */
export function setupToGoOnWith(
  noted: string,
  path: string,
  { seed, file }: SimulatedVenueConfig,
  klines: readonly Kline[] | undefined,
): ExchangeSetup {
  const before = exchangeSetup.parse(JSON.parse(noted))
  const changed =
    before.seed !== seed
      ? `with "venue.seed: ${before.seed}", but the configuration says ${seed}`
      : String(before.klines) !== String(fingerprintOf(klines))
        ? `on ${before.klines === null ? 'a generated market' : 'the klines of another file'}, but the configuration says ${file ?? 'a generated one'}`
        : undefined
  if (changed === undefined) return before
  throw new UsageError(
    `The simulated exchange in ${path} was opened ${changed}. Put it back; or, to begin anew, move that file and the journal beside it away, or name another one in "journal".`,
  )
}

function fingerprintOf(klines: readonly Kline[] | undefined): ExchangeSetup['klines'] {
  return klines === undefined ? null : [klines.length, klines[0]?.openTime ?? 0, klines.at(-1)?.openTime ?? 0]
}

/** The pair of a contract: that of `E-BTC-USDT` is `BTC/USDT`. */
function pairOf(contractName: string): string {
  const [, base, quote] = contractName.split('-')
  return `${base}/${quote}`
}
