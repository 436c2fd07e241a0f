import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Accounts } from '../../config/account-fields.ts'
import type { SimulatedVenueConfig, StrategyConfig } from '../../config/bot-config.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { createExchangeClient } from '../../exchange/exchange-client.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import { readKlineFile } from '../../klines/formats/read-kline-file.ts'
import { klinesIn } from '../../klines/kline-columns.ts'
import { ExchangeFile } from '../../simulator/saved/exchange-file.ts'
import { startExchangeServer } from '../../simulator/server/exchange-server.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../simulator/simulator-config.ts'
import { createAcceleratedClock } from '../clock/accelerated-clock.ts'
import { prepareFile, prepareFolder } from '../state/prepared-path.ts'
import { type ExchangeSetup, exchangeSetupOf, setupToGoOnWith } from './exchange-setup.ts'
import { simulatorBalances, simulatorInput } from './simulator-input.ts'
import type { Venue } from './venue.ts'

/** Largest transit time of a request, ms of real time; the exchange's clock runs `speed` times as fast. */
const RECV_WINDOW_REAL_MS = 5000
/** Largest duration of one call, ms of real time. */
const TIMEOUT_MS = 10_000

/** The journal of the bot that a simulated exchange belongs to. */
export interface OwnJournal {
  readonly path: string
  /** Time of its latest entry, ms UTC; `undefined` while it has none. */
  readonly time: number | undefined
}

export interface SimulatedVenueOptions {
  readonly strategies: readonly StrategyConfig[]
  readonly accounts: Accounts
  /** Start time of a new exchange without a time from files, ms UTC. */
  readonly startAt: number
  /** The exchange is kept beside it; without it, it begins anew at every start. */
  readonly journal?: OwnJournal | undefined
  /** True if the bot has a journal that is not opened now: the exchange is read only. */
  readonly isForLook?: boolean
}

/** Starts a simulated exchange in this process, on loopback, and connects to it over HTTP like to any other. */
export async function openSimulatedVenue(
  venue: SimulatedVenueConfig,
  options: SimulatedVenueOptions,
): Promise<Venue> {
  const klines = venue.file === undefined ? undefined : await klinesOf(venue.file)
  const kept = options.journal && keptBeside(options.journal)
  try {
    return await serve(venue, options, klines, kept)
  } catch (error) {
    kept?.close()
    throw error
  }
}

async function serve(
  venue: SimulatedVenueConfig,
  { strategies, accounts, startAt, journal, isForLook = false }: SimulatedVenueOptions,
  klines: Klines | undefined,
  kept: ExchangeFile | undefined,
): Promise<Venue> {
  const before = kept?.setup === undefined ? undefined : setupToGoOnWith(kept.setup, kept.path, venue, klines)
  const setup = exchangeSetupOf(venue, strategies, accounts, klines, before)
  const exchange = createSimulatedExchange(simulatorInput(venue, setup, accounts, klines), kept)
  // The clock resumes after all recorded times of the bot.
  const goesOnAt = kept?.time && Math.max(kept.time, journal?.time ?? 0) + 1
  const clock = createAcceleratedClock({
    speed: venue.speed,
    startAt: goesOnAt ?? startOf(venue, klines) ?? startAt,
  })
  if (kept !== undefined) {
    exchange.advance(clock.now())
    fund(exchange, venue, accounts, before)
    kept.setup = JSON.stringify({ ...setup, balances: before?.balances ?? setup.balances })
  }
  const answerMs = Math.ceil(RECV_WINDOW_REAL_MS * Math.max(1, venue.speed))
  const server = await startExchangeServer({ exchange, clock, port: venue.port })
  const { onlyHost } = exchange.dialect
  const client = createExchangeClient({
    profile: withoutUrls(venue.dialect),
    ...(onlyHost !== 'futures' && { spotUrl: server.spotUrl }),
    ...(onlyHost !== 'spot' && { futuresUrl: server.futuresUrl }),
    apiKey: TEST_ACCOUNT.apiKey,
    apiSecret: TEST_ACCOUNT.apiSecret,
    clock,
    recvWindowMs: answerMs,
    timeoutMs: TIMEOUT_MS,
    // Both sides read the same clock.
    timeOffset: () => 0,
  })
  return {
    description: `simulated exchange${venue.dialect.name === 'document' ? '' : ` like ${venue.dialect.name}`} on ${server.spotUrl}${accounts.futures === undefined ? '' : `, contracts on ${server.futuresUrl}`}, ${venue.market} market at ${venue.speed}x${klines === undefined ? MADE_UP : ''}, ${lifeOf(kept, goesOnAt, isForLook)}${otherMoney(before, setup)}`,
    clock,
    answerMs,
    profile: venue.dialect,
    spot: client.spot,
    margin: client.margin,
    ...(accounts.futures !== undefined && onlyHost !== 'spot' && { futures: client.futures }),
    account: client.account,
    serverNow: () => clock.now(),
    usage: () => client.state().calls.ip,
    pause: () => client.state().calls.pause,
    requests: () => client.state().requests,
    close: async () => {
      await client.close()
      await server.close()
      exchange.save()
      kept?.close()
    },
  }
}

/** The profile without the real hosts, which are never called from here. */
function withoutUrls(profile: ExchangeProfile): ExchangeProfile {
  const [spot, futures] = [
    { ...profile.spot, url: undefined },
    { ...profile.futures, url: undefined },
  ]
  return { ...profile, spot, futures }
}

/** Said of a generated market, because a misspelled symbol trades as well as any other. */
const MADE_UP = ' (the prices of every symbol are made up, also of one that no exchange lists)'

/** In one sentence with where it is. */
function lifeOf(kept: ExchangeFile | undefined, goesOnAt: number | undefined, isForLook: boolean): string {
  if (kept === undefined && isForLook)
    return 'with a new account for this look alone: a start goes on with the account that is kept beside the journal, or begins one there'
  if (kept === undefined) return 'begins anew at every start, because the bot has no journal'
  if (goesOnAt === undefined) return `begins, and is kept in ${kept.path}`
  return `goes on from ${new Date(goesOnAt).toISOString()} as ${kept.path} has it`
}

/** Note about configured balances of an already opened account, which are ignored; empty without any. */
function otherMoney(before: ExchangeSetup | undefined, { balances }: ExchangeSetup): string {
  if (before?.balances === undefined || textOf(before.balances) === textOf(balances)) return ''
  return `. Its account began with ${textOf(before.balances)}; the other "venue.balances" of the configuration, ${textOf(balances)}, do not count`
}

function textOf(balances: ExchangeSetup['balances']): string {
  return Object.entries(balances ?? {})
    .map(([asset, amount]) => `${amount} ${asset}`)
    .toSorted()
    .join(', ')
}

/** The file beside a journal in which the exchange of its bot is kept. */
export function keptPath(journal: string): string {
  return `${journal}.exchange`
}

/** The file of the exchange beside a journal. Throws `UsageError` for a journal without its exchange. */
export function keptBeside({ path, time }: OwnJournal): ExchangeFile {
  const file = keptPath(path)
  if (time !== undefined && !existsSync(file)) {
    throw new UsageError(
      `The journal ${path} goes on with a simulated exchange that is not there: ${file} is missing. Put it back, or move the journal away to begin anew with both.`,
    )
  }
  prepareFolder(dirname(file))
  prepareFile(file)
  return new ExchangeFile(file)
}

/** An account added by a later configuration receives its opening balances then. */
function fund(
  exchange: SimulatedExchange,
  venue: SimulatedVenueConfig,
  accounts: Accounts,
  before: ExchangeSetup | undefined,
): void {
  if (before === undefined) return
  const balances = simulatorBalances(venue, accounts)
  for (const wallet of ['spot', 'margin', 'futures'] as const) {
    if (before.opened.includes(wallet)) continue
    for (const [asset, amount] of Object.entries(balances[wallet])) deposit(exchange, wallet, asset, amount)
  }
}

/** Once: a process may have died before it was noted that this was done. */
function deposit(
  exchange: SimulatedExchange,
  wallet: 'spot' | 'margin' | 'futures',
  asset: string,
  amount: string,
): void {
  const [user] = exchange.state.users
  if (user === undefined || Number(amount) === 0) return
  const { uid } = user.account
  const isThere =
    wallet === 'futures'
      ? exchange.futures.accountOf(uid).wallets.has(asset)
      : (wallet === 'margin' ? user.margin : user).account.holdings.has(asset)
  if (!isThere) exchange.stage({ type: 'deposit', time: exchange.state.now, uid, asset, amount, wallet })
}

async function klinesOf(file: string) {
  const { columns } = await readKlineFile(file)
  return klinesIn(columns)
}

type Klines = readonly Kline[]

/** A replayed file sets the time: its first klines are history, and the bot starts behind them. */
function startOf({ historyKlines }: SimulatedVenueConfig, klines: Klines | undefined): number | undefined {
  return klines?.[Math.min(historyKlines, klines.length - 1)]?.openTime
}
