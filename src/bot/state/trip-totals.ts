import { wholeBook } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import {
  type Amount,
  add,
  amountToText,
  larger,
  negate,
  smaller,
  subtract,
  ZERO,
} from '../../domain/numbers/amount.ts'
import { dayUntil } from '../../risk/protections/utc-day.ts'

/** Result of all round trips in one quote asset; money is exact text. */
export interface TripTotal {
  readonly quote: string
  readonly count: number
  /** Number of round trips with a profit. */
  readonly won: number
  readonly pnl: string
  readonly average: string
  readonly best: string
  readonly worst: string
  /** Sum of the profits. */
  readonly gained: string
  /** Sum of the losses, not negative. */
  readonly lost: string
}

/** Round trips of one strategy's book that were closed on one day (UTC). */
export interface DayTrips {
  readonly book: string
  readonly quote: string
  readonly count: number
  /** Their result after fees, in quote, as exact text. */
  readonly pnl: string
}

interface Sums {
  readonly count: number
  readonly won: number
  readonly gained: Amount
  readonly lost: Amount
  readonly best: Amount
  readonly worst: Amount
}

interface DaySums {
  readonly quote: string
  readonly count: number
  readonly pnl: Amount
}

/** Totals as plain data. */
export interface TripTotalsState {
  /** When counting began, ms UTC. */
  readonly since: number
  /** By quote asset. */
  readonly sums: readonly (readonly [string, Sums])[]
  /** Start of the latest day with a round trip, ms UTC; `NaN` before one. */
  readonly day: number
  /** Of that day, by book. */
  readonly ofDay: readonly (readonly [string, DaySums])[]
}

/** Sums over all round trips of a journal, also over those whose entries it has dropped. */
export class TripTotals {
  #since: number | undefined
  #sums = new Map<string, Sums>()
  #day = Number.NaN
  #ofDay = new Map<string, DaySums>()

  /** Plain data to go on from; `undefined` before the first event. */
  get state(): TripTotalsState | undefined {
    if (this.#since === undefined) return undefined
    return { since: this.#since, sums: [...this.#sums], day: this.#day, ofDay: [...this.#ofDay] }
  }

  /** Goes on from a state; from none, counting begins with the next event. */
  restore(state: TripTotalsState | undefined): void {
    this.#since = state?.since
    this.#sums = new Map(state?.sums)
    this.#day = state?.day ?? Number.NaN
    this.#ofDay = new Map(state?.ofDay)
  }

  /** Counts the round trips among the outputs of an event that came at a time, ms UTC. */
  observe(outputs: readonly EngineOutput[], time: number, quoteOf: (symbol: string) => string): void {
    this.#since ??= time
    for (const output of outputs) {
      if (output.type !== 'roundTripClosed') continue
      const { symbol, book, pnl, exitTime } = output.roundTrip
      const quote = quoteOf(symbol)
      this.#sums.set(quote, sumsWith(this.#sums.get(quote), pnl))
      this.#countOfDay(dayUntil(exitTime), book, quote, pnl)
    }
  }

  /** Time of the first event that was counted, ms UTC; `undefined` before it. */
  get since(): number | undefined {
    return this.#since
  }

  /** One result for each quote asset. */
  get all(): readonly TripTotal[] {
    return [...this.#sums].map(([quote, { count, won, gained, lost, best, worst }]) => {
      const pnl = subtract(gained, lost)
      return {
        ...{ quote, count, won },
        pnl: amountToText(pnl),
        average: amountToText((pnl / BigInt(count)) as Amount),
        ...{ best: amountToText(best), worst: amountToText(worst) },
        ...{ gained: amountToText(gained), lost: amountToText(lost) },
      }
    })
  }

  /** Round trips of the day (UTC) of a time, ms UTC, by the book of a strategy: both sides of it together. */
  onDayOf(time: number): readonly DayTrips[] {
    if (dayUntil(time) !== this.#day) return []
    const ofDay = new Map<string, DaySums>()
    for (const [side, sums] of this.#ofDay) {
      const book = wholeBook(side)
      ofDay.set(book, together(ofDay.get(book), sums))
    }
    return [...ofDay].map(([book, { quote, count, pnl }]) => ({
      ...{ book, quote, count },
      pnl: amountToText(pnl),
    }))
  }

  /** A fill that is told late may be of a day before, which is over. */
  #countOfDay(day: number, book: string, quote: string, pnl: Amount): void {
    if (day < this.#day) return
    if (day !== this.#day) this.#ofDay = new Map()
    this.#day = day
    const { count, pnl: before } = this.#ofDay.get(book) ?? { count: 0, pnl: ZERO }
    this.#ofDay.set(book, { quote, count: count + 1, pnl: add(before, pnl) })
  }
}

function together(one: DaySums | undefined, other: DaySums): DaySums {
  if (one === undefined) return other
  return { quote: one.quote, count: one.count + other.count, pnl: add(one.pnl, other.pnl) }
}

function sumsWith(sums: Sums | undefined, pnl: Amount): Sums {
  const { count, won, gained, lost, best, worst } = sums ?? {
    ...{ count: 0, won: 0, gained: ZERO, lost: ZERO },
    ...{ best: pnl, worst: pnl },
  }
  const isWon = pnl > ZERO
  return {
    count: count + 1,
    won: isWon ? won + 1 : won,
    gained: isWon ? add(gained, pnl) : gained,
    lost: isWon ? lost : add(lost, negate(pnl)),
    best: larger(best, pnl),
    worst: smaller(worst, pnl),
  }
}
