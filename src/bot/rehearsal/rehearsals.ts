import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import { closeTimeOf, type Interval, openTimeOf } from '../../domain/interval.ts'
import { isCalm } from '../calm-moments.ts'
import type { Accounts } from '../config/account-fields.ts'
import { RehearsedBot } from './rehearsed-bot.ts'

/** Before what a bot rehearses, and with what. */
export interface RehearsalsOptions {
  /** Those that the bot trades on. */
  readonly accounts: Accounts
  /** Whose closes it decides at. */
  readonly intervals: readonly Interval[]
  /** How long after a close its kline is asked for, ms. */
  readonly klineDelayMs: number
  /** Shows the exchange's time, and runs as fast as real time. */
  readonly clock: Clock
  readonly log: Pick<Logger, 'debug' | 'warn'>
  /** Makes what is played with; default: a small bot. */
  readonly create?: (accounts: Accounts) => Promise<Rehearsed>
}

/** What can be played with. */
type Rehearsed = Pick<RehearsedBot, 'comeToClose' | 'playClose'>

/** So long before the call everything is made ready for it, and so long before it begins at the earliest, ms. */
const [READY_MS, EARLIEST_MS] = [2000, 1000]
/** Of what it took in earlier rounds, so much counts after each further one. */
const FADING = 0.9
/** So often it is played at first, with such pauses (ms), until its code is compiled as well as it gets. */
const [FIRST_ROUNDS, BETWEEN_FIRST_MS] = [500, 5]
/** A bot remembers a little of every round, so another takes its place. */
const ROUNDS_OF_A_BOT = 500

/**
 * Plays through what a bot does at a close, right before it does so: with a small bot of its own, at an exchange of its own.
 * Code and data that were not used for a while have left the caches of the processor, and in hours without a trade even its
 * compiled form is thrown away; an order would wait for all of that. Nothing of it reaches the bot or its exchange, and what
 * goes wrong with it ends it with a warning.
 */
export class Rehearsals {
  readonly #options: RehearsalsOptions
  #bot: Rehearsed | undefined
  #rounds = 0
  /** How long it takes at most, by the latest rounds, ms. */
  #usualMs = 0
  #isOver = false
  #cancelWait: () => void = () => {}

  constructor(options: RehearsalsOptions) {
    this.#options = options
  }

  /** Rehearses from now on. */
  begin(): void {
    const { log } = this.#options
    this.#run().catch((error: unknown) => {
      this.end()
      log.warn({ err: error }, 'orders are not rehearsed any more, so that they may leave some ms later')
    })
  }

  /** Begins no further round. */
  end(): void {
    this.#isOver = true
    this.#cancelWait()
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    for (let round = 0; round < FIRST_ROUNDS; ) {
      await this.#until(clock.now() + BETWEEN_FIRST_MS)
      if (!isCalm(clock.now())) continue
      round++
      await this.#play(await this.#ready())
    }
    for (;;) {
      const callAt = this.#nextCallAfter(clock.now() + READY_MS)
      await this.#until(callAt - READY_MS)
      const bot = await this.#ready()
      await this.#until(callAt - this.#aheadMs())
      // Whoever is late would hold up what it is for.
      if (clock.now() + this.#usualMs < callAt) await this.#play(bot)
    }
  }

  async #play(bot: Rehearsed): Promise<void> {
    const { clock, log } = this.#options
    const startedAt = clock.now()
    await bot.playClose()
    const tookMs = clock.now() - startedAt
    this.#usualMs = Math.max(Math.min(tookMs, EARLIEST_MS), this.#usualMs * FADING)
    log.debug({ tookMs }, 'rehearsed a close')
  }

  /** So long before the call it begins, ms: early enough to be over by then, also where it takes twice as long. */
  #aheadMs(): number {
    return Math.min(2 + Math.ceil(2 * this.#usualMs), EARLIEST_MS)
  }

  /** A bot that stands right before a close. */
  async #ready(): Promise<Rehearsed> {
    const { create = RehearsedBot.create, accounts } = this.#options
    if (this.#bot === undefined || this.#rounds % ROUNDS_OF_A_BOT === 0) this.#bot = await create(accounts)
    this.#rounds++
    await this.#bot.comeToClose()
    return this.#bot
  }

  /** The first call for a kline after a time, ms. */
  #nextCallAfter(time: number): number {
    const { intervals, klineDelayMs } = this.#options
    const closes = intervals.map(interval => closeTimeOf(openTimeOf(time - klineDelayMs, interval), interval))
    return Math.min(...closes) + klineDelayMs
  }

  /** Waits until a time, ms; for ever once it is over. */
  #until(time: number): Promise<void> {
    const { clock } = this.#options
    return new Promise(resolve => {
      if (!this.#isOver) this.#cancelWait = clock.schedule(Math.max(0, time - clock.now()), resolve)
    })
  }
}
