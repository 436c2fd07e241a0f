import { amountToText } from '../domain/amount.ts'
import type { Interval } from '../domain/interval.ts'
import { createExchangeClient } from '../exchange/exchange-client.ts'
import { readKlineFile } from '../klines/formats/read-kline-file.ts'
import { klinesIn } from '../klines/kline-columns.ts'
import { startExchangeServer } from '../simulator/exchange-server.ts'
import { createSimulatedExchange } from '../simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../simulator/simulator-config.ts'
import { createAcceleratedClock } from './accelerated-clock.ts'
import type { Accounts } from './config/account-fields.ts'
import type { BotConfig, StrategyConfig } from './config/bot-config.ts'
import { tradedMarkets } from './traded-market.ts'
import type { Venue } from './venue.ts'

/** The part of a bot's configuration that describes a simulated exchange. */
export type SimulatedVenueConfig = Extract<BotConfig['venue'], { type: 'simulated' }>

/** How long a request may travel, ms of real time; the exchange's clock runs `speed` times as fast. */
const RECV_WINDOW_REAL_MS = 5000
/** How long one call may take, ms of real time. */
const TIMEOUT_MS = 10_000

/** Starts a simulated exchange in this process, on loopback, and connects to it over HTTP like to any other. */
export async function openSimulatedVenue(
  venue: SimulatedVenueConfig,
  strategies: readonly StrategyConfig[],
  accounts: Accounts,
  startAt: number,
): Promise<Venue> {
  const klines = venue.file === undefined ? undefined : await klinesOf(venue.file)
  const input = simulatorInput(venue, strategies, accounts, klines)
  const clock = createAcceleratedClock({ speed: venue.speed, startAt: startOf(venue, klines) ?? startAt })
  const server = await startExchangeServer({
    exchange: createSimulatedExchange(input),
    clock,
    port: venue.port,
  })
  const client = createExchangeClient({
    spotUrl: server.url,
    futuresUrl: server.futuresUrl,
    apiKey: TEST_ACCOUNT.apiKey,
    apiSecret: TEST_ACCOUNT.apiSecret,
    clock,
    recvWindowMs: Math.ceil(RECV_WINDOW_REAL_MS * Math.max(1, venue.speed)),
    timeoutMs: TIMEOUT_MS,
    // Both sides read the same clock.
    timeOffset: () => 0,
  })
  return {
    description: `simulated exchange on ${server.url}, ${venue.market} market at ${venue.speed}x`,
    clock,
    spot: client.spot,
    margin: client.margin,
    ...(accounts.futures !== undefined && { futures: client.futures }),
    account: client.account,
    serverNow: () => clock.now(),
    usage: () => client.state().calls.ip,
    close: async () => {
      await client.close()
      await server.close()
    },
  }
}

/** The simulated exchange's own configuration: one listing per traded pair or pair of a traded contract, one account of each kind. */
function simulatorInput(
  venue: SimulatedVenueConfig,
  strategies: readonly StrategyConfig[],
  accounts: Accounts,
  klines: Klines | undefined,
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

type Klines = Awaited<ReturnType<typeof klinesOf>>

function marketOfPair(
  { historyKlines }: SimulatedVenueConfig,
  klines: Klines | undefined,
  interval: Interval,
): NonNullable<Listing['market']> {
  return klines === undefined ? { type: 'generated', historyKlines } : { type: 'klines', interval, klines }
}

async function klinesOf(file: string) {
  const { columns } = await readKlineFile(file)
  return klinesIn(columns)
}

function balancesOf({ balances }: Pick<SimulatedVenueConfig, 'balances'>): Record<string, string> {
  return Object.fromEntries([...balances].map(([asset, amount]) => [asset, amountToText(amount)]))
}

/** A replayed file sets the time: its first klines are history, and the bot starts behind them. */
function startOf({ historyKlines }: SimulatedVenueConfig, klines: Klines | undefined): number | undefined {
  return klines?.[Math.min(historyKlines, klines.length - 1)]?.openTime
}
