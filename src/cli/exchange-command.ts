import { createAcceleratedClock } from '../bot/accelerated-clock.ts'
import { createSystemClock } from '../bot/system-clock.ts'
import { VirtualClock } from '../bot/virtual-clock.ts'
import type { Clock } from '../domain/clock.ts'
import { startExchangeServer } from '../simulator/exchange-server.ts'
import { createSimulatedExchange } from '../simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, simulatorConfigOf, TEST_ACCOUNT } from '../simulator/simulator-config.ts'
import { readExchangeInput } from './exchange-input.ts'
import { onStopSignal } from './stop-signal.ts'

/** Options of the exchange command. */
export interface ExchangeCommandOptions {
  /** 0 is any free port. */
  readonly port: number
  readonly host: string
  /** Print one line of JSON instead of text for people. */
  readonly json: boolean
  /** Exchange time per real time; 1 is the time of the machine. */
  readonly speed: number
  /** Let time stand still until POST /sim/time moves it; `speed` is of no use then. */
  readonly manualTime: boolean
  /** Replaces the seed of the configuration. */
  readonly seed?: number
  /** Path of a YAML file with the configuration of the exchange. */
  readonly config?: string
}

/** Where a command writes. */
export interface CommandOutput {
  write(text: string): void
}

/** Serves a simulated exchange until SIGINT or SIGTERM, then resolves to exit code 0; rejects with `UsageError`. */
export async function runExchange(options: ExchangeCommandOptions, out: CommandOutput): Promise<number> {
  const input = readConfig(options)
  const { accounts, admin } = simulatorConfigOf(input)
  const { host, port } = options
  const exchange = createSimulatedExchange(input)
  const server = await startExchangeServer({ exchange, host, port, admin, ...timeOf(options) })
  const stopped = new Promise<string>(resolve => onStopSignal(resolve))
  out.write(announcement(server.url, accounts[0] ?? TEST_ACCOUNT, options.json))
  await stopped
  await server.close()
  return 0
}

function announcement(url: string, account: { apiKey: string; apiSecret: string }, json: boolean): string {
  const { apiKey, apiSecret } = account
  if (json) return `${JSON.stringify({ spotUrl: url, futuresUrl: url, apiKey, apiSecret })}\n`
  return [
    'The simulated exchange is open; stop it with Ctrl-C.',
    `  spot URL     ${url}`,
    `  futures URL  ${url}`,
    `  API key      ${apiKey}`,
    `  API secret   ${apiSecret}`,
    '',
  ].join('\n')
}

function timeOf({ manualTime, speed }: ExchangeCommandOptions) {
  if (!manualTime) return { clock: clockOf(speed) }
  const clock = new VirtualClock(createSystemClock().now())
  return { clock, moveClock: (to: number) => clock.advanceTo(to) }
}

/** A fast clock starts at the machine's time, so that what it shows is not in the past. */
function clockOf(speed: number): Clock {
  const systemClock = createSystemClock()
  return speed === 1 ? systemClock : createAcceleratedClock({ speed, startAt: systemClock.now() })
}

function readConfig({ config, seed }: ExchangeCommandOptions): SimulatorConfigInput {
  return { ...(config !== undefined && readExchangeInput(config)), ...(seed !== undefined && { seed }) }
}
