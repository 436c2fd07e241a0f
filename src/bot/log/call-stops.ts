import type { Logger } from 'pino'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { Venue } from '../venue/venue.ts'

/** Several answers in flight may each end the same stop a little later, ms. */
const SAME_STOP_MS = 1000

/** Logs the stops of all calls that the exchange demands, each once at its beginning and once at its end. */
export class CallStops {
  readonly #venue: Pick<Venue, 'clock' | 'serverNow' | 'pause'>
  readonly #log: Logger
  /** The stop that was logged: its beginning, and its end as told, ms of the clock. */
  #told: { readonly since: number; readonly until: number } | undefined

  constructor(venue: Pick<Venue, 'clock' | 'serverNow' | 'pause'>, log: Logger) {
    this.#venue = venue
    this.#log = log
  }

  /** End of the present stop, ms of the clock; `undefined` without one. */
  get until(): number | undefined {
    return this.#venue.pause?.()?.until
  }

  /** Logs what began or ended; to be called about every second. Returns true while calls are stopped. */
  look(): boolean {
    const { clock, serverNow, pause } = this.#venue
    const now = clock.now()
    const stop = pause?.()
    if (stop === undefined) {
      if (this.#told !== undefined) {
        const stoppedMs = Math.min(now, this.#told.until) - this.#told.since
        this.#log.warn({ stoppedMs }, 'calls to the exchange go on')
      }
      this.#told = undefined
      return false
    }
    const { what, until } = stop
    if (this.#told !== undefined && until <= this.#told.until + SAME_STOP_MS) return true
    this.#told = { since: this.#told?.since ?? now, until }
    this.#log.warn(
      { why: what, until: utcText(serverNow() + until - now) },
      'calls to the exchange are stopped',
    )
    return true
  }
}
