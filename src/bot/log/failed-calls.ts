import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'

/** Interval of telling how often a call has failed meanwhile, ms. */
const TOLD_EVERY_MS = 60_000
/** Time without a further failure after which a trouble counts as over, ms: longer than any pause between tries. */
const OVER_AFTER_MS = 120_000
/** Further reasons of one call are only counted. */
const MOST_REASONS = 20

interface FailedCall {
  /** First failure, UTC. */
  readonly since: string
  readonly reasons: Set<string>
  /** Latest failure, ms of the clock, and UTC. */
  at: number
  latest: string
  reason: string
  times: number
  /** Failures that were told, one by one or as a number, and when last, ms of the clock. */
  told: number
  toldAt: number
}

/**
 * Logs failed calls to the exchange: each reason once, then every minute how often and when last it has failed, and once it
 * has failed no more for a while: it may have been sent no more, so that this does not say that it works.
 */
export class FailedCalls {
  readonly #clock: Pick<Clock, 'now'>
  readonly #serverNow: () => number
  readonly #log: Logger
  readonly #failing = new Map<string, FailedCall>()

  constructor(clock: Pick<Clock, 'now'>, serverNow: () => number, log: Logger) {
    this.#clock = clock
    this.#serverNow = serverNow
    this.#log = log
  }

  /** A call failed; `what`: its task, `reason`: a sentence. */
  failed(what: string, reason: string): void {
    const now = this.#clock.now()
    const known = this.#failing.get(what)
    const latest = utcText(this.#serverNow())
    const call = known ?? newCall(now, latest, reason)
    this.#failing.set(what, call)
    Object.assign(call, { at: now, latest, reason, times: call.times + 1 })
    if (call.reasons.has(reason) || call.reasons.size >= MOST_REASONS) return
    call.reasons.add(reason)
    call.told++
    this.#log.warn({ what, reason }, 'a call to the exchange failed')
  }

  /** Logs what is due; to be called about every second. */
  look(): void {
    const now = this.#clock.now()
    for (const [what, call] of this.#failing) {
      if (now - call.toldAt >= TOLD_EVERY_MS) this.#tell(what, call)
      if (now - call.at < OVER_AFTER_MS) continue
      this.#failing.delete(what)
      const { times, since, at } = call
      if (times > 1)
        this.#log.info({ what, times, since, quietMs: now - at }, 'a call to the exchange failed no more')
    }
  }

  /** Logs the numbers that are left. */
  end(): void {
    for (const [what, call] of this.#failing) this.#tell(what, call)
  }

  #tell(what: string, call: FailedCall): void {
    call.toldAt = this.#clock.now()
    const { times, told, since, latest, reason } = call
    call.told = times
    if (times > told)
      this.#log.warn({ what, times, since, latest, reason }, 'a call to the exchange failed again')
  }
}

function newCall(now: number, since: string, reason: string): FailedCall {
  return { since, reasons: new Set(), at: now, latest: since, reason, times: 0, told: 0, toldAt: now }
}
