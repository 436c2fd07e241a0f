import { amountToText } from '../domain/amount.ts'
import type { Interval } from '../domain/interval.ts'
import { createExchangeClient } from '../exchange/exchange-client.ts'
import { readKlineFile } from '../klines/formats/read-kline-file.ts'
import { klinesIn } from '../klines/kline-columns.ts'
import { startExchangeServer } from '../simulator/exchange-server.ts'
import { createSimulatedExchange } from '../simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../simulator/simulator-config.ts'
import { createAcceleratedClock } from './accelerated-clock.ts'
import type { BotConfig, StrategyConfig } from './config/bot-config.ts'
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
  startAt: number,
): Promise<Venue> {
  const input = await simulatorInput(venue, strategies)
  const clock = createAcceleratedClock({ speed: venue.speed, startAt: startOf(input, venue) ?? startAt })
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
    account: client.account,
    serverNow: () => clock.now(),
    usage: () => client.state().calls.ip,
    close: async () => {
      await client.close()
      await server.close()
    },
  }
}

/** The simulated exchange's own configuration: one listing per traded symbol, one account. */
async function simulatorInput(
  venue: SimulatedVenueConfig,
  strategies: readonly StrategyConfig[],
): Promise<SimulatorConfigInput> {
  const symbols = [...new Set(strategies.map(({ symbol }) => symbol))]
  return {
    seed: venue.seed,
    listings: await Promise.all(
      symbols.map(async symbol => ({ symbol, market: await marketOf(venue, strategies, symbol) })),
    ),
    accounts: [
      { apiKey: TEST_ACCOUNT.apiKey, apiSecret: TEST_ACCOUNT.apiSecret, balances: balancesOf(venue) },
    ],
    liquidity: { spreadTicks: venue.spreadTicks },
  }
}

type Listing = NonNullable<SimulatorConfigInput['listings']>[number]

async function marketOf(
  venue: SimulatedVenueConfig,
  strategies: readonly StrategyConfig[],
  symbol: string,
): Promise<Listing['market']> {
  if (venue.file === undefined) return { type: 'generated', historyKlines: venue.historyKlines }
  const { columns } = await readKlineFile(venue.file)
  const interval: Interval = strategies.find(strategy => strategy.symbol === symbol)?.interval ?? '1m'
  return {
    type: 'klines',
    interval,
    klines: klinesIn(columns),
  }
}

function balancesOf({ balances }: SimulatedVenueConfig): Record<string, string> {
  return Object.fromEntries([...balances].map(([asset, amount]) => [asset, amountToText(amount)]))
}

/** A replayed file sets the time: its first klines are history, and the bot starts behind them. */
function startOf(
  { listings }: SimulatorConfigInput,
  { historyKlines }: SimulatedVenueConfig,
): number | undefined {
  const market = listings?.[0]?.market
  if (market?.type !== 'klines') return undefined
  return market.klines[Math.min(historyKlines, market.klines.length - 1)]?.openTime
}
