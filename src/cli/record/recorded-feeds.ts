import type { MarketSubscription } from '../../market/market-subscription.ts'
import { planPolls } from '../../market/polls/plan-polls.ts'
import type { PollPlan } from '../../market/polls/poll-plan.ts'
import { isPair } from '../public-exchange.ts'

/** Pace and depth of what is recorded. */
export interface RecordedFeeds {
  readonly symbols: readonly string[]
  /** Time between two reads of trades, of a book and of an index price, ms. */
  readonly everyMs: number
  /** Levels of a book, per side. */
  readonly levels: number
  /** Weight of all calls of this machine in any minute. */
  readonly weightPerMinute: number
}

/** Polls that record symbols: books of all, trades of pairs, index prices of contracts; throws `UsageError` if they exceed the weight. */
export function recordPlan({ symbols, everyMs, levels, weightPerMinute }: RecordedFeeds): PollPlan {
  const subscriptions = symbols.flatMap((symbol): readonly MarketSubscription[] =>
    isPair(symbol)
      ? [
          { type: 'trades', market: 'spot', symbol, everyMs },
          { type: 'depth', market: 'spot', symbol, everyMs, levels },
        ]
      : [
          { type: 'depth', market: 'futures', symbol, everyMs, levels },
          { type: 'indexPrice', market: 'futures', symbol, everyMs },
        ],
  )
  // The klines are read beside the plan, at the least weight that there is.
  return planPolls(subscriptions, {
    weightPerMinute,
    orderShare: 0.1,
    klineDelayMs: 0,
    callsPerSecond: 100,
    callMs: 100,
  })
}
