import type { Logger } from 'pino'
import type { NoticeSecrets } from '../config/notice-secrets.ts'
import type { HeartbeatConfig } from '../config/notices-field.ts'
import type { Clock } from '../domain/clock.ts'
import type { DeliveryResult } from './channels/channel.ts'
import { deliveryOf, failureOf, HttpPost } from './channels/http-post.ts'

/** Parts of a dead man's switch. */
export interface HeartbeatParts {
  readonly config: HeartbeatConfig
  readonly secrets: NoticeSecrets
  readonly clock: Clock
  readonly log: Logger
  readonly isWell: () => boolean
}

/** Pings an address while the bot is well, so that a service that hears nothing raises the alarm. */
export class Heartbeat {
  readonly #parts: HeartbeatParts
  readonly #http = new HttpPost()
  #forget = () => {}
  #isPinging = false
  #isFailing = false

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
  }

  /** Pings from now on. */
  start(): void {
    this.#forget = this.#parts.clock.schedule(this.#parts.config.everyMs, () => {
      void this.#beat()
      this.start()
    })
  }

  /** Pings once, as a bot that is well or not; never rejects. */
  async ping(isWell: boolean): Promise<DeliveryResult> {
    const { config, secrets } = this.#parts
    const url = new URL(config.url ?? secrets.valueOf(config.urlEnv))
    if (!isWell) url.pathname = `${url.pathname.replace(/\/$/, '')}/fail`
    try {
      return deliveryOf(await this.#http.post(url.href, {}, ''))
    } catch (error) {
      return failureOf(error)
    }
  }

  async close(): Promise<void> {
    this.#forget()
    await this.#http.close()
  }

  async #beat(): Promise<void> {
    const { config, isWell, log, secrets } = this.#parts
    const isNow = isWell()
    // One that hangs is not followed by others.
    if (this.#isPinging || (!isNow && config.whenUnwell === 'silence')) return
    this.#isPinging = true
    const { type, answer } = await this.ping(isNow)
    this.#isPinging = false
    if (type === 'delivered') this.#isFailing = false
    else if (!this.#isFailing) {
      this.#isFailing = true
      log.warn({ answer: secrets.redact(answer) }, 'the heartbeat is not answered')
    }
  }
}
