import type { Bot } from '../../bot/bot.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'
import type { Clock } from '../../domain/clock.ts'
import { statusInTime } from '../../observe/metrics/status-in-time.ts'
import type { StatusLine } from './status-line.ts'
import { statusLineText } from './status-line-text.ts'

/** Real time between two looks at a bot, ms. */
const LOOK_MS = 1000
/** Real time from a line of the log to a look, ms: the line below must not contradict it for long. */
const LOOK_AFTER_LINE_MS = 100

/** Keeps the line of a terminal up to date with a bot. */
export class BotStatusLine {
  readonly #line: StatusLine
  readonly #bot: Pick<Bot, 'operate'>
  readonly #clock: Clock
  #forgetLook = () => {}
  #isLooking = false
  #isLookNear = false
  #isClosed = false

  /** Looks from now on; `clock` is real time. */
  constructor(line: StatusLine, bot: Pick<Bot, 'operate'>, clock: Clock) {
    this.#line = line
    this.#bot = bot
    this.#clock = clock
    line.watch(() => this.#lookSoon())
    this.#lookOn()
  }

  /** Removes the line. */
  close(): void {
    this.#isClosed = true
    this.#forgetLook()
    this.#line.close()
  }

  #lookOn(): void {
    this.#isLookNear = false
    void this.#look()
    this.#forgetLook = this.#clock.schedule(LOOK_MS, () => this.#lookOn())
  }

  #lookSoon(): void {
    if (this.#isLookNear) return
    this.#isLookNear = true
    this.#forgetLook()
    this.#forgetLook = this.#clock.schedule(LOOK_AFTER_LINE_MS, () => this.#lookOn())
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const status = await statusInTime(this.#bot)
    this.#isLooking = false
    if (this.#isClosed || status === 'ending') return
    if (status === 'silent') this.#line.show(columns => 'THE BOT DOES NOT ANSWER'.slice(0, columns))
    else this.#see(status)
  }

  #see(status: BotStatus): void {
    this.#line.show(columns => statusLineText(status, columns))
  }
}
