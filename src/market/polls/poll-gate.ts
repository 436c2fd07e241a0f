import type { SchedulerLike } from 'rxjs'
import type { Usage } from '../../exchange/budget/budgets.ts'

/** Asks for its turn. */
interface Turn {
  /** Resolves when it has come. */
  readonly come: Promise<void>
  /** The poll is over, or nobody wants it any more. Must be called once. */
  release(): void
}

interface Waiting {
  readonly urgency: number
  readonly weight: number
  readonly begin: () => void
}

/** What bounds the polls. */
export interface PollGateOptions {
  /** Weight in a minute up to which market data may be read, whoever used it. */
  readonly available: number
  /** What is used now of all that our address has; where nobody knows, the calls of others are not regarded. */
  readonly usage?: (() => Usage) | undefined
  readonly scheduler: SchedulerLike
}

/** Polls under way at one time: the client lets 57 market calls out at once, and those that wait there may keep orders out. */
const MOST_UNDER_WAY = 48
/** How often it is looked whether there is weight again, ms. */
const LOOK_AGAIN_MS = 250

/**
 * Lets polls begin, the most urgent first: so many at a time, and only while the weight that orders may need is free. What
 * orders use, market data do without.
 */
export class PollGate {
  readonly #options: PollGateOptions
  readonly #waiting: Waiting[] = []
  #underWay = 0
  #looksAgain = false

  constructor(options: PollGateOptions) {
    this.#options = options
  }

  /** Asks for a turn; a smaller `urgency` goes first. */
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
