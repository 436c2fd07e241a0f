import { randomBytes } from 'node:crypto'

/** `read` may look, `operate` may also command the bot. */
export type WindowRole = 'read' | 'operate'

/** A browser that has logged in. */
export interface WindowSession {
  /** The value of its cookie. */
  readonly id: string
  readonly role: WindowRole
  /** The value of the header that every POST of it has, which another page cannot know. */
  readonly csrf: string
}

interface Held extends WindowSession {
  readonly begunAt: number
  usedAt: number
}

/** Longest time without a request, ms. */
const IDLE_MS = 12 * 3_600_000
/** Longest time after the login, ms. */
const TOTAL_MS = 7 * 24 * 3_600_000
/** Sessions at once; a further login ends the one that was idle longest. */
const MOST_SESSIONS = 50

/** The sessions of a window, in memory: they end with the process. */
export class Sessions {
  readonly #now: () => number
  readonly #held = new Map<string, Held>()

  /** `now` is in ms and never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Begins a session. */
  open(role: WindowRole): WindowSession {
    const now = this.#now()
    const session: Held = { id: secret(), csrf: secret(), role, begunAt: now, usedAt: now }
    if (this.#held.size >= MOST_SESSIONS) this.#endIdlest()
    this.#held.set(session.id, session)
    return session
  }

  /** The session of a cookie, if it has not ended. */
  find(id: string): WindowSession | undefined {
    const session = this.#held.get(id)
    if (session === undefined) return undefined
    const now = this.#now()
    if (now - session.usedAt > IDLE_MS || now - session.begunAt > TOTAL_MS) {
      this.#held.delete(id)
      return undefined
    }
    session.usedAt = now
    return session
  }

  /** True while a session lasts; does not count as use of it. */
  has(id: string): boolean {
    return this.#held.has(id)
  }

  /** Ends a session: its cookie opens nothing any more. */
  close(id: string): void {
    this.#held.delete(id)
  }

  #endIdlest(): void {
    const idlest = [...this.#held.values()].reduce((one, other) => (other.usedAt < one.usedAt ? other : one))
    this.#held.delete(idlest.id)
  }
}

/** 256 random bits as text for cookies and URLs. */
export function secret(): string {
  return randomBytes(32).toString('base64url')
}
