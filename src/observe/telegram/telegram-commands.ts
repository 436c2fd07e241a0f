import type { Logger } from 'pino'
import { closesPositions } from '../../bot/control/operator.ts'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import type { ChannelConfig } from '../../config/notices-field.ts'
import type { Clock } from '../../domain/clock.ts'
import type { BotApi } from '../channels/bot-api.ts'
import type { Outbox } from '../channels/outbox.ts'
import { MOST_OF_TELEGRAM } from '../channels/telegram-channel.ts'
import { cut } from '../channels/webhook-bodies.ts'
import { Confirmations } from './confirmations.ts'
import { type TelegramCommand, telegramCommand } from './telegram-command.ts'
import { type TelegramUpdate, type TelegramUser, updatesSchema } from './telegram-update.ts'
import type { TelegramBot } from './telegram-views.ts'
import { confirmationText, viewText } from './telegram-views.ts'

/** Parts of the commands by Telegram. */
export interface TelegramCommandsParts {
  readonly config: Pick<Extract<ChannelConfig, { type: 'telegram' }>, 'chat' | 'read' | 'operate'>
  readonly api: BotApi
  readonly outbox: Outbox
  /** Real time, ms UTC. */
  readonly clock: Clock
  readonly log: Logger
  readonly redact: (text: string) => string
  /** Time from which on messages are obeyed, ms UTC: where nothing is remembered, that of the start. */
  readonly after: number
  /** Told of a user who is not listed. */
  readonly onStranger: (user: number) => void
  /** `undefined` while the bot is starting or has ended. */
  readonly bot: () => TelegramBot | undefined
}

/** Age from which on a message is not obeyed any more, ms. */
const OLDEST_MS = 60_000
/** Time for which an update is remembered, ms; older ones are too old to be obeyed. */
const REMEMBERED_MS = 3_600_000
/** Time for which the server holds a question for updates, s. */
const LONG_POLL_S = 25
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/**
 * Obeys the listed users of a Telegram bot. An update is on the disk before it is acted upon, so that none is carried out twice, not even
 * after a SIGKILL.
 */
export class TelegramCommands {
  readonly #parts: TelegramCommandsParts
  readonly #confirmations = new Confirmations()
  #username: string | undefined
  #offset = 0
  #failures = 0
  #isClosed = false
  #forgetPause = () => {}

  constructor(parts: TelegramCommandsParts) {
    this.#parts = parts
  }

  /** Reads updates from now on. */
  start(): void {
    void this.#readOn()
  }

  /** Calls under way end with those of the channel. */
  close(): void {
    this.#isClosed = true
    this.#forgetPause()
  }

  async #readOn(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#read()
        this.#failures = 0
      } catch (error) {
        if (this.#isClosed) return
        await this.#pause(error)
      }
    }
  }

  async #read(): Promise<void> {
    const { api, outbox, clock } = this.#parts
    if (this.#username === undefined) this.#username = usernameOf(await this.#call('getMe', {}))
    const asked = {
      offset: this.#offset,
      timeout: LONG_POLL_S,
      allowed_updates: ['message', 'callback_query'],
    }
    const answer = await api.call('getUpdates', asked, (LONG_POLL_S + 10) * 1000)
    if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${answer.description}`)
    outbox.forgetUpdates(clock.now() - REMEMBERED_MS)
    for (const update of updatesSchema.parse(answer.result)) {
      this.#offset = update.update_id + 1
      if (this.#isClosed) return
      await this.#take(update)
    }
  }

  async #pause(error: unknown): Promise<void> {
    const { clock, log, redact } = this.#parts
    if (this.#failures === 0) {
      const reason = redact(error instanceof Error ? error.message : String(error))
      log.warn({ reason }, 'commands by Telegram cannot be read; it is tried again')
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
    this.#failures = Math.min(this.#failures + 1, 10)
    await new Promise<void>(resolve => {
      this.#forgetPause = clock.schedule(pause, resolve)
    })
  }

  async #take(update: TelegramUpdate): Promise<void> {
    const { outbox, clock } = this.#parts
    const text = update.message?.text ?? update.callback_query?.data ?? ''
    if (!outbox.noteUpdate(update.update_id, clock.now(), cut(text, 200))) return
    try {
      if (update.callback_query !== undefined) await this.#confirm(update.callback_query)
      else if (update.message !== undefined) await this.#hear(update.message)
    } finally {
      if (!this.#isClosed) outbox.endUpdate(update.update_id)
    }
  }

  async #hear({
    from,
    sender_chat,
    chat,
    date,
    text,
  }: NonNullable<TelegramUpdate['message']>): Promise<void> {
    const command = text === undefined ? undefined : telegramCommand(text, this.#username)
    if (command === undefined || sender_chat !== undefined || from === undefined) return
    if (!this.#mayRead(from.id)) {
      this.#parts.onStranger(from.id)
      return
    }
    // In another group its answers would be read by others.
    if (chat.type !== 'private' && chat.id !== this.#parts.config.chat) return
    const age = this.#parts.clock.now() - date * 1000
    if (age > OLDEST_MS || date * 1000 < this.#parts.after) {
      await this.#say(
        chat.id,
        `That message is ${Math.round(age / 1000)} s old by the clock of this machine, and is not obeyed. Send it again if it is still wanted.`,
      )
      return
    }
    await this.#obey(command, from, chat.id)
  }

  async #obey(command: TelegramCommand, user: TelegramUser, chat: number): Promise<void> {
    if (command.type === 'wrong') return this.#say(chat, command.problem)
    const bot = this.#parts.bot()
    if (bot === undefined) return this.#say(chat, 'The bot is starting or ends.')
    if (command.type === 'read') return this.#say(chat, await viewText(command.view, bot))
    if (!this.#parts.config.operate.includes(user.id))
      return this.#say(chat, 'You may look, but not command this bot.')
    const { request } = command
    if (!closesPositions(request) && request.command !== 'resume') return this.#carryOut(request, user, chat)
    const code = this.#confirmations.ask(request, user.id, chat, this.#parts.clock.now())
    await this.#say(chat, await confirmationText(request, bot), {
      inline_keyboard: [
        [
          { text: `Yes, ${request.command}`, callback_data: `yes ${code}` },
          { text: 'No', callback_data: `no ${code}` },
        ],
      ],
    })
  }

  async #confirm({
    id,
    from,
    data = '',
    message,
  }: NonNullable<TelegramUpdate['callback_query']>): Promise<void> {
    const [answer = '', code = ''] = data.split(' ')
    const chat = message?.chat.id
    if (chat === undefined || !this.#parts.config.operate.includes(from.id)) return
    const request = this.#confirmations.take(code, from.id, chat, this.#parts.clock.now())
    // It stops the waiting sign of the button; nothing depends on it.
    await this.#call('answerCallbackQuery', { callback_query_id: id }).catch(() => {})
    if (request === undefined)
      return this.#say(
        chat,
        'That confirmation is over: it was used, or came later than a minute. Send the command again.',
      )
    if (answer !== 'yes') return this.#say(chat, `Not done: ${request.command}.`)
    await this.#carryOut(request, from, chat)
  }

  async #carryOut(request: OperatorRequest, user: TelegramUser, chat: number): Promise<void> {
    const who = `${(user.username ?? user.first_name ?? 'user').slice(0, 60)} (${user.id})`
    const answer = await this.#parts.bot()?.operate(request, { from: 'telegram', who })
    await this.#say(chat, answer?.message ?? 'The bot ends.')
  }

  #mayRead(user: number): boolean {
    const { read, operate } = this.#parts.config
    return read.includes(user) || operate.includes(user)
  }

  /** An answer that is lost stays lost: what was commanded is told by a notice as well. */
  async #say(chat: number, text: string, keyboard?: object): Promise<void> {
    const { redact, log } = this.#parts
    const message = {
      chat_id: chat,
      text: cut(redact(text), MOST_OF_TELEGRAM),
      link_preview_options: { is_disabled: true },
    }
    try {
      await this.#call('sendMessage', {
        ...message,
        ...(keyboard !== undefined && { reply_markup: keyboard }),
      })
    } catch (error) {
      const reason = redact(error instanceof Error ? error.message : String(error))
      log.warn({ reason }, 'an answer to Telegram was lost')
    }
  }

  async #call(method: string, parameters: object): Promise<unknown> {
    const answer = await this.#parts.api.call(method, parameters)
    if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${answer.description}`)
    return answer.result
  }
}

function usernameOf(me: unknown): string {
  return typeof me === 'object' && me !== null && 'username' in me ? String(me.username) : ''
}
