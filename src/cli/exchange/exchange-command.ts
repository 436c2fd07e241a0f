import { createAcceleratedClock } from '../../bot/clock/accelerated-clock.ts'
import { VirtualClock } from '../../bot/clock/virtual-clock.ts'
import type { Clock } from '../../domain/clock.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { DialectName } from '../../simulator/dialects/dialects.ts'
import type { ExchangeHost } from '../../simulator/protocol/exchange-host.ts'
import { type ExchangeServer, startExchangeServer } from '../../simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, simulatorConfigOf } from '../../simulator/simulator-config.ts'
import { onStopSignal } from '../bot/stop-signal.ts'
import type { CommandOutput } from '../streams.ts'
import { readExchangeInput } from './exchange-input.ts'

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
