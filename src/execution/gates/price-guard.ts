import type { Quote } from '../../matching/trigger-book.ts'

/**
 * Range claimed by one look at the market: the price is at least as high as `up`, and at least as low as
 * `down`.
 */
interface Claim {
  readonly up: number
  readonly down: number
}

interface Watched {
  /** The latest price that was accepted, quote per base. */
  accepted: number | undefined
  /** The untrusted part of the previous claim. */
  doubted: Claim
}

const NO_CLAIM: Claim = { up: Number.NEGATIVE_INFINITY, down: Number.POSITIVE_INFINITY }
/** Part of the largest jump by which the latest trade may lie outside the best prices of the same look. */
const OUTSIDE_SHARE = 0.1

/**
 * Keeps a price seen in only a single look from firing triggers. A price is trusted at once within
 * `maxJumpRate` of the last accepted one and near the best prices of its own look. A farther price is trusted
 * as far as another look agrees: the next quote, the close of a kline, or a mark price that two looks agreed on. So a
 * glitch fires no trigger, and a crash fires them with the second look.
 */
export class PriceGuard {
  readonly #maxJumpRate: number
  readonly #watched = new Map<string, Watched>()

  constructor(maxJumpRate: number) {
    this.#maxJumpRate = maxJumpRate
  }

  /**
   * A price from another source, quote per base. A far one supports the quote before or after it; a near one
   * may be older than the quotes, and is ignored.
   */
  witness(symbol: string, price: number): void {
    if (!(price > 0)) return
    const watched = this.#of(symbol)
    const { accepted, doubted } = watched
    if (accepted === undefined) watched.accepted = price
    else if (price > accepted * (1 + this.#maxJumpRate)) {
      if (doubted.up > NO_CLAIM.up) watched.accepted = Math.min(doubted.up, price)
      else watched.doubted = { ...doubted, up: price }
    } else if (price < accepted * (1 - this.#maxJumpRate)) {
      if (doubted.down < NO_CLAIM.down) watched.accepted = Math.max(doubted.down, price)
      else watched.doubted = { ...doubted, down: price }
    }
  }

  /** The last accepted price, quote per base. */
  acceptedOf(symbol: string): number | undefined {
    return this.#watched.get(symbol)?.accepted
  }

  /** The trusted part of a quote; `undefined` if there is none until a second look agrees. */
  believed(symbol: string, quote: Quote): Quote | undefined {
    const watched = this.#of(symbol)
    const { bid, ask, last } = quote
    if (watched.accepted === undefined && !(bid > 0 && ask < Number.POSITIVE_INFINITY)) {
      watched.accepted = last
      return undefined
    }
    const claim: Claim = { up: Math.max(last, bid), down: Math.min(last, ask) }
    const { high, low } = this.#bounds(watched, quote)
    const before = watched.doubted
    const isDoubtful = claim.up > high || claim.down < low
    watched.doubted = isDoubtful
      ? {
          up: claim.up > high ? claim.up : NO_CLAIM.up,
          down: claim.down < low ? claim.down : NO_CLAIM.down,
        }
      : NO_CLAIM
    if (!isDoubtful) {
      watched.accepted = last
      return quote
    }
    const isAgreedUp = claim.up > high && before.up > NO_CLAIM.up
    const isAgreedDown = claim.down < low && before.down < NO_CLAIM.down
    if (!isAgreedUp && !isAgreedDown) return undefined
    // Two untrusted looks on the same side agree on the nearer of both, even beyond the bounds.
    const top = isAgreedUp ? Math.min(before.up, claim.up) : high
    const bottom = isAgreedDown ? Math.max(before.down, claim.down) : low
    // A quote far from the accepted price puts its bounds across each other; the agreed one holds.
    const agreed = bid > (watched.accepted ?? bid) ? top : bottom
    const believed = {
      bid: Math.min(bid, top),
      ask: Math.max(ask, bottom),
      last: bottom > top ? agreed : Math.max(bottom, Math.min(top, last)),
    }
    watched.accepted = believed.last
    return believed
  }

  /** Range trusted from one look alone. */
  #bounds({ accepted }: Watched, { bid, ask }: Quote): { readonly high: number; readonly low: number } {
    const jump = this.#maxJumpRate
    const outside = jump * OUTSIDE_SHARE
    const known = accepted ?? Number.NaN
    const high = Math.min(...[known * (1 + jump), ask * (1 + outside)].filter(bound => !Number.isNaN(bound)))
    const low = Math.max(...[known * (1 - jump), bid * (1 - outside)].filter(bound => !Number.isNaN(bound)))
    return { high, low }
  }

  #of(symbol: string): Watched {
    const known = this.#watched.get(symbol)
    if (known !== undefined) return known
    const watched: Watched = { accepted: undefined, doubted: NO_CLAIM }
    this.#watched.set(symbol, watched)
    return watched
  }
}
