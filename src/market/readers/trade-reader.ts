import type { SchedulerLike } from 'rxjs'
import { tradeProblem } from '../implausible.ts'
import type { MarketClient } from '../market-client.ts'
import type { MarketFact } from '../market-event.ts'
import { streamOf } from '../market-subscription.ts'
import type { PeriodicPace } from '../polls/periodic-pace.ts'
import type { PollReader, Reading } from '../polls/poll-reader.ts'
import { TradeSequence, type TradesFound } from '../sequences/trade-sequence.ts'

export interface TradeReaderOptions {
  readonly symbol: string
  readonly pace: PeriodicPace
  readonly client: MarketClient
  readonly scheduler: SchedulerLike
}

/**
 * Reads the public trades of one pair; if an answer does not reach back to the last trade, a longer one is
 * requested at once.
 */
export class TradeReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: TradeReaderOptions
  readonly #sequence = new TradeSequence()

  constructor(options: TradeReaderOptions) {
    this.#options = options
    this.streams = [streamOf({ type: 'trades', market: 'spot', symbol: options.symbol })]
  }

  dueAt(now: number): number {
    return this.#options.pace.dueAt(now)
  }

  async read(): Promise<() => Reading> {
    const { symbol, pace, client } = this.#options
    pace.begin()
    const { limit, most } = this.#sequence
    const answer = await client.spot.trades({ symbol, limit })
    if (!this.#sequence.needsMore(answer, limit)) return () => this.#take(this.#sequence.apply(answer))
    const longer = await client.spot.trades({ symbol, limit: most })
    return () => this.#take(this.#sequence.apply(longer))
  }

  #take({ trades, gap }: TradesFound): Reading {
    const { symbol, pace, scheduler } = this.#options
    const [stream = ''] = this.streams
    const events = trades.map((trade): MarketFact => {
      const problem = tradeProblem(trade)
      if (problem === undefined) return { type: 'trade', market: 'spot', symbol, trade }
      const reason = `Trade ${trade.id} of ${symbol} is refused: ${problem}.`
      return { type: 'refused', stream, reason }
    })
    if (gap !== undefined) events.unshift({ type: 'tradesMissed', market: 'spot', symbol, ...gap })
    const dueAt = scheduler.now() + pace.everyMs
    return { events, alive: this.streams.map(stream => ({ stream, dueAt })) }
  }
}
