import type { Clock } from '../../domain/clock.ts'
import { klineProblem } from '../../domain/market-data/kline.ts'
import type { PublicClient } from '../../exchange/public-client.ts'
import type { ToldMinute } from '../../matching/told-market.ts'
import type { FeedGap } from './public-feed.ts'

const MINUTE = 60_000
/** After the close of a minute its kline is complete, ms. */
const COMPLETE_AFTER_MS = 2000
const RETRY_MS = 10_000

export interface GapMinutesOptions {
  readonly upstream: PublicClient
  readonly clock: Clock
  /** False for a market whose minutes the host does not have; its gaps are judged by none. */
  readonly hasMinutes: (market: FeedGap) => boolean
  /** Takes a gap with the minutes that cover it, once they are complete. */
  readonly onMinutes: (gap: FeedGap, minutes: readonly ToldMinute[]) => void
}

/** Reads the minutes of gaps, each as soon as the last of them has closed. */
export class GapMinutes {
  readonly #options: GapMinutesOptions
  readonly #waiting = new Set<() => void>()

  constructor(options: GapMinutesOptions) {
    this.#options = options
  }

  /** Reads the minutes of a gap once they are complete; a failed read is repeated. */
  judge(gap: FeedGap): void {
    const { hasMinutes, onMinutes } = this.#options
    if (!hasMinutes(gap)) {
      onMinutes(gap, [])
      return
    }
    const end = (Math.floor(gap.until / MINUTE) + 1) * MINUTE
    this.#later(Math.max(0, end + COMPLETE_AFTER_MS - this.#options.upstream.serverNow()), gap)
  }

  /** Gives up what is waiting. */
  stop(): void {
    for (const cancel of this.#waiting) cancel()
  }

  #later(delayMs: number, gap: FeedGap): void {
    const cancel = this.#options.clock.schedule(delayMs, () => {
      this.#waiting.delete(cancel)
      void this.#read(gap)
    })
    this.#waiting.add(cancel)
  }

  async #read(gap: FeedGap): Promise<void> {
    try {
      this.#options.onMinutes(gap, await minutesOf(this.#options.upstream, gap))
    } catch {
      this.#later(RETRY_MS, gap)
    }
  }
}

/** The minutes that a span touches, oldest first; an impossible one, as of a trade at price 0, judges nothing. */
async function minutesOf(
  { spot, futures }: PublicClient,
  { market, symbol, from, until }: FeedGap,
): Promise<readonly ToldMinute[]> {
  const span = { interval: '1m', from: Math.floor(from / MINUTE) * MINUTE, to: until } as const
  const klines =
    market === 'spot'
      ? spot.allKlines({ symbol, ...span })
      : futures.allKlines({ contractName: symbol, ...span })
  return (await Array.fromAsync(klines)).filter(kline => klineProblem(kline) === undefined)
}
