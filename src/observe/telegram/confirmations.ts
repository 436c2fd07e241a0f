import { randomBytes } from 'node:crypto'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'

/** Longest wait of a command for its confirmation, ms. */
const CONFIRM_WITHIN_MS = 60_000

/** A command that waits for its confirmation. */
interface Waiting {
  readonly request: OperatorRequest
  readonly user: number
  readonly chat: number
  readonly until: number
}

/** Commands that are carried out only once their sender has confirmed them; each once, within a minute, and never after a restart. */
export class Confirmations {
  readonly #waiting = new Map<string, Waiting>()

  /** Returns the code by which the sender confirms; `now` is ms of a clock that never goes back. */
  ask(request: OperatorRequest, user: number, chat: number, now: number): string {
    for (const [code, { until }] of this.#waiting) if (until <= now) this.#waiting.delete(code)
    const code = randomBytes(12).toString('base64url')
    this.#waiting.set(code, { request, user, chat, until: now + CONFIRM_WITHIN_MS })
    return code
  }

  /** Takes the command of a code, if this user may confirm it there and now; a code of somebody else stays. */
  take(code: string, user: number, chat: number, now: number): OperatorRequest | undefined {
    const found = this.#waiting.get(code)
    if (found === undefined || found.user !== user || found.chat !== chat) return undefined
    this.#waiting.delete(code)
    return now < found.until ? found.request : undefined
  }
}
