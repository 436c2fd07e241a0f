import type { AccountEquity } from '../../bot/state/account-moves.ts'

/** Points that are kept; more of them are dropped a good part at once. */
const MOST_POINTS = 5000

/** Equity at the close of a kline, ms UTC. */
export interface EquityPoint extends AccountEquity {
  readonly time: number
}

/** The course of equity from kline to kline, with what a journal tells of before the start. */
export class EquityCourse {
  #points: EquityPoint[] = []
  /** Highest equity of dropped points less what was moved, by quote asset. */
  readonly #dropped = new Map<string, number>()

  /** One point for each time, oldest first. */
  get all(): readonly EquityPoint[] {
    return this.#points
  }

  /** The highest equity less what was moved, in a quote asset, before the first point; `undefined` if there is none. */
  highestBefore(quote: string): number | undefined {
    return this.#dropped.get(quote)
  }

  /** Takes the equity at the close of a kline, ms UTC; another kline that closes then, or a late one, says the last point anew. */
  note(time: number, { equity, moved }: AccountEquity): void {
    add(this.#points, { time, equity, moved })
    if (this.#points.length > MOST_POINTS * 1.25) this.#drop()
  }

  /** Takes the course before the first point, in order, `moved` counted from the same moment. */
  remember(past: Iterable<EquityPoint>): void {
    const points: EquityPoint[] = []
    for (const point of past) add(points, point)
    for (const point of this.#points) add(points, point)
    this.#points = points
    this.#drop()
  }

  #drop(): void {
    for (const { equity, moved } of this.#points.splice(0, Math.max(0, this.#points.length - MOST_POINTS)))
      for (const [quote, text] of Object.entries(equity)) {
        const result = Number(text) - Number(moved[quote] ?? 0)
        this.#dropped.set(quote, Math.max(result, this.#dropped.get(quote) ?? result))
      }
  }
}

function add(points: EquityPoint[], { time, equity, moved }: EquityPoint): void {
  const last = points.at(-1)
  if (last === undefined || time > last.time) points.push({ time, equity, moved })
  else points[points.length - 1] = { time: last.time, equity, moved }
}
