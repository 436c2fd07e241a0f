import type { Logger } from 'pino'
import type { BotObserver } from '../bot/bot-observer.ts'
import type { BotStatus } from '../bot/log/bot-status.ts'
import { heldBackTexts } from '../bot/log/held-back-texts.ts'
import type { NoticeSecrets } from '../config/notice-secrets.ts'
import type { ChannelConfig, NoticesConfig } from '../config/notices-field.ts'
import type { Clock } from '../domain/clock.ts'
import { BotApi } from './channels/bot-api.ts'
import { Outbox } from './channels/outbox.ts'
import { Heartbeat } from './heartbeat.ts'
import type { GivenNotice } from './notices/bot-notice.ts'
import { heldSentence } from './notices/daily-result.ts'
import { type LatestComparison, Notices, type OnNoticeOutcome, type WatchedBot } from './notices.ts'
import { openChannels } from './open-channels.ts'
import { TelegramCommands } from './telegram/telegram-commands.ts'
import type { TelegramBot } from './telegram/telegram-views.ts'

/** Parts of everything that a bot tells its people. */
export interface BotNoticesParts {
  readonly config: NoticesConfig
  /** Name of the bot. */
  readonly bot: string
  readonly log: Logger
  readonly secrets: NoticeSecrets
  /** File of what is not delivered yet; without one a restart forgets it. */
  readonly path: string | undefined
  /** Real time, ms UTC. */
  readonly clock: Clock
  readonly redact: (text: string) => string
}

/** Longest wait of an ending bot for its last notices, ms of real time: its orders are done by then. */
const LAST_NOTICES_MS = 5000

/** Notices and heartbeat of a bot, from its start to its end. */
export class BotNotices {
  readonly #notices: Notices
  readonly #heartbeat: Heartbeat | undefined
  readonly #telegrams: readonly TelegramInlet[]
  #bot: WatchedBot | undefined

  private constructor(
    notices: Notices,
    heartbeat: Heartbeat | undefined,
    outbox: Outbox,
    parts: BotNoticesParts,
  ) {
    this.#notices = notices
    this.#heartbeat = heartbeat
    this.#telegrams = Object.values(parts.config.channels).flatMap(channel =>
      channel.type === 'telegram' && channel.read.length + channel.operate.length > 0
        ? [this.#inletOf(channel, outbox, parts)]
        : [],
    )
  }

  /** Opens the file and the channels; throws the error of SQLite. */
  static open(parts: BotNoticesParts): BotNotices {
    const { config, secrets, path = ':memory:', clock, log } = parts
    const outbox = new Outbox(path)
    const channels = openChannels(config, secrets, () => clock.now())
    const notices = new Notices({ ...parts, channels, outbox })
    const { heartbeat } = config
    const isWell = () => notices.isWell
    const pinging = heartbeat && new Heartbeat({ config: heartbeat, secrets, clock, log, isWell })
    return new BotNotices(notices, pinging, outbox, parts)
  }

  /** Of the bot; give it at its creation. */
  get observer(): BotObserver {
    return this.#notices.observer
  }

  /** Tells the outcome of every attempt to deliver a notice from now on. */
  countOutcomes(onOutcome: OnNoticeOutcome): void {
    this.#notices.countOutcomes(onOutcome)
  }

  /** Takes a notice; never throws. */
  take(notice: GivenNotice): void {
    this.#notices.take(notice)
  }

  /** Says that the bot trades, or what holds it back, and watches it from now on; `time`: ms UTC of the venue. */
  watch(bot: WatchedBot, status: BotStatus | undefined, time: number, comparison?: LatestComparison): void {
    if (status === undefined) this.#notices.begin('', time)
    else this.#notices.begin(heldSentence(status), time, status.equity, heldBackTexts(status))
    this.#notices.watch(bot, comparison)
    this.#heartbeat?.start()
    this.#bot = bot
    for (const { commands } of this.#telegrams) commands.start()
  }

  /** Says that the bot has ended; `leftBehind`: in sentences. */
  end(leftBehind: string, failure: string | undefined, time: number): void {
    this.#bot = undefined
    this.#notices.end(leftBehind, failure, time)
  }

  /** Sends the last notices within five seconds. */
  async close(): Promise<void> {
    for (const { commands } of this.#telegrams) commands.close()
    await Promise.all([this.#heartbeat?.close(), ...this.#telegrams.map(({ api }) => api.close())])
    await this.#notices.close(LAST_NOTICES_MS)
  }

  #inletOf(
    channel: Extract<ChannelConfig, { type: 'telegram' }>,
    outbox: Outbox,
    { secrets, clock, log, redact, path }: BotNoticesParts,
  ): TelegramInlet {
    const api = new BotApi(channel.apiUrl, secrets.valueOf(channel.tokenEnv))
    const commands = new TelegramCommands({
      ...{ config: channel, api, outbox, clock, log, redact },
      after: path === undefined ? clock.now() : 0,
      bot: () => this.#telegramBot(),
      onStranger: user => {
        const sentence = `The Telegram user ${user}, who is not listed in read or operate, sent a command; it was ignored.`
        this.take({ kind: 'stranger', sentence, time: clock.now() })
      },
    })
    return { api, commands }
  }

  #telegramBot(): TelegramBot | undefined {
    const bot = this.#bot
    if (bot === undefined) return undefined
    return {
      operate: (request, origin) => bot.operate(request, origin),
      latest: () => this.#notices.latest,
      result: status => this.#notices.resultOf(status),
    }
  }
}

/** Commands by one Telegram bot. */
interface TelegramInlet {
  readonly api: BotApi
  readonly commands: TelegramCommands
}
