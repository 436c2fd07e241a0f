import type { Logger } from 'pino'
import type { Bot } from '../../bot/bot.ts'
import { observerOf } from '../../bot/bot-observer.ts'
import type { BotParts } from '../../bot/bot-options.ts'
import { type ControlServer, startControlServer } from '../../bot/control/control-server.ts'
import { controlSocketOf } from '../../bot/control/control-socket.ts'
import { createBot } from '../../bot/create-bot.ts'
import { slowFeeds, withFollowedLevels } from '../../bot/inputs/followed-levels.ts'
import { marketPlan } from '../../bot/inputs/market-inputs.ts'
import { subscriptionsOf } from '../../bot/inputs/strategy-subscriptions.ts'
import { createBotLog } from '../../bot/log/bot-log.ts'
import { logLittleTime } from '../../bot/log/log-closing.ts'
import { checkParameters } from '../../bot/start/check-parameters.ts'
import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { takeName } from '../../bot/start/name-lock.ts'
import { StartPatience } from '../../bot/start/start-patience.ts'
import { checkJournalVenue, journalVenueOf } from '../../bot/venue/journal-venue.ts'
import { openVenue } from '../../bot/venue/open-venue.ts'
import type { Venue } from '../../bot/venue/venue.ts'
import type { RunningComparison } from '../../compare/running-comparison.ts'
import { strategyHashes } from '../../compare/strategy-hash.ts'
import { accountsOf } from '../../config/account-fields.ts'
import type { BotConfig } from '../../config/bot-config.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import { loadBotConfig } from '../../config/load-bot-config.ts'
import type { OtlpHeaders } from '../../config/otlp-headers.ts'
import { profileOf } from '../../config/profiles/profile-field.ts'
import { sessionTag } from '../../domain/orders/client-order-id.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import type { Journal } from '../../journal/journal.ts'
import type { BotNotices } from '../../observe/bot-notices.ts'
import type { BotMetrics } from '../../observe/metrics/bot-metrics.ts'
import { ServiceNotifier } from '../../observe/service-notifier.ts'
import type { WebServer } from '../../web/server/web-server.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { StartJournal } from '../start-journal.ts'
import type { CommandOutput } from '../streams.ts'
import { BotStatusLine } from './bot-status-line.ts'
import { summaryText } from './bot-summary-text.ts'
import { openNotices, watchBot } from './open-notices.ts'
import { openWindow, showWindow } from './open-window.ts'
import { rememberEquity } from './remember-equity.ts'
import { startComparison } from './start-comparison.ts'
import type { StatusLine } from './status-line.ts'
import { StopRequest } from './stop-request.ts'

export interface StartOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  /** Shut down after this real time, ms. */
  readonly stopAfterMs?: number
  /**
   * Log JSON lines, and end with the summary as one JSON object on the last line; otherwise lines for people.
   */
  readonly json: boolean
  /** Of a terminal: shows how the bot is while it trades. */
  readonly statusLine?: StatusLine
}

/**
 * Runs a bot until SIGINT, SIGTERM, SIGHUP, the given time, or a failure; resolves to the exit code, rejects
 * with `UsageError` if it cannot start.
 */
export async function runStart(options: StartOptions, out: CommandOutput): Promise<number> {
  const loaded = loadBotConfig(options.config, process.env)
  const { credentials, noticeSecrets, metricsToken, otlpHeaders } = loaded
  const strategies = await Promise.all(
    loaded.config.strategies.map(async entry => ({ ...entry, strategy: await loadStrategy(entry.file) })),
  )
  for (const [entry, { strategy, parameters }] of strategies.entries())
    checkParameters(strategy, parameters, { config: options.config, entry })
  const followed = subscriptionsOf(strategies)
  const config = withFollowedLevels(loaded.config, followed)
  // A plan that does not fit is refused before anything is sent.
  marketPlan(config.strategies, config.polling, configuredMarkets(accountsOf(config)), {
    profile: profileOf(config.venue),
  })
  const logTime: LogTime = { now: () => undefined }
  const log = createBotLog({
    level: config.log.level,
    readable: !options.json,
    stream: out,
    now: () => logTime.now(),
  })
  for (const state of slowFeeds(config, followed)) log.warn({ state }, 'the market of the paper account')
  const releaseName = takeName(config, credentials, why =>
    log.warn(
      { why },
      'no lock keeps other processes of this machine from trading under the name of this bot',
    ),
  )
  let control: ControlServer | undefined
  let web: WebServer | undefined
  let kept: StartJournal | undefined
  let notices: BotNotices | undefined
  let comparison: RunningComparison | undefined
  try {
    control = await startControlServer(controlSocketOf(config, options.config))
    web = config.web && (await openWindow(config.web, log, metricsToken))
    kept = config.journal && new StartJournal(config.journal, log)
    const journal = kept?.journal
    const journalVenue = journalVenueOf(config, credentials)
    if (config.journal && journal && journal.seq > 0)
      checkJournalVenue(config.journal, journalVenue, config.bot)
    const onReady = () => kept?.keep()
    notices = await openNotices({ config, noticeSecrets, log }, text => credentials?.redact(text) ?? text)
    comparison = await startComparison(config, log)
    const configPath = options.config
    const sources = strategyHashes(
      config.strategies.map(({ file }) => file),
      PROJECT_FOLDER,
    )
    const parts = {
      config,
      configPath,
      strategies,
      sources,
      log,
      journal,
      journalVenue,
      logTime,
      onReady,
      comparison,
      otlpHeaders,
    }
    return await trade(parts, credentials, { control, web, notices }, options, out)
  } catch (error) {
    // A journal that cannot be read must not hide the reason of the failure.
    await kept?.logLastState(log).catch(() => undefined)
    notices?.take({
      kind: 'startFailed',
      sentence: `The bot does not run: ${textOf(error)}`,
      time: Date.now(),
    })
    throw error
  } finally {
    await notices?.close()
    await comparison?.close()
    await web?.close()
    await control?.close()
    kept?.close()
    releaseName()
  }
}

/** Market time of log lines, ms UTC; `undefined` until a venue provides it. */
interface LogTime {
  now: () => number | undefined
}

type TradedParts = Omit<BotParts, 'venue' | 'config' | 'journal'> & {
  readonly config: BotConfig
  readonly journal: Journal | undefined
  readonly logTime: LogTime
  readonly comparison: RunningComparison | undefined
  readonly otlpHeaders: OtlpHeaders | undefined
  /** Called before the bot trades. */
  readonly onReady: () => void
}

/** The ways to a bot. */
interface Doors {
  readonly control: ControlServer
  readonly web: WebServer | undefined
  readonly notices: BotNotices | undefined
}

/** Connects, trades until the shutdown, and summarises; resolves to the exit code. */
async function trade(
  parts: TradedParts,
  credentials: Credentials | undefined,
  { control, web, notices }: Doors,
  options: StartOptions,
  out: CommandOutput,
): Promise<number> {
  const { config, log } = parts
  const latestComparison = () => parts.comparison?.latest
  const patience = new StartPatience(createSystemClock(), log)
  const service = ServiceNotifier.open(process.env, { clock: createSystemClock(), log })
  const stop = new StopRequest(reason => {
    log.info({ reason }, 'shutting down')
    service?.stopping()
    patience.end()
  })
  try {
    const venue = await openVenue(config, credentials, parts.journal, patience.pauseAfter)
    let metrics: BotMetrics | undefined
    try {
      parts.logTime.now = venue.serverNow
      log.info({ bot: config.bot, venue: venue.description }, 'starting')
      logLittleTime(log, config)
      const window = web && (await showWindow(web, control, parts, venue))
      metrics = web || config.metrics.otlp ? await openMetrics(parts, venue) : undefined
      void rememberEquity(parts.journal, [window, metrics], log)
      if (metrics !== undefined) notices?.countOutcomes(metrics.countNotice)
      if (venue.remark !== undefined)
        log.warn({ found: venue.remark }, 'the profile of the exchange was detected')
      venue.onSilence?.(state => log.warn({ state }, 'the market of the paper account'))
      const snapshotEntries = config.journal?.snapshotEntries
      const bot = await createBot({
        ...{ ...parts, venue },
        sessionTag: sessionTag(Math.random()),
        observer: observerOf([window?.observer, notices?.observer, metrics?.observer]),
        ...(snapshotEntries !== undefined && { snapshotEntries }),
      })
      parts.onReady()
      patience.end()
      if (window !== undefined) {
        window.show(bot)
        web?.serve(window)
      }
      if (metrics !== undefined) {
        metrics.show(bot, latestComparison)
        web?.answerProbes(metrics)
      }
      control.serve((request, origin) => bot.operate(request, origin))
      let shown: BotStatusLine | undefined
      const onTrading = () => {
        service?.watch(bot)
        shown = options.statusLine && new BotStatusLine(options.statusLine, bot, createSystemClock())
        void watchBot(notices, bot, venue.serverNow, latestComparison)
      }
      const failure = await runUntilStopped(bot, stop, { ...options, onTrading }, log)
      shown?.close()
      const summary = await bot.shutDown()
      notices?.end(summary.leftBehind, failure, venue.serverNow())
      out.write(options.json ? `${JSON.stringify(summary)}\n` : summaryText(summary))
      return failure === undefined && summary.complete ? 0 : 1
    } finally {
      metrics?.close()
      await venue.close()
    }
  } finally {
    stop.forget()
    service?.close()
  }
}

/** Loaded only by a bot that somebody may ask for metrics. */
async function openMetrics(
  { config, log, otlpHeaders = {} }: Pick<TradedParts, 'config' | 'log' | 'otlpHeaders'>,
  venue: Venue,
): Promise<BotMetrics> {
  const { BotMetrics } = await import('../../observe/metrics/bot-metrics.ts')
  const { metrics, bot } = config
  const made = new BotMetrics({ config: metrics, marketOf: configuredMarkets(accountsOf(config)), venue })
  if (metrics.otlp !== undefined) made.exportTo(metrics.otlp, otlpHeaders, bot, createSystemClock(), log)
  return made
}

/**
 * Resolves at the shutdown: to a sentence after a failure. Does not start trading if the shutdown was requested
 * before.
 */
async function runUntilStopped(
  bot: Bot,
  stop: StopRequest,
  { stopAfterMs, onTrading }: Pick<StartOptions, 'stopAfterMs'> & { readonly onTrading: () => void },
  log: Logger,
): Promise<string | undefined> {
  if (stop.isRequested) return undefined
  let failure: string | undefined
  if (stopAfterMs !== undefined) stop.after(stopAfterMs)
  bot.start(error => {
    failure = textOf(error)
    stop.request('a failure')
  })
  log.info('trading')
  onTrading()
  await stop.whenRequested
  return failure
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
