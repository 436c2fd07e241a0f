import type { ExchangeTrade } from '../../exchange/spot/trade.ts'

/** Documented default, and the largest size of an answer (interface section 8); both have the same weight. */
const [USUAL_LIMIT, MOST] = [100, 1000]
/** Remembered ids: more than an answer holds, so that an old copy of the list repeats no trade. */
const REMEMBERED = 4 * MOST

/** Result of an answer for public trades. */
export interface TradesFound {
  /** New ones, oldest first. */
  readonly trades: readonly ExchangeTrade[]
  /** Trades around a gap: more happened in between than one answer holds. */
  readonly gap?: { readonly after: ExchangeTrade; readonly before: ExchangeTrade }
}

/** Extracts each trade once, by its id, from overlapping answers, and detects gaps. */
export class TradeSequence {
  /** In the order of emission. */
  readonly #seen = new Set<string>()
  /** Trades up to this id are skipped: they happened before the first answer, or long ago. */
  #floor: string | undefined
  #hasBegun = false
  #latest: ExchangeTrade | undefined
  #limit = USUAL_LIMIT

  /** Trades to request: more after a busy period. */
  get limit(): number {
    return this.#limit
  }

  /** True if an answer (oldest first) does not reach back to the last trade, but a longer one could. */
  needsMore(answer: readonly ExchangeTrade[], limit: number): boolean {
    return limit < MOST && answer.length >= limit && this.#latest !== undefined && !this.#reaches(answer)
  }

  /** Trades to request if `needsMore`. */
  get most(): number {
    return MOST
  }

  /**
   * Takes an answer, oldest first. The first one only sets the start. One that does not reach back to the last trade
   * leaves a gap, however short it is: a host may hold fewer trades than it is asked for.
   */
  apply(answer: readonly ExchangeTrade[]): TradesFound {
    const latest = this.#latest
    const trades = this.#hasBegun ? this.#unseen(answer) : []
    if (!this.#hasBegun) this.#floor = answer[0]?.id
    this.#hasBegun = true
    const hasGap = trades.length > 0 && !this.#reaches(answer)
    this.#limit = Math.min(MOST, Math.max(USUAL_LIMIT, 4 * trades.length))
    this.#remember(answer)
    const [before] = trades
    if (!hasGap || latest === undefined || before === undefined) return { trades }
    return { trades, gap: { after: latest, before } }
  }

  #reaches(answer: readonly ExchangeTrade[]): boolean {
    return answer.some(({ id }) => this.#seen.has(id))
  }

  #unseen(answer: readonly ExchangeTrade[]): readonly ExchangeTrade[] {
    const fresh = answer.filter(
      ({ id }) => !this.#seen.has(id) && (this.#floor === undefined || isLater(id, this.#floor)),
    )
    return [...new Map(fresh.map(trade => [trade.id, trade])).values()]
  }

  #remember(answer: readonly ExchangeTrade[]): void {
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

/** Ids are increasing digits beyond 2^53: the longer one is larger, equal lengths compare as text. */
function isLater(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length
}
