import { SEVERITIES } from '../../config/notices-field.ts'
import type { BotNotice } from './bot-notice.ts'

/** Least time between the end of a critical condition and its beginning anew, both told, ms. */
const AGAIN_MS = 60_000

/** Standing of a key. */
interface Matter {
  /** ms of the clock; when the latest notice was let pass. */
  sentAt: number
  /** The latest that was let pass. */
  sent: BotNotice
  /** The latest that was not; `undefined` if it would say nothing new. */
  waiting: BotNotice | undefined
  /** Number of those that were not let pass since. */
  more: number
}

/** A key in a record that survives a restart. */
export type KeptMatter = readonly [key: string, sentAt: number, sent: BotNotice]

/** Lets one notice of a key pass in a window of time, and the last word of those that it held back at its end. */
export class NoticeGate {
  readonly #windowMs: number
  readonly #matters = new Map<string, Matter>()

  constructor(windowMs: number, kept: readonly KeptMatter[] = []) {
    this.#windowMs = windowMs
    for (const [key, sentAt, sent] of kept)
      this.#matters.set(key, { sentAt, sent, waiting: undefined, more: 0 })
  }

  /** Takes a notice at a time, ms; returns those to send now. A worse severity and the end of a condition that was sent do not wait, and a critical one that begins anew a minute at most. */
  take(notice: BotNotice, now: number): readonly BotNotice[] {
    const matter = this.#matters.get(notice.key)
    if (matter === undefined) {
      // The end of a condition that nobody has heard of.
      if (notice.state === 'resolved') return []
      this.#matters.set(notice.key, { sentAt: now, sent: notice, waiting: undefined, more: 0 })
      return [notice]
    }
    const { sent } = matter
    if (saysTheSame(notice, sent)) {
      matter.waiting = undefined
      return []
    }
    const ends = notice.state === 'resolved' && sent.state === 'raised'
    if (ends || isWorse(notice, sent) || now - matter.sentAt >= this.#waitOf(notice, sent))
      return [this.#pass(matter, notice, now)]
    matter.more++
    matter.waiting = notice
    return []
  }

  /** Returns what waited for the end of its window. */
  flush(now: number): readonly BotNotice[] {
    const due: BotNotice[] = []
    for (const [key, matter] of this.#matters) {
      const { sent, waiting } = matter
      const wait = waiting === undefined ? this.#windowMs : this.#waitOf(waiting, sent)
      if (now - matter.sentAt < wait) continue
      if (waiting !== undefined) due.push(this.#pass(matter, waiting, now))
      else if (matter.sent.state !== 'raised') this.#matters.delete(key)
    }
    return due
  }

  /** Conditions that were sent, and not their end. */
  get raised(): readonly BotNotice[] {
    return [...this.#matters.values()].map(({ sent }) => sent).filter(({ state }) => state === 'raised')
  }

  /** Everything that a restart should know. */
  get kept(): readonly KeptMatter[] {
    return [...this.#matters].map(([key, { sentAt, sent }]) => [key, sentAt, sent] as const)
  }

  #waitOf({ severity, state }: BotNotice, sent: BotNotice): number {
    const beginsAnew = severity === 'critical' && state === 'raised' && sent.state === 'resolved'
    return beginsAnew ? Math.min(AGAIN_MS, this.#windowMs) : this.#windowMs
  }

  #pass(matter: Matter, notice: BotNotice, now: number): BotNotice {
    const others = matter.waiting === notice ? matter.more - 1 : matter.more
    matter.sentAt = now
    matter.sent = notice
    matter.waiting = undefined
    matter.more = 0
    if (others <= 0) return notice
    const figures = { ...notice.figures, more: String(others) }
    // The sentence of an end names no number of others.
    if (notice.state === 'resolved') return { ...notice, figures }
    return {
      ...notice,
      sentence: `${notice.sentence} (${others} more of this since the last notice.)`,
      figures,
    }
  }
}

/** True if a condition still lasts as it was told, or is still over. */
function saysTheSame(notice: BotNotice, sent: BotNotice): boolean {
  if (notice.state === undefined || notice.state !== sent.state) return false
  return notice.state === 'resolved' || (notice.sentence === sent.sentence && !isWorse(notice, sent))
}

function isWorse(notice: BotNotice, sent: BotNotice): boolean {
  return (
    notice.state !== 'resolved' && SEVERITIES.indexOf(notice.severity) > SEVERITIES.indexOf(sent.severity)
  )
}
