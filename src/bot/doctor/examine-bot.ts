import { accountsOf } from '../../config/account-fields.ts'
import type { BotConfig, StrategyConfig } from '../../config/bot-config.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import { mainUrlOf, profileOf } from '../../config/profiles/profile-field.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { isLoopbackHost } from '../../exchange/http/base-url.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { followedFeeds } from '../../strategy/feeds/followed-feeds.ts'
import { marketPlan } from '../inputs/market-inputs.ts'
import {
  type StrategySubscriptions,
  subscribedSymbols,
  subscriptionsOfEntries,
} from '../inputs/strategy-subscriptions.ts'
import { NoBooksError } from '../paper/no-books-error.ts'
import { paperMarkets, paperPlan } from '../paper/paper-market.ts'
import { type ConfiguredPlace, checkParameters } from '../start/check-parameters.ts'
import { loadStrategy } from '../start/load-strategy.ts'
import { ExchangeSpeedError } from '../venue/exchange-speed.ts'
import { journalVenueOf } from '../venue/journal-venue.ts'
import { MissingRulesError } from '../venue/missing-rules-error.ts'
import { openVenue } from '../venue/open-venue.ts'
import { UnlistedSymbolError } from '../venue/unlisted-symbol-error.ts'
import type { Venue } from '../venue/venue.ts'
import { journaledAccount, ledgerAtStart, type PricedInstrument } from './account-at-start.ts'
import { examineBook } from './examine-book.ts'
import { examineControl } from './examine-control.ts'
import {
  examineInstrument,
  examinePrices,
  type InstrumentExamined,
  instrumentAdvice,
} from './examine-instrument.ts'
import { examineDeclaration, examineJournal, examineJournalVenue } from './examine-journal.ts'
import { examineKlines } from './examine-klines.ts'
import { adviceFor, examineAccounts, examineClock, type LineExamined, sentenceOf } from './examine-venue.ts'
import { type Diagnosis, type Finding, problem, sound } from './finding.ts'

/**
 * Examines everything that a bot needs before it trades: strategies, poll plan, journal, control socket, the line to the exchange, clock,
 * account, instruments, and an order of each strategy's size. Reads only, and has the exchange check orders without
 * placing any. `configPath` is the file of the configuration.
 */
export async function examineBot(
  config: BotConfig,
  credentials: Credentials | undefined,
  configPath: string,
): Promise<Diagnosis> {
  const isAtStake = config.venue.type === 'exchange'
  const atHome = [
    ...(await Promise.all(
      config.strategies.map((on, entry) => examineStrategy(on, { config: configPath, entry })),
    )),
    await examinePolling(config),
    ...examineJournal(config.journal?.file, isAtStake),
    ...examineJournalVenue(config.journal, journalVenueOf(config, credentials), config.bot),
    ...examineDeclaration(config.journal?.file, accountsOf(config)),
    await examineControl(config, configPath),
  ]
  const abroad = await examineExchange(config, credentials, configPath)
  const findings = [...atHome, ...abroad.findings]
  return {
    isHealthy: findings.every(({ status }) => status === 'ok'),
    findings,
    wouldTrade: abroad.wouldTrade,
  }
}

async function examineStrategy({ file, ...on }: StrategyConfig, place: ConfiguredPlace): Promise<Finding> {
  const subject = `${file} on ${on.symbol} ${on.interval}`
  try {
    const strategy = await loadStrategy(file)
    checkParameters(strategy, on.parameters, place)
    followedFeeds(strategy, on)
    return sound('strategy', subject, `It is "${strategy.name}", and takes its parameters.`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return problem('strategy', subject, error.message, 'Correct the file, or its entry in "strategies".')
  }
}

async function examinePolling(config: BotConfig): Promise<Finding> {
  const { strategies, polling, venue } = config
  try {
    const followed = await subscriptionsOfEntries(strategies)
    const accounts = accountsOf(config)
    const plan = marketPlan(followed, polling, configuredMarkets(accounts), { profile: profileOf(venue) })
    // The bot of a paper account polls the exchange in its process; the host is polled to match orders.
    const { perMinute, limit } = (
      venue.type === 'paper'
        ? paperPlan(paperMarkets(strategies, accounts), venue, polling.weightPerMinute)
        : plan
    ).weight
    return sound('polling', 'plan', `It uses ${Math.round(perMinute)} of the weight ${limit} a minute.`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return problem('polling', 'plan', error.message, 'Read less often ("polling"), or follow fewer symbols.')
  }
}

async function examineExchange(
  config: BotConfig,
  credentials: Credentials | undefined,
  configPath: string,
): Promise<InstrumentExamined> {
  let venue: Venue
  try {
    venue = await openVenue(config, credentials, undefined, undefined, true)
  } catch (error) {
    return { findings: [unopened(config, error)], wouldTrade: [] }
  }
  try {
    return await examineOn(venue, config, configPath)
  } finally {
    await venue.close()
  }
}

/** The finding about a venue that could not be opened. */
function unopened({ venue }: BotConfig, error: unknown): Finding {
  const subject = venue.type === 'simulated' ? 'simulated exchange' : mainUrlOf(venue)
  if (error instanceof ExchangeSpeedError) return problem('clock', subject, error.found, error.advice)
  if (error instanceof NoBooksError) return problem('connection', subject, error.found, error.advice)
  if (error instanceof UnlistedSymbolError || error instanceof MissingRulesError)
    return problem('instrument', subject, error.message, instrumentAdvice(error))
  return problem('connection', subject, sentenceOf(error), adviceFor(error, venue.type === 'paper'))
}

/** Only a simulated exchange is. */
function isOnThisMachine({ venue }: BotConfig): boolean {
  return venue.type === 'simulated' || isLoopbackHost(new URL(mainUrlOf(venue)).hostname)
}

/** An entry for each instrument that a strategy trades: its own, and those of its roles. */
function tradedEntries(entry: StrategyConfig): readonly StrategyConfig[] {
  const roles = Object.values(entry.markets ?? {})
  return [entry, ...roles.map(({ symbol, size }) => ({ ...entry, symbol, size: size ?? entry.size }))]
}

async function examineOn(venue: Venue, config: BotConfig, configPath: string): Promise<InstrumentExamined> {
  const { strategies, risk, instruments: rules } = config
  const { maxSlippageRate } = config.execution
  const accounts = accountsOf(config)
  const marketOf = configuredMarkets(accounts)
  const tried = Map.groupBy(strategies.flatMap(tradedEntries), entry => entry.symbol)
  const followed = await followedBy(strategies)
  const symbols = [...new Set([...tried.keys(), ...subscribedSymbols(followed)])]
  const { findings: held, holdings } = await examineAccounts(venue, accounts, symbols)
  const connection = sound(
    'connection',
    venue.description,
    ['The exchange answers.', ...(venue.remark === undefined ? [] : [venue.remark])].join(' '),
  )
  const line = { isOnThisMachine: isOnThisMachine(config), ...paceOf(config) }
  const findings: Finding[] = [connection, examineClock(venue, line), ...held]
  const remarks = new Set<string>()
  const onRemark = (sentence: string) => void remarks.add(sentence)
  const configured = { accounts, rules, maxSlippageRate, configPath, onRemark }
  const prices = new Map<string, PricedInstrument | Finding>()
  for (const symbol of symbols) prices.set(symbol, await examinePrices(venue, symbol, configured))
  const priced = [...prices.values()].filter(one => 'instrument' in one)
  // A simulated exchange is looked at with a new account, which the journal does not belong to.
  const journaled =
    config.venue.type === 'exchange' ? await journaledAccount(config.journal?.file) : undefined
  const ledgerOf = holdings && (() => ledgerAtStart(holdings, priced, journaled))
  const examined: InstrumentExamined[] = []
  for (const [symbol, found] of prices) {
    const entries = tried.get(symbol)
    if (!('instrument' in found)) examined.push({ findings: [found], wouldTrade: [] })
    else if (entries !== undefined) {
      const account = { ledgerOf, risk, marketOf }
      examined.push(await examineInstrument(venue, found, entries, account))
    }
  }
  const listings = [...remarks].map(remark => sound('listings', venue.description, remark))
  const listed = followed.filter(({ symbol }) => 'instrument' in (prices.get(symbol) ?? {}))
  const klines = await examineKlines(venue, listed, marketOf)
  const books = []
  for (const { instrument } of config.venue.type === 'paper' ? priced : [])
    books.push(...(await examineBook(venue, marketOf(instrument.symbol))))
  return {
    findings: [...findings, ...listings, ...klines, ...books, ...examined.flatMap(part => part.findings)],
    wouldTrade: examined.flatMap(part => part.wouldTrade),
  }
}

/** Intervals at which the bot reads prices, and the age at which they count as stale. */
function paceOf({ venue, polling }: BotConfig): Pick<LineExamined, 'isPaper' | 'readMs' | 'staleAfterMs'> {
  const isPaper = venue.type === 'paper'
  const { tickerMs, staleAfterMs } = polling
  return { isPaper, staleAfterMs, readMs: isPaper ? venue.readMs : tickerMs }
}

/** Streams of all strategies, those of feeds too; none where a strategy cannot be loaded, which has a finding. */
async function followedBy(strategies: readonly StrategyConfig[]): Promise<readonly StrategySubscriptions[]> {
  try {
    return await subscriptionsOfEntries(strategies)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return []
  }
}
