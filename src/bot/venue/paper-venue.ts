import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Accounts } from '../../config/account-fields.ts'
import type { BotConfig, PaperVenueConfig } from '../../config/bot-config.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import { mainUrlOf } from '../../config/profiles/profile-field.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { fileBlockStore } from '../../exchange/budget/file-block-store.ts'
import type { Patience } from '../../exchange/call/endpoint-call.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { createExchangeClient } from '../../exchange/exchange-client.ts'
import { createPublicClient, type PublicClient } from '../../exchange/public-client.ts'
import type { ExchangeFile } from '../../simulator/saved/exchange-file.ts'
import { startExchangeServer } from '../../simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../simulator/simulator-config.ts'
import { forwardedKlines } from '../paper/forwarded-klines.ts'
import { hostClock } from '../paper/monotonic-host-clock.ts'
import { PaperFeed } from '../paper/paper-feed.ts'
import { paperMarkets, unjudged } from '../paper/paper-market.ts'
import { presentRules } from '../paper/paper-rules.ts'
import { PaperSession } from '../paper/paper-session.ts'
import { paperSetupOf, paperSetupToGoOnWith } from '../paper/paper-setup.ts'
import { knownHosts } from './detected-profile.ts'
import { banFileOf } from './exchange-venue.ts'
import { loadInstruments } from './load-instruments.ts'
import { countedGrids, paperInput, startRow } from './paper-input.ts'
import { keptBeside, keptPath, type OwnJournal } from './simulated-venue.ts'
import type { Venue } from './venue.ts'

/** Transit of a request to the exchange in this process, ms. */
const RECV_WINDOW_MS = 5000
/** Longest wait for the first order books of a start, ms. */
const FIRST_BOOKS_MS = 10_000

export interface PaperVenueOptions {
  readonly config: Pick<BotConfig, 'bot' | 'strategies' | 'instruments' | 'polling' | 'execution' | 'journal'>
  readonly accounts: Accounts
  /** Its monotonic time paces the polls. */
  readonly clock: Clock
  /** The host whose time counts: that on which the bot trades. */
  readonly clockHost: Host
  /** The account is kept beside it; without it, it begins anew at every start. */
  readonly journal?: OwnJournal | undefined
  /** False for a look alone, which leaves nothing in the folder of the session. */
  readonly records: boolean
  /** Retries while pages come instead of the host's answers. */
  readonly patience?: Patience | undefined
  /** Default: `Math.random`. */
  readonly random?: () => number
}

/**
 * Opens an account of no money on the market of a real host: public data are read without a key, and orders are
 * matched on them in this process, on an exchange that the bot reaches over HTTP like any other.
 */
export async function openPaperVenue(
  configured: PaperVenueConfig,
  options: PaperVenueOptions,
): Promise<Venue> {
  const settings = publicSettings(configured, options)
  const { remark, ...hosts } = await knownHosts(configured, settings)
  const venue = { ...configured, ...hosts }
  const upstream = publicClientOf(venue, settings, options)
  const kept = options.journal && keptBeside(options.journal)
  try {
    await upstream.synchronise()
    return { ...(await serve(venue, options, upstream, kept)), ...(remark !== undefined && { remark }) }
  } catch (error) {
    kept?.close()
    await upstream.close()
    throw error
  }
}

/** Settings of every call to the host. */
function publicSettings(venue: PaperVenueConfig, { config, clock }: PaperVenueOptions) {
  return {
    clock,
    timeoutMs: config.execution.orderTimeoutMs,
    limits: { ipWeightPerMinute: config.polling.weightPerMinute },
    blockStore: fileBlockStore(banFileOf(mainUrlOf(venue))),
  }
}

function publicClientOf(
  { profile, spotUrl, futuresUrl }: PaperVenueConfig,
  settings: ReturnType<typeof publicSettings>,
  { clockHost, patience }: PaperVenueOptions,
): PublicClient {
  return createPublicClient({
    ...settings,
    ...{ profile, clockHost, patience },
    ...(spotUrl !== undefined && { spotUrl }),
    ...(futuresUrl !== undefined && { futuresUrl }),
  })
}

async function serve(
  venue: PaperVenueConfig,
  { config, accounts, clock: pace, journal, records, random = Math.random }: PaperVenueOptions,
  upstream: PublicClient,
  kept: ExchangeFile | undefined,
): Promise<Venue> {
  const marketOf = configuredMarkets(accounts)
  const markets = paperMarkets(config.strategies, accounts)
  const instruments = await instrumentsOf(upstream, config, accounts)
  const now = paperSetupOf(venue, accounts, countedGrids(instruments, marketOf))
  const setup = kept?.setup === undefined ? now : paperSetupToGoOnWith(kept.setup, kept.path, now)
  const awaySince = kept?.time
  const exchange = createSimulatedExchange(
    paperInput(venue, accounts, instruments, marketOf),
    kept,
    venue.queue,
  )
  const clock = hostClock(() => Math.max(upstream.serverNow(), (journal?.time ?? 0) + 1), pace)
  exchange.advance(clock.now())
  for (const instrument of awaySince === undefined ? [] : instruments) {
    const { market, name: symbol } = marketOf(instrument.symbol)
    exchange.observe({ kind: 'rules', symbol, rules: presentRules(market, instrument) }, clock.now())
  }
  if (kept !== undefined) kept.setup = JSON.stringify(setup)
  const session = new PaperSession(records ? join(venue.folder, config.bot) : undefined)
  session.note(startRow(venue, instruments, marketOf, { at: clock.now(), goesOn: awaySince !== undefined }))
  const feed = new PaperFeed({
    venue,
    markets,
    polling: config.polling,
    upstream,
    clock,
    pace,
    exchange,
    session,
    random,
  })
  const forwarded = forwardedKlines(upstream)
  const server = await startExchangeServer({
    ...{ exchange, clock, port: venue.port, admin: false },
    elsewhere: request => feed.silenceAnswer(request) ?? forwarded(request),
  })
  const close = async () => {
    feed.stop()
    await client.close()
    await server.close()
    exchange.save()
    kept?.close()
    session.close()
    await upstream.close()
  }
  const client = loopbackClient(server, clock)
  feed.start(awaySince)
  try {
    await feed.firstBooks(FIRST_BOOKS_MS)
  } catch (error) {
    await close()
    throw error
  }
  return {
    description: [
      describe(venue, server.url, records ? keptText(kept, awaySince) : lookText(config.journal?.file)),
      ...unjudged(markets, venue.profile),
    ].join(' '),
    clock: pace,
    profile: venue.profile,
    answerMs: RECV_WINDOW_MS,
    spot: client.spot,
    margin: client.margin,
    ...(accounts.futures !== undefined && { futures: client.futures }),
    account: client.account,
    serverNow: () => clock.now(),
    usage: () => client.state().calls.ip,
    pause: () => client.state().calls.pause,
    requests: () => upstream.state().requests,
    clockUncertaintyMs: () => upstream.state().clock.uncertaintyMs,
    clockOffsetMs: () => upstream.state().clock.offsetMs,
    onSilence: tell => {
      feed.onSilence = tell
    },
    silence: () => feed.silence,
    close,
  }
}

async function instrumentsOf(
  { spot, futures }: PublicClient,
  { strategies, instruments: rules }: PaperVenueOptions['config'],
  accounts: Accounts,
): Promise<readonly Instrument[]> {
  const symbols = strategies.flatMap(({ symbol, markets = {} }) => [
    symbol,
    ...Object.values(markets).map(role => role.symbol),
  ])
  const loaded = await loadInstruments({ spot, futures }, [...new Set(symbols)], accounts, { rules })
  return [...loaded.values()]
}

function loopbackClient(
  { url, futuresUrl }: { readonly url: string; readonly futuresUrl: string },
  clock: Clock,
) {
  return createExchangeClient({
    spotUrl: url,
    futuresUrl,
    apiKey: TEST_ACCOUNT.apiKey,
    apiSecret: TEST_ACCOUNT.apiSecret,
    clock,
    recvWindowMs: RECV_WINDOW_MS,
    // Both sides read the same clock.
    timeOffset: () => 0,
  })
}

function describe(venue: PaperVenueConfig, url: string, account: string): string {
  return `paper account on the market of ${mainUrlOf(venue)}, orders matched on ${url}, queue: ${venue.queue}, ${account}`
}

function keptText(kept: ExchangeFile | undefined, awaySince: number | undefined): string {
  if (kept === undefined) return 'begins anew at every start, because the bot has no journal'
  if (awaySince === undefined) return `begins, and is kept in ${kept.path}`
  return `goes on from ${new Date(awaySince).toISOString()} as ${kept.path} has it`
}

/** The account of a look is a new one: that of the bot is left alone. */
function lookText(journal: string | undefined): string {
  if (journal === undefined) return keptText(undefined, undefined)
  const path = keptPath(journal)
  return existsSync(path)
    ? `looked at with a new account; a start goes on with the one in ${path}`
    : `looked at with a new account; a start begins one, and keeps it in ${path}`
}
