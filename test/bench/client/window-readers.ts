import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Bot } from '../../../src/bot/bot.ts'
import type { BotObserver } from '../../../src/bot/bot-observer.ts'
import { webField } from '../../../src/config/web-field.ts'
import { startWebServer, type WebServer } from '../../../src/web/server/web-server.ts'
import { LiveWindow } from '../../../src/web/sources/live-window.ts'

/** Who looks at the window of a bot: nobody, one page, or 50 readers of whom half never read what they are sent. */
export const AUDIENCES = {
  none: { readers: 0, dead: 0 },
  page: { readers: 1, dead: 0 },
  crowd: { readers: 50, dead: 25 },
} as const

export type Audience = keyof typeof AUDIENCES

/** Readers that log in at once: fewer than the links that may wait. */
const AT_ONCE = 10

/** A bot's window in its own process, as it always is, and its readers in another one. */
export class WindowReaders {
  readonly #window: LiveWindow
  readonly #server: WebServer
  readonly #process = fork(fileURLToPath(import.meta.resolve('./reader-process.ts')))
  readonly #errors: unknown[]

  private constructor(window: LiveWindow, server: WebServer, errors: unknown[]) {
    this.#window = window
    this.#server = server
    this.#errors = errors
  }

  static async open(serverNow: () => number): Promise<WindowReaders> {
    const errors: unknown[] = []
    const server = await startWebServer({
      ...webField.parse({}),
      onError: error => errors.push(error),
      streams: { mostStreams: 50 },
    })
    return new WindowReaders(new LiveWindow({ bot: 'latency', serverNow }), server, errors)
  }

  /** Of the bot. */
  get observer(): BotObserver {
    return this.#window.observer
  }

  show(bot: Bot): void {
    this.#window.show(bot)
    this.#server.serve(this.#window)
  }

  /** Changes who looks; resolves once all are there. */
  async let(audience: Audience): Promise<void> {
    const { readers, dead } = AUDIENCES[audience]
    await this.#tell({ links: [], dead: 0, isFirst: true })
    for (let from = 0; from < readers; from += AT_ONCE) {
      const length = Math.min(AT_ONCE, readers - from)
      const links = Array.from({ length }, () => this.#server.loginUrl('read'))
      await this.#tell({ links, dead: Math.max(0, Math.min(length, dead - from)), isFirst: false })
    }
  }

  async #tell(message: object): Promise<void> {
    this.#process.send(message)
    await once(this.#process, 'message')
  }

  /** Throws what the window failed at. */
  async close(): Promise<void> {
    this.#process.kill()
    await this.#server.close()
    if (this.#errors.length > 0) throw this.#errors[0]
  }
}
