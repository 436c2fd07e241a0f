import { secret, type WindowRole } from './sessions.ts'

/** Time for which a link may be opened, ms. */
const LINK_LASTS_MS = 60_000
/** Links that wait to be opened; a further one replaces the oldest. */
const MOST_LINKS = 20

/** Tokens of links that log in once. */
export class LoginLinks {
  readonly #now: () => number
  readonly #waiting = new Map<string, { readonly role: WindowRole; readonly until: number }>()

  /** `now` is in ms and never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** A new token. */
  make(role: WindowRole): string {
    const oldest = this.#waiting.keys().next().value
    if (this.#waiting.size >= MOST_LINKS && oldest !== undefined) this.#waiting.delete(oldest)
    const token = secret()
    this.#waiting.set(token, { role, until: this.#now() + LINK_LASTS_MS })
    return token
  }

  /** The role that a token gives, which it gives once; `undefined` for one that is unknown, used or too old. */
  take(token: string): WindowRole | undefined {
    const link = this.#waiting.get(token)
    this.#waiting.delete(token)
    return link === undefined || this.#now() > link.until ? undefined : link.role
  }
}
