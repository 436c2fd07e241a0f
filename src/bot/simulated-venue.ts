import { createExchangeClient } from '../exchange/exchange-client.ts'
import { readKlineFile } from '../klines/formats/read-kline-file.ts'
import { klinesIn } from '../klines/kline-columns.ts'
import { startExchangeServer } from '../simulator/exchange-server.ts'
import { createSimulatedExchange } from '../simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../simulator/simulator-config.ts'
import { createAcceleratedClock } from './accelerated-clock.ts'
import type { Accounts } from './config/account-fields.ts'
import type { StrategyConfig } from './config/bot-config.ts'
import { type SimulatedVenueConfig, simulatorInput } from './simulator-input.ts'
import type { Venue } from './venue.ts'

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

async function klinesOf(file: string) {
  const { columns } = await readKlineFile(file)
  return klinesIn(columns)
}

type Klines = Awaited<ReturnType<typeof klinesOf>>

/** A replayed file sets the time: its first klines are history, and the bot starts behind them. */
function startOf({ historyKlines }: SimulatedVenueConfig, klines: Klines | undefined): number | undefined {
  return klines?.[Math.min(historyKlines, klines.length - 1)]?.openTime
}
