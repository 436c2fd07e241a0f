import type { Trade } from '../../exchange/spot/trade.ts'

/** The documented default, and the most that one answer holds (interface section 8); both have the same weight. */
const [USUAL_LIMIT, MOST] = [100, 1000]
/** Ids that are remembered: more than an answer holds, so that an old copy of the list brings nothing twice. */
const REMEMBERED = 4 * MOST

/** What an answer tells of the public trades. */
export interface TradesFound {
  /** New ones, oldest first. */
  readonly trades: readonly Trade[]
  /** The trades around a gap: more was traded in between than one answer holds. */
  readonly gap?: { readonly after: Trade; readonly before: Trade }
}

/** Makes of the recent trades that every answer repeats each trade once, by its id, and notices when some are missing. */
export class TradeSequence {
  /** In the order in which they were told. */
  readonly #seen = new Set<string>()
  /** Trades up to this one are not told any more: they came before the first answer, or long ago. */
  #floor: string | undefined
  #hasBegun = false
  #latest: Trade | undefined
  #limit = USUAL_LIMIT

  /** How many to ask for: more after a lively time. */
  get limit(): number {
    return this.#limit
  }

  /** Whether an answer, oldest first, begins behind what is known although a longer one could reach back to it. */
  needsMore(answer: readonly Trade[], limit: number): boolean {
    return limit < MOST && answer.length >= limit && this.#latest !== undefined && !this.#reaches(answer)
  }

  /** How many to ask for where `needsMore`. */
  get most(): number {
    return MOST
  }

  /** Takes an answer, oldest first. The first one only says where to begin. */
  take(answer: readonly Trade[], limit: number): TradesFound {
    const latest = this.#latest
    const trades = this.#hasBegun ? this.#unseen(answer) : []
    if (!this.#hasBegun) this.#floor = answer[0]?.id
    this.#hasBegun = true
    const hasGap = trades.length > 0 && answer.length >= limit && !this.#reaches(answer)
    this.#limit = Math.min(MOST, Math.max(USUAL_LIMIT, 4 * trades.length))
    this.#remember(answer)
    const [before] = trades
    if (!hasGap || latest === undefined || before === undefined) return { trades }
    return { trades, gap: { after: latest, before } }
  }

  #reaches(answer: readonly Trade[]): boolean {
    return answer.some(({ id }) => this.#seen.has(id))
  }

  #unseen(answer: readonly Trade[]): readonly Trade[] {
    const fresh = answer.filter(
      ({ id }) => !this.#seen.has(id) && (this.#floor === undefined || isLater(id, this.#floor)),
    )
    return [...new Map(fresh.map(trade => [trade.id, trade])).values()]
  }

  #remember(answer: readonly Trade[]): void {
    for (const trade of answer) {
      if (this.#floor !== undefined && !isLater(trade.id, this.#floor)) continue
      this.#seen.add(trade.id)
      if (this.#latest === undefined || isLater(trade.id, this.#latest.id)) this.#latest = trade
    }
    for (const oldest of this.#seen) {
      if (this.#seen.size <= REMEMBERED) break
      this.#seen.delete(oldest)
      if (this.#floor === undefined || isLater(oldest, this.#floor)) this.#floor = oldest
    }
  }
}

/** Ids are digits beyond 2^53 that grow: the longer is the larger, equal lengths compare as text. */
function isLater(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length
}
