import type { SchedulerLike } from 'rxjs'
import type { Usage } from '../../exchange/budget/budgets.ts'

/** A request for a turn. */
interface Turn {
  /** Resolves when the turn has come. */
  readonly come: Promise<void>
  /** Ends the poll, or gives the turn up. Must be called once. */
  release(): void
}

interface Waiting {
  readonly urgency: number
  readonly weight: number
  readonly begin: () => void
}

/** Limits of the polls. */
export interface PollGateOptions {
  /** Weight per minute up to which market data may be read, including other uses. */
  readonly available: number
  /** Weight of our IP address used now; without it, other callers are ignored. */
  readonly usage?: (() => Usage) | undefined
  readonly scheduler: SchedulerLike
}

/**
 * Most polls in flight: the client admits 57 market calls at once, and calls that queue there may delay
 * orders.
 */
const MOST_UNDER_WAY = 48
/** Pause before free weight is checked again, ms. */
const LOOK_AGAIN_MS = 250

/**
 * Starts polls, most urgent first: a limited number at a time, and only while the weight reserved for orders
 * stays free. Weight that orders use is not available to market data.
 */
export class PollGate {
  readonly #options: PollGateOptions
  readonly #waiting: Waiting[] = []
  #underWay = 0
  #looksAgain = false

  constructor(options: PollGateOptions) {
    this.#options = options
  }

  /** Requests a turn; a smaller `urgency` goes first. */
  turn(urgency: number, weight: number): Turn {
    let waiting: Waiting | undefined
    const come = new Promise<void>(resolve => {
      waiting = { urgency, weight, begin: resolve }
      const place = this.#waiting.findLastIndex(other => other.urgency <= urgency) + 1
      this.#waiting.splice(place, 0, waiting)
    })
    this.#letBegin()
    return { come, release: () => this.#release(waiting) }
  }

  #letBegin(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#underWay >= MOST_UNDER_WAY) return
      if (!this.#hasWeight(next.weight)) {
        this.#lookAgain()
        return
      }
      this.#waiting.shift()
      this.#underWay++
      next.begin()
    }
  }

  #hasWeight(weight: number): boolean {
    const { usage, available } = this.#options
    return usage === undefined || usage().used + weight <= available
  }

  #lookAgain(): void {
    if (this.#looksAgain) return
    this.#looksAgain = true
    this.#options.scheduler.schedule(() => {
      this.#looksAgain = false
      this.#letBegin()
    }, LOOK_AGAIN_MS)
  }

  #release(waiting: Waiting | undefined): void {
    const place = waiting === undefined ? -1 : this.#waiting.indexOf(waiting)
    if (place >= 0) this.#waiting.splice(place, 1)
    else this.#underWay--
    this.#letBegin()
  }
}
