import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import type { Bot } from '../bot/bot.ts'
import { createBotLog } from '../bot/bot-log.ts'
import type { BotSummary } from '../bot/bot-summary.ts'
import { accountsOf } from '../bot/config/account-fields.ts'
import type { BotConfig } from '../bot/config/bot-config.ts'
import { loadBotConfig } from '../bot/config/load-bot-config.ts'
import { type ControlServer, startControlServer } from '../bot/control/control-server.ts'
import { controlSocketOf } from '../bot/control/control-socket.ts'
import { type BotParts, createBot } from '../bot/create-bot.ts'
import { loadStrategy } from '../bot/load-strategy.ts'
import { marketPlan } from '../bot/market-inputs.ts'
import { openVenue } from '../bot/open-venue.ts'
import { Rehearsals } from '../bot/rehearsal/rehearsals.ts'
import { tradedMarkets } from '../bot/traded-market.ts'
import type { Venue } from '../bot/venue.ts'
import { youngGarbageCollector } from '../bot/young-garbage.ts'
import type { Credentials } from '../exchange/credentials.ts'
import { Journal } from '../journal/journal.ts'
import type { CommandOutput } from './exchange-command.ts'
import { Leaving } from './leaving.ts'

/** Options of the start command. */
export interface StartOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  /** Leave after so many ms of real time. */
  readonly stopAfterMs?: number
  /** Log JSON lines, and end with the summary as one JSON object on the last line. */
  readonly json: boolean
  /** Whether the output is a terminal with a person behind it. */
  readonly isTerminal: boolean
}

/** Runs a bot until SIGINT, SIGTERM, the given time, or a failure; resolves to the exit code, rejects with `UsageError` for what cannot start. */
export async function runStart(options: StartOptions, out: CommandOutput): Promise<number> {
  const { config, credentials } = loadBotConfig(options.config, process.env)
  const strategies = await Promise.all(
    config.strategies.map(async entry => ({ ...entry, strategy: await loadStrategy(entry.file) })),
  )
  for (const { strategy, parameters } of strategies) strategy.parameterValues(parameters)
  // A plan that does not fit is refused before anything is called.
  marketPlan(config.strategies, config.polling, tradedMarkets(accountsOf(config)))
  const log = createBotLog({
    level: config.log.level,
    readable: options.isTerminal && !options.json,
    stream: out,
  })
  const journal = config.journal && openJournal(config.journal)
  const control = await startControlServer(controlSocketOf(config, options.config))
  try {
    return await trade({ config, strategies, log, journal }, credentials, control, options, out)
  } finally {
    await control.close()
    journal?.close()
  }
}

type TradedParts = Omit<BotParts, 'venue' | 'config'> & { readonly config: BotConfig }

/** Connects, trades until it is time to leave, and sums up; resolves to the exit code. */
async function trade(
  parts: TradedParts,
  credentials: Credentials | undefined,
  control: ControlServer,
  options: StartOptions,
  out: CommandOutput,
): Promise<number> {
  const { config, log } = parts
  const leaving = new Leaving(reason => log.info({ reason }, 'leaving'))
  try {
    const venue = await openVenue(config, credentials)
    try {
      log.info({ bot: config.bot, venue: venue.description }, 'starting')
      const snapshotEntries = config.journal?.snapshotEntries
      const bot = await createBot({
        ...{ ...parts, venue, collectGarbage: youngGarbageCollector() },
        ...(snapshotEntries !== undefined && { snapshotEntries }),
      })
      control.serve(request => bot.operate(request))
      const rehearsals = rehearsalsOf(parts, venue)
      rehearsals?.begin()
      const failed = await runUntilAsked(bot, leaving, options, log)
      rehearsals?.end()
      const summary = await bot.leave()
      out.write(options.json ? `${JSON.stringify(summary)}\n` : summaryText(summary))
      return failed ? 1 : 0
    } finally {
      await venue.close()
    }
  } finally {
    leaving.forget()
  }
}

/** Only of use where orders go far. */
function rehearsalsOf({ config, log }: TradedParts, { clock }: Venue): Rehearsals | undefined {
  if (config.venue.type === 'simulated' || !config.venue.rehearses) return undefined
  return new Rehearsals({
    ...{ accounts: accountsOf(config), clock, log },
    intervals: config.strategies.map(({ interval }) => interval),
    klineDelayMs: config.polling.klineDelayMs,
  })
}

function openJournal({ file, keepEntries }: NonNullable<BotConfig['journal']>): Journal {
  mkdirSync(dirname(file), { recursive: true })
  return new Journal(file, { keepEntries })
}

/** Resolves when it is time to leave: `true` after a failure. Who is asked before anything is traded does not begin. */
async function runUntilAsked(
  bot: Bot,
  leaving: Leaving,
  { stopAfterMs }: StartOptions,
  log: Logger,
): Promise<boolean> {
  if (leaving.isAsked) return false
  let failed = false
  if (stopAfterMs !== undefined) leaving.after(stopAfterMs)
  bot.start(() => {
    failed = true
    leaving.ask('a failure')
  })
  log.info('trading')
  await leaving.time
  return failed
}

function summaryText({ trading, ...summary }: BotSummary): string {
  const rows = Object.entries(summary).map(([name, value]) =>
    row(
      name,
      typeof value === 'object' ? Object.entries(value).map(([key, part]) => `${part} ${key}`) : [value],
    ),
  )
  const { account, ...others } = trading
  const held = Object.entries(others).map(([scope, mode]) => `${mode} on ${scope}`)
  return `Summary\n${rows.join('')}${row('trading', [account ?? 'active', ...held])}`
}

function row(name: string, values: readonly (string | number)[]): string {
  return `  ${name.padEnd(16)}${values.join(', ')}\n`
}
