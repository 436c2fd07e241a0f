import type { Command } from 'commander'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import type { HistoryList } from '../bot/history-command.ts'
import { durationOption, wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly config: string
  readonly for?: number
  readonly reason?: string
  readonly json: boolean
}

const COMMANDS: readonly (readonly [OperatorRequest['command'], string])[] = [
  ['status', 'Show what may be sent, what is held, and what works.'],
  ['pause', 'Open nothing for a while; what is held may be closed.'],
  [
    'resume',
    'Trade on: lifts pause, reduce, halt, kill, and what protections hold; what was closed stays closed.',
  ],
  ['reduce', 'Open nothing until resumed; what is held may be closed.'],
  ['flatten', 'Cancel entries and close what is held; strategies go on.'],
  ['halt', 'Send nothing until resumed, but what protects a position.'],
  ['kill', 'The kill switch: cancel entries, close what is held, and halt, also after a restart.'],
]

const ONE_INSTRUMENT = 'one instrument, such as BTC/USDT; without it the whole bot'

/** Adds `bot` and its commands to the program. */
export function defineBot(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const { out } = streams
  const bot = program
    .command('bot')
    .description('Command a running bot, and see how it stands.')
    .helpCommand(false)
  for (const [command, description] of COMMANDS) {
    const defined = bot
      .command(command)
      .description(description)
      .argument('[symbol]', command === 'status' ? 'none: a status is of the whole bot' : ONE_INSTRUMENT)
      .option(...CONFIG)
      .option(...JSON_OPTION)
    if (command === 'pause') {
      defined.requiredOption(
        '--for <duration>',
        "how long, by the exchange's clock, such as 30m or 2h (at `speed: 60` an hour is a minute here)",
        durationOption,
      )
    }
    if (command !== 'status') defined.option('--reason <text>', 'why, for the log and for who asks')
    defined.action(async (symbol: string | undefined, { config, for: forMs, reason, json }: Given) => {
      const request = {
        command,
        ...(symbol !== undefined && { symbol }),
        ...(forMs !== undefined && { forMs }),
        ...(reason !== undefined && { reason }),
      }
      const { runBotCommand } = await import('../bot/bot-command.ts')
      onExitCode(await runBotCommand({ config, json, request }, out))
    })
  }
  defineLists(bot, streams)
  defineWindow(bot, out)
}

const LISTS: readonly (readonly [HistoryList, string])[] = [
  ['trades', 'List the latest round trips, from the journal.'],
  ['orders', 'List the latest orders, from the journal.'],
  ['log', 'List the latest lines of the log, from the journal.'],
]

/** Adds the lists of what a bot has done. */
function defineLists(bot: Command, streams: OutputStreams): void {
  for (const [list, description] of LISTS)
    bot
      .command(list)
      .description(description)
      .option(...CONFIG)
      .option('--last <number>', 'how many at most, of all that the journal keeps', wholeNumberOption(1), 50)
      .option(...JSON_OPTION)
      .action(async (given: Pick<Given, 'config' | 'json'> & { readonly last: number }) => {
        const { runHistory } = await import('../bot/history-command.ts')
        await runHistory({ ...given, list }, streams)
      })
}

const CONFIG = [
  '--config <file>',
  'the configuration that the bot was started with',
  'config/paper.yaml',
] as const
const JSON_OPTION = ['--json', 'write one JSON object', false] as const

/** Adds the commands about the window of a bot. */
function defineWindow(bot: Command, out: OutputStreams['out']): void {
  bot
    .command('window')
    .description('Print an address that opens the window of a running bot, once and within a minute.')
    .option(...CONFIG)
    .option('--read', 'let it look only', false)
    .option(...JSON_OPTION)
    .action(async ({ config, read, json }: Pick<Given, 'config' | 'json'> & { readonly read: boolean }) => {
      const { runWindow } = await import('../bot/window-command.ts')
      await runWindow({ config, role: read ? 'read' : 'operate', json }, out)
    })
  bot
    .command('password')
    .description('Print a new password for a window, and its hash for web.passwords.')
    .option(...JSON_OPTION)
    .action(async ({ json }: Pick<Given, 'json'>) => {
      const { runPassword } = await import('../bot/window-command.ts')
      await runPassword({ json }, out)
    })
}
