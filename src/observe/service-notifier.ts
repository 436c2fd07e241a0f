import { spawn } from 'node:child_process'
import type { Logger } from 'pino'
import type { Bot } from '../bot/bot.ts'
import type { Clock } from '../domain/clock.ts'
import { statusInTime } from './metrics/status-in-time.ts'

/** Environment variables that systemd gives a service of `Type=notify` (sd_notify(3), sd_watchdog_enabled(3)). */
type ServiceEnvironment = Record<string, string | undefined>

/** Parts of the notifications to systemd. */
export interface ServiceNotifierParts {
  /** Real time. */
  readonly clock: Clock
  readonly log: Logger
  /** Sends one assignment, such as `READY=1`; default: by the program systemd-notify. */
  readonly send?: (assignment: string) => Promise<void>
}

/** Looks at a bot within the time in which systemd wants to hear of it: one may fail and the next is still in time. */
const LOOKS_IN_TIME = 3

/**
 * Tells systemd that a bot trades, that it still answers, and that it ends. A bot that hangs is silent, and systemd starts it
 * again. Node has no datagrams over Unix sockets, so the program systemd-notify sends them, with nothing else in its environment.
 */
export class ServiceNotifier {
  readonly #parts: ServiceNotifierParts
  readonly #send: (assignment: string) => Promise<void>
  /** Time between two looks, ms; `undefined` without a watchdog. */
  readonly #everyMs: number | undefined
  #forgetLook = () => {}
  #hasFailed = false

  private constructor(
    socket: string,
    everyMs: number | undefined,
    path: string,
    parts: ServiceNotifierParts,
  ) {
    this.#parts = parts
    this.#everyMs = everyMs
    this.#send = parts.send ?? (assignment => runNotify(assignment, { NOTIFY_SOCKET: socket, PATH: path }))
  }

  /** `undefined` where no service manager waits; takes its variables out of the environment. */
  static open(environment: ServiceEnvironment, parts: ServiceNotifierParts): ServiceNotifier | undefined {
    const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: usec, PATH: path = '' } = environment
    delete environment.NOTIFY_SOCKET
    delete environment.WATCHDOG_USEC
    if (socket === undefined || socket === '') return undefined
    const everyMs = usec === undefined ? undefined : Number(usec) / 1000 / LOOKS_IN_TIME
    return new ServiceNotifier(socket, everyMs, path, parts)
  }

  /** Says that a bot trades, and from now on, as often as the watchdog wants, that it answers. */
  watch(bot: Pick<Bot, 'operate'>): void {
    void this.#tell('READY=1')
    this.#scheduleLook(bot)
  }

  /** Says that the bot is shutting down; systemd now waits as long as its `TimeoutStopSec`. */
  stopping(): void {
    void this.#tell('STOPPING=1')
  }

  close(): void {
    this.#forgetLook()
  }

  #scheduleLook(bot: Pick<Bot, 'operate'>): void {
    if (this.#everyMs === undefined) return
    this.#forgetLook = this.#parts.clock.schedule(this.#everyMs, () => {
      void this.#look(bot)
      this.#scheduleLook(bot)
    })
  }

  async #look(bot: Pick<Bot, 'operate'>): Promise<void> {
    if ((await statusInTime(bot)) !== 'silent') await this.#tell('WATCHDOG=1')
  }

  async #tell(assignment: string): Promise<void> {
    try {
      await this.#send(assignment)
    } catch (error) {
      if (this.#hasFailed) return
      this.#hasFailed = true
      const why = error instanceof Error ? error.message : String(error)
      this.#parts.log.warn({ why }, 'systemd cannot be told how the bot is')
    }
  }
}

function runNotify(assignment: string, env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('systemd-notify', [assignment], { env, stdio: 'ignore', timeout: 10_000 })
    child.once('error', reject)
    child.once('exit', code => {
      if (code === 0) resolve()
      else reject(new Error(`systemd-notify ${assignment} ended with ${code ?? 'a signal'}.`))
    })
  })
}
