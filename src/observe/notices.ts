import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Bot } from '../bot/bot.ts'
import type { BotObserver } from '../bot/bot-observer.ts'
import type { BotStatus } from '../bot/log/bot-status.ts'
import type { ComparisonUpdate } from '../compare/comparison-messages.ts'
import type { NoticesConfig } from '../config/notices-field.ts'
import type { Clock } from '../domain/clock.ts'
import type { NewEntry } from '../journal/journal.ts'
import type { Channel, DeliveryResult } from './channels/channel.ts'
import { ChannelQueue } from './channels/channel-queue.ts'
import type { Outbox } from './channels/outbox.ts'
import { type BotNotice, botNotice, type GivenNotice, NOTICE_KINDS } from './notices/bot-notice.ts'
import { countNotice, type DayCounts, dailyResult, newDay } from './notices/daily-result.ts'
import { EntryNotices } from './notices/entry-notices.ts'
import { HealthWatch } from './notices/health-watch.ts'
import { isWithinHours, localTime } from './notices/local-time.ts'
import { type KeptMatter, NoticeGate } from './notices/notice-gate.ts'

/** Parts of the notices of a bot. */
export interface NoticesParts {
  readonly config: Pick<NoticesConfig, 'queue' | 'repeatAfterMs' | 'quietHours' | 'timeZone' | 'digestAt'>
  /** Name of the bot. */
  readonly bot: string
  readonly channels: readonly Channel[]
  readonly outbox: Outbox
  /** Real time, ms UTC. */
  readonly clock: Clock
  readonly log: Logger
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string
  /** From 0 up to 1. */
  readonly random?: () => number
}

/** A running bot as notices look at it. */
export type WatchedBot = Pick<Bot, 'operate' | 'health'>

/** The latest comparison of a bot with its backtest. */
export type LatestComparison = () => ComparisonUpdate | undefined

/** Receives the name of a channel, and an outcome of a notice there: that of each attempt, or that it was dropped unsent. */
export type OnNoticeOutcome = (channel: string, outcome: DeliveryResult['type'] | 'dropped') => void

/** Pause between two looks at a bot, ms. */
const LOOK_MS = 5000

/** Age of a look from which on it tells nothing of how the bot is, ms. */
const STALE_LOOK_MS = 4 * LOOK_MS

/** Name under which notices wait for the end of the quiet hours; no channel can have it. */
const QUIET = '(quiet hours)'
/** Sentences that the notice about the quiet hours has at most. */
const MOST_TOLD = 20

/**
 * The notices of a bot: reads what it reports, and delivers what its people should know. Taking a report costs one push; everything
 * else happens after the orders of the moment have left, and no failure of it reaches the bot.
 */
export class Notices {
  /** Of the bot; give it at its creation. */
  readonly observer: BotObserver
  readonly #parts: NoticesParts
  readonly #queues: readonly ChannelQueue[]
  readonly #gate: NoticeGate
  readonly #entries = new EntryNotices()
  readonly #health: HealthWatch
  readonly #pending: NewEntry[] = []
  readonly #failing = new Set<string>()
  #day: DayCounts
  #latest: readonly BotNotice[] = []
  #watched: WatchedBot | undefined
  #comparison: LatestComparison | undefined
  #onOutcome: OnNoticeOutcome = () => {}
  #forgetLook = () => {}
  #lookedAt = Number.NEGATIVE_INFINITY
  #isLooking = false
  #isClosed = false

  constructor(parts: NoticesParts) {
    const { config, outbox, clock } = parts
    this.#parts = parts
    this.#gate = new NoticeGate(config.repeatAfterMs, (outbox.kept('gate') ?? []) as readonly KeptMatter[]) // as `#send` keeps it
    this.#health = new HealthWatch(this.#gate.raised)
    this.#day = (outbox.kept('day') as DayCounts | undefined) ?? newDay(clock.now())
    this.#queues = parts.channels.map(channel => this.#queueOf(channel))
    this.observer = { onEntry: entry => this.#observe(entry) }
  }

  /** Takes a notice of the bot or of what watches it; never throws. */
  take(given: GivenNotice): void {
    this.#guarded(() => this.#take(botNotice(given)))
  }

  /**
   * Sends what waited from an earlier run, and says that the bot trades, or by what it is held back; `state`: what it holds, in
   * sentences; `equity`: of now, from which the first day counts.
   */
  begin(state: string, time: number, equity?: BotStatus['equity'], heldBack: readonly string[] = []): void {
    this.#guarded(() => {
      if (equity !== undefined) this.#day.equity ??= equity
      const { outbox, clock } = this.#parts
      const crashed = outbox.kept('running') !== undefined
      outbox.keep('running', clock.now())
      for (const command of outbox.takeInterrupted())
        this.#take(
          botNotice({
            kind: 'interrupted',
            key: `interrupted ${command}`,
            sentence: `The bot ended while it carried out "${command}", sent by Telegram; it is not repeated. Look at /status, and send it again if it is still wanted.`,
            time,
          }),
        )
      const isHeld = heldBack.length > 0
      const begun = crashed ? 'It had ended without a shutdown, and ' : 'It '
      const trades = isHeld ? 'has started, held back.' : crashed ? 'trades again.' : 'trades.'
      const sentence = [`${begun}${trades}`, ...heldBack, state].join(' ').trim()
      const kind = crashed ? 'restarted' : 'started'
      this.#take(botNotice({ kind, sentence, time, ...(isHeld && { severity: 'warning' }) }))
      for (const queue of this.#queues) queue.deliver()
    })
  }

  /** Tells the outcome of every attempt from now on. */
  countOutcomes(onOutcome: OnNoticeOutcome): void {
    this.#onOutcome = onOutcome
  }

  /** Looks at a bot, and at its comparison with its backtest, from now on. */
  watch(bot: WatchedBot, comparison?: LatestComparison): void {
    this.#watched = bot
    this.#comparison = comparison
    this.#scheduleLook()
  }

  /** Says that the bot has ended; `state`: what is left, in sentences. */
  end(state: string, failure: string | undefined, time: number): void {
    this.#forgetLook()
    this.#watched = undefined
    this.#guarded(() => {
      this.#settle()
      this.#parts.outbox.forget('running')
      this.#take(
        failure === undefined
          ? botNotice({ kind: 'stopped', sentence: `It has ended. ${state}`, time })
          : botNotice({
              kind: 'failed',
              sentence: `It cannot trade on, and has stopped: ${failure} ${state}`,
              time,
            }),
      )
    })
  }

  /** The latest notices, oldest first, whether or not they were sent. */
  get latest(): readonly BotNotice[] {
    return this.#latest
  }

  /** The result of the day so far, in sentences. */
  resultOf(status: BotStatus): string {
    return dailyResult(this.#day, status, Date.parse(status.time)).sentence
  }

  /** True while nothing critical lasts, and the bot answers. */
  get isWell(): boolean {
    const { clock } = this.#parts
    if (this.#watched === undefined || clock.now() - this.#lookedAt > STALE_LOOK_MS) return false
    const lasting = [...this.#gate.raised, ...this.#health.present]
    return lasting.every(
      ({ kind, severity = NOTICE_KINDS[kind].severity }) => severity !== 'critical' || kind === 'trading',
    )
  }

  /** Delivers what waits within a time, ms, and closes the channels; the rest is sent after the next start. */
  async close(ms: number): Promise<void> {
    this.#forgetLook()
    this.#guarded(() => this.#settle())
    await Promise.all(this.#queues.map(queue => queue.drain(ms).catch(error => this.#failed(error))))
    this.#isClosed = true
    await Promise.allSettled(this.#queues.map(queue => queue.close()))
    this.#parts.outbox.close()
  }

  /** Waits two turns, as the log does: the orders of an event are written in the next one. */
  #observe(entry: NewEntry): void {
    this.#pending.push(entry)
    if (this.#pending.length === 1)
      setImmediate(() => setImmediate(() => this.#guarded(() => this.#settle())))
  }

  #settle(): void {
    for (const entry of this.#pending.splice(0)) {
      for (const notice of this.#entries.of(entry)) this.#take(notice)
    }
  }

  #take(notice: BotNotice): void {
    const { redact, clock } = this.#parts
    const clean = {
      ...notice,
      sentence: redact(notice.sentence),
      figures: Object.fromEntries(Object.entries(notice.figures).map(([name, text]) => [name, redact(text)])),
    }
    countNotice(this.#day, clean)
    this.#latest = [...this.#latest, clean].slice(-MOST_TOLD)
    this.#send(this.#gate.take(clean, clock.now()), notice.time)
  }

  /** `time`: of the venue, ms UTC. */
  #send(notices: readonly BotNotice[], time: number): void {
    // Those of the quiet hours go first.
    this.#tellQuietHours(time)
    if (notices.length === 0) return
    const { outbox } = this.#parts
    for (const notice of notices) {
      if (notice.severity !== 'critical' && this.#isQuiet) outbox.add(QUIET, 0, notice)
      else for (const queue of this.#queues) queue.add(notice)
    }
    outbox.keep('gate', this.#gate.kept)
    outbox.keep('day', this.#day)
  }

  get #isQuiet(): boolean {
    const { config, clock } = this.#parts
    const { quietHours, timeZone } = config
    return quietHours !== undefined && isWithinHours(localTime(clock.now(), timeZone).time, quietHours)
  }

  #scheduleLook(): void {
    this.#forgetLook = this.#parts.clock.schedule(LOOK_MS, () => {
      void this.#look()
      this.#scheduleLook()
    })
  }

  async #look(): Promise<void> {
    const bot = this.#watched
    if (bot === undefined || this.#isLooking) return
    this.#isLooking = true
    try {
      const answer = await bot.operate({ command: 'status' })
      if (answer.ok && this.#watched === bot && !this.#isClosed) this.#see(bot, answer.status)
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isLooking = false
    }
  }

  #see({ health }: WatchedBot, status: BotStatus): void {
    const now = this.#parts.clock.now()
    const time = Date.parse(status.time)
    this.#lookedAt = now
    const seen = { status, health, comparison: this.#comparison?.(), now, time }
    for (const notice of this.#health.look(seen)) this.#take(notice)
    this.#send(this.#gate.flush(now), time)
    this.#day.equity ??= status.equity
    this.#tellDay(status, time)
  }

  /** One notice for all that came during the quiet hours. */
  #tellQuietHours(time: number): void {
    const { outbox, config } = this.#parts
    if (config.quietHours === undefined || this.#isQuiet) return
    const held = outbox.all(QUIET)
    if (held.length === 0) return
    const told = held.slice(-MOST_TOLD).map(({ notice }) => `- ${notice.sentence}`)
    const left = held.length - told.length
    const lines = [
      `${held.length === 1 ? '1 notice' : `${held.length} notices`} came during the quiet hours${left === 0 ? '' : `; the last ${told.length} of them`}:`,
      ...told,
    ]
    const isWarning = held.some(({ notice }) => notice.severity === 'warning')
    const figures = { notices: String(held.length) }
    const severity = isWarning ? 'warning' : 'info'
    const notice = botNotice({ kind: 'heldBack', severity, sentence: lines.join('\n'), figures, time })
    for (const queue of this.#queues) queue.add(notice)
    for (const { seq } of held) outbox.remove(seq)
  }

  /** Once a day at the configured time; the first day of a bot begins with its first start. */
  #tellDay(status: BotStatus, time: number): void {
    const { config, clock, outbox } = this.#parts
    if (config.digestAt === undefined) return
    const { day, time: clockTime } = localTime(clock.now(), config.timeZone)
    const told = outbox.kept('digestDay')
    if (told === day || (told !== undefined && clockTime < config.digestAt)) return
    outbox.keep('digestDay', told === undefined && clockTime < config.digestAt ? yesterdayOf(day) : day)
    if (told === undefined) return
    const notice = dailyResult(this.#day, status, time)
    this.#day = newDay(time, status.equity)
    this.#take(notice)
  }

  #queueOf(channel: Channel): ChannelQueue {
    const { outbox, bot, clock, config, random = Math.random } = this.#parts
    return new ChannelQueue({
      ...{ channel, outbox, bot, clock, random },
      most: config.queue,
      idPrefix: senderOf(outbox),
      onError: error => this.#failed(error),
      onDrop: () => this.#onOutcome(channel.name, 'dropped'),
      onResult: ({ type, answer }, { kind }) => {
        this.#onOutcome(channel.name, type)
        const fields = { channel: channel.name, kind, answer: this.#parts.redact(answer) }
        const { log } = this.#parts
        if (type === 'refused') log.warn(fields, 'a notice was refused')
        else if (type === 'failed' && !this.#failing.has(channel.name)) {
          this.#failing.add(channel.name)
          log.warn(fields, 'notices cannot be delivered; it is tried again')
        } else if (type === 'delivered' && this.#failing.delete(channel.name))
          log.info(fields, 'notices are delivered again')
      },
    })
  }

  #guarded(work: () => void): void {
    try {
      if (!this.#isClosed) work()
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    const reason = this.#parts.redact(error instanceof Error ? error.message : String(error))
    this.#parts.log.warn({ reason }, 'the notices failed; the bot trades on')
  }
}

/** Beginning of the ids of a bot's notices, the same after a restart. */
function senderOf(outbox: Outbox): string {
  const kept = outbox.kept('sender')
  if (typeof kept === 'string') return kept
  const made = randomBytes(6).toString('hex')
  outbox.keep('sender', made)
  return made
}

/** The day before one that `localTime` gives. */
function yesterdayOf(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
