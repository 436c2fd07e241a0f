import { SEVERITIES } from '../../config/notices-field.ts'
import type { Clock } from '../../domain/clock.ts'
import { type BotNotice, botNotice } from '../notices/bot-notice.ts'
import type { Channel, DeliveryResult } from './channel.ts'
import type { Outbox } from './outbox.ts'

/** Parts of a queue. */
export interface ChannelQueueParts {
  readonly channel: Channel
  readonly outbox: Outbox
  /** Name of the bot. */
  readonly bot: string
  readonly clock: Clock
  /** Most notices that may wait. */
  readonly most: number
  /** From 0 up to 1, for jitter. */
  readonly random: () => number
  /** Beginning of the ids of this bot's notices. */
  readonly idPrefix: string
  readonly onResult: (result: DeliveryResult, notice: BotNotice) => void
  /** Told of each notice that is dropped unsent. */
  readonly onDrop: () => void
  /** Receives errors of the outbox. */
  readonly onError: (error: unknown) => void
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000

/** Delivers the notices of a channel one after the other, in their order, until each is taken or refused for ever. */
export class ChannelQueue {
  readonly #parts: ChannelQueueParts
  #isBusy = false
  #isClosed = false
  #failures = 0
  #underWay = -1
  #forgetPause = () => {}
  #isPaused = false
  #onEmpty: () => void = () => {}

  constructor(parts: ChannelQueueParts) {
    this.#parts = parts
  }

  /** Takes a notice that is severe enough for the channel. */
  add(notice: BotNotice): void {
    const { channel, outbox, most } = this.#parts
    const rank = SEVERITIES.indexOf(notice.severity)
    if (rank < SEVERITIES.indexOf(channel.severity)) return
    outbox.add(channel.name, rank, notice)
    while (outbox.count(channel.name) > most && outbox.dropMildest(channel.name, this.#underWay))
      this.#countDrop()
    this.deliver()
  }

  /** Delivers what waits, unless it is at it or pauses after a failure. */
  deliver(): void {
    if (this.#isBusy || this.#isClosed || this.#isPaused) return
    this.#isBusy = true
    void this.#deliverAll()
      .catch(error => {
        if (!this.#isClosed) this.#parts.onError(error)
      })
      .finally(() => {
        this.#isBusy = false
      })
  }

  /** Resolves once nothing waits, or after a time, ms; a pause after a failure ends at once. */
  async drain(ms: number): Promise<void> {
    const { clock, outbox, channel } = this.#parts
    if (outbox.count(channel.name) === 0) return
    let forget = () => {}
    const late = new Promise<void>(resolve => {
      forget = clock.schedule(ms, resolve)
    })
    const empty = new Promise<void>(resolve => {
      this.#onEmpty = resolve
    })
    this.#forgetPause()
    this.#isPaused = false
    this.deliver()
    await Promise.race([empty, late])
    forget()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#forgetPause()
    await this.#parts.channel.close()
  }

  async #deliverAll(): Promise<void> {
    const { channel, outbox, bot, idPrefix, onResult } = this.#parts
    for (let next = outbox.first(channel.name); next !== undefined; next = outbox.first(channel.name)) {
      const { seq, notice } = next
      this.#underWay = seq
      const result = await channel.deliver({ id: `${idPrefix}-${seq}`, bot, notice })
      this.#underWay = -1
      if (this.#isClosed) {
        // The file may be closed; what was confirmed in the last moment may come again.
        return
      }
      onResult(result, notice)
      if (result.type === 'failed') {
        this.#pause(result.afterMs)
        return
      }
      this.#failures = 0
      outbox.remove(seq)
      if (result.type === 'delivered') this.#tellDrops(notice.time)
    }
    this.#onEmpty()
  }

  /** Doubles from a second up to five minutes, ±50%, so that bots do not retry in step. */
  #pause(afterMs = 0): void {
    const { clock, random } = this.#parts
    const doubled = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
    this.#failures = Math.min(this.#failures + 1, 20)
    this.#isPaused = true
    const pause = Math.max(afterMs, Math.round(doubled * (0.5 + random())))
    this.#forgetPause = clock.schedule(pause, () => {
      this.#isPaused = false
      this.deliver()
    })
  }

  get #dropKey(): string {
    return `dropped ${this.#parts.channel.name}`
  }

  #countDrop(): void {
    const { outbox, onDrop } = this.#parts
    outbox.keep(this.#dropKey, Number(outbox.kept(this.#dropKey) ?? 0) + 1)
    onDrop()
  }

  #tellDrops(time: number): void {
    const { outbox, channel, most } = this.#parts
    const dropped = Number(outbox.kept(this.#dropKey) ?? 0)
    if (dropped === 0) return
    outbox.forget(this.#dropKey)
    const sentence = `${dropped} notices for ${channel.name} were dropped, the mildest and oldest: it could not be reached, and more than ${most} waited. The log and "npm run -s bot -- log" have them.`
    outbox.add(
      channel.name,
      SEVERITIES.length,
      botNotice({ kind: 'dropped', sentence, figures: { dropped: `${dropped}` }, time }),
    )
  }
}
