/** Points that are kept; more of them are dropped a good part at once. */
const MOST_POINTS = 5000

/** Equity at the close of a kline, ms UTC, as exact text by quote asset. */
export interface EquityPoint {
  readonly time: number
  readonly equity: Readonly<Record<string, string>>
}

/** The course of equity from kline to kline, with what a journal tells of before the start. */
export class EquityCourse {
  #points: EquityPoint[] = []
  /** Highest equity of dropped points by quote asset. */
  readonly #dropped = new Map<string, number>()

  /** One point for each time, oldest first. */
  get all(): readonly EquityPoint[] {
    return this.#points
  }

  /** The highest equity in a quote asset before the first point; `undefined` if there is none. */
  highestBefore(quote: string): number | undefined {
    return this.#dropped.get(quote)
  }

  /** Takes the equity at the close of a kline, ms UTC; another kline that closes then, or a late one, says the last point anew. */
  note(time: number, equity: EquityPoint['equity']): void {
    add(this.#points, { time, equity })
    if (this.#points.length > MOST_POINTS * 1.25) this.#drop()
  }

  /** Takes the course before the first point, in order. */
  remember(past: Iterable<EquityPoint>): void {
    const points: EquityPoint[] = []
    for (const point of past) add(points, point)
    for (const point of this.#points) add(points, point)
    this.#points = points
    this.#drop()
  }

  #drop(): void {
    for (const { equity } of this.#points.splice(0, Math.max(0, this.#points.length - MOST_POINTS)))
      for (const [quote, text] of Object.entries(equity))
        this.#dropped.set(quote, Math.max(Number(text), this.#dropped.get(quote) ?? 0))
  }
}

function add(points: EquityPoint[], { time, equity }: EquityPoint): void {
  const last = points.at(-1)
  if (last === undefined || time > last.time) points.push({ time, equity })
  else points[points.length - 1] = { time: last.time, equity }
}
