import { type Command, Option } from 'commander'
import { createAcceleratedClock } from '../../bot/clock/accelerated-clock.ts'
import { VirtualClock } from '../../bot/clock/virtual-clock.ts'
import type { Clock } from '../../domain/clock.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import { DIALECT_NAMES, type DialectName } from '../../simulator/dialects/dialects.ts'
import type { ExchangeHost } from '../../simulator/protocol/exchange-host.ts'
import { type ExchangeServer, startExchangeServer } from '../../simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, simulatorConfigOf } from '../../simulator/simulator-config.ts'
import { onStopSignal } from '../bot/stop-signal.ts'
import { positiveNumberOption, timeOption, wholeNumberOption } from '../option-values.ts'
import type { CommandOutput, OnExitCode, OutputStreams } from '../streams.ts'
import { readExchangeInput } from './exchange-input.ts'

/** Options of the exchange command. */
export interface ExchangeCommandOptions {
  /** TCP port; 0 takes any free one. */
  readonly port: number
  /** Separate port of the futures host; by default one port serves both hosts. */
  readonly futuresPort?: number
  readonly host: string
  /** Print one line of JSON instead of text for people. */
  readonly json: boolean
  /** Exchange time per real time; 1 is real time. */
  readonly speed: number
  /** Keep time constant until POST /sim/time moves it; `speed` then has no effect. */
  readonly manualTime: boolean
  /** Initial exchange time, ms UTC; default: the time of the machine. */
  readonly start?: number
  /** Replaces the seed of the configuration. */
  readonly seed?: number
  /** Name of the real host that it answers like, instead of the one in the configuration. */
  readonly profile?: DialectName
  /** Path of a YAML file with the configuration of the exchange. */
  readonly config?: string
}

/** Serves a simulated exchange until SIGINT, SIGTERM or SIGHUP, then resolves to exit code 0; rejects with `UsageError`. */
export async function runExchange(options: ExchangeCommandOptions, out: CommandOutput): Promise<number> {
  const input = await readConfig(options)
  const { accounts, admin, dialect } = simulatorConfigOf(input)
  const { host, port, futuresPort } = options
  const exchange = createSimulatedExchange(input)
  const server = await startExchangeServer({
    ...{ exchange, host, port, futuresPort, admin },
    ...timeOf(options),
  })
  const stopped = new Promise<string>(resolve => onStopSignal(resolve))
  const announced = { server, dialect, onlyHost: exchange.dialect.onlyHost }
  out.write(options.json ? jsonAnnouncement(announced, accounts) : announcement(announced, accounts))
  await stopped
  await server.close()
  return 0
}

/** Key and secret with which a bot signs calls for an account. */
interface Keys {
  readonly apiKey: string
  readonly apiSecret: string
}

interface Announced {
  readonly server: ExchangeServer
  readonly dialect: DialectName
  /** The only host that is known of the dialect. */
  readonly onlyHost: ExchangeHost | undefined
}

function jsonAnnouncement({ server, dialect }: Announced, accounts: readonly Keys[]): string {
  const { spotUrl, futuresUrl } = server
  const keys = accounts.map(keysOf)
  const profile = dialect === 'document' ? {} : { profile: dialect }
  return `${JSON.stringify({ spotUrl, futuresUrl, ...profile, ...keys[0], accounts: keys })}\n`
}

function announcement({ server, dialect, onlyHost }: Announced, accounts: readonly Keys[]): string {
  const name = dialect === 'document' ? '' : ` and answers like ${dialect}`
  const urlOf = (host: ExchangeHost, url: string) =>
    onlyHost === undefined || onlyHost === host ? url : `none is known of ${dialect}`
  return [
    `The simulated exchange is open${name}; stop it with Ctrl-C.`,
    `  spot URL     ${urlOf('spot', server.spotUrl)}`,
    `  futures URL  ${urlOf('futures', server.futuresUrl)}`,
    ...accounts
      .map(keysOf)
      .flatMap(({ apiKey, apiSecret }, index) => [
        ...(accounts.length === 1 ? [] : [`  account ${index + 1}`]),
        `  API key      ${apiKey}`,
        `  API secret   ${apiSecret}`,
      ]),
    '',
  ].join('\n')
}

function keysOf({ apiKey, apiSecret }: Keys): Keys {
  return { apiKey, apiSecret }
}

function timeOf({ manualTime, speed, start }: ExchangeCommandOptions) {
  if (!manualTime) return { clock: clockOf(speed, start) }
  const clock = new VirtualClock(start ?? createSystemClock().now())
  return { clock, moveClock: (to: number) => clock.advanceTo(to) }
}

/**
 * A fast clock starts at the machine's time, unless another start is given, such as that of recorded markets.
 */
function clockOf(speed: number, start: number | undefined): Clock {
  const systemClock = createSystemClock()
  if (speed === 1 && start === undefined) return systemClock
  return createAcceleratedClock({ speed, startAt: start ?? systemClock.now() })
}

async function readConfig({ config, seed, profile }: ExchangeCommandOptions): Promise<SimulatorConfigInput> {
  return {
    ...(config !== undefined && (await readExchangeInput(config))),
    ...(seed !== undefined && { seed }),
    ...(profile !== undefined && { dialect: profile }),
  }
}

/** Adds `exchange` to the program. */
export function defineExchange(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('exchange')
    .description('Serve a simulated exchange on this machine.')
    .option('--port <number>', 'TCP port; 0 takes any free one', wholeNumberOption(0, 65_535), 0)
    .option(
      '--futures-port <number>',
      'TCP port of the futures host alone; without it, one port is both hosts',
      wholeNumberOption(0, 65_535),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--speed <factor>',
      "exchange time per real time; 1 is the machine's time",
      positiveNumberOption,
      1,
    )
    .option(
      '--start <time>',
      "what time it is there at first, such as 2024-08-08; otherwise the machine's time",
      timeOption,
    )
    .option('--manual-time', 'let time stand still until POST /sim/time moves it', false)
    .option(
      '--seed <number>',
      'seed of all that is random, instead of the one in the configuration',
      wholeNumberOption(0),
    )
    .addOption(
      new Option(
        '--profile <name>',
        'answer like a real host instead of like the interface document',
      ).choices(DIALECT_NAMES),
    )
    .option('--config <file>', 'configuration of the exchange')
    .option('--json', 'write URLs and keys as one line of JSON', false)
    .action(async (options: ExchangeCommandOptions) => {
      onExitCode(await runExchange(options, out))
    })
}
