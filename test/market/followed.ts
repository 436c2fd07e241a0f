import type { Observable, SchedulerLike } from 'rxjs'
import { type MarketStreams, marketStreams } from '../../src/market/delivery/market-streams.ts'
import type { MarketClient } from '../../src/market/market-client.ts'
import type { MarketEvent } from '../../src/market/market-event.ts'
import type { MarketSubscription } from '../../src/market/market-subscription.ts'
import { planPolls } from '../../src/market/polls/plan-polls.ts'
import type { PollBudget } from '../../src/market/polls/poll-plan.ts'

/** The documented budget, a quarter of it left to orders; klines are asked for 500 ms after their close. */
export const BUDGET: PollBudget = {
  weightPerMinute: 12_000,
  orderShare: 0.25,
  klineDelayMs: 500,
  callsPerSecond: 400,
  callMs: 100,
}

/** What a test follows, with what. */
interface FollowedOptions {
  readonly subscriptions: readonly MarketSubscription[]
  /** Calls that are not given are never answered. */
  readonly spot?: Partial<MarketClient['spot']>
  readonly futures?: Partial<NonNullable<MarketClient['futures']>>
  readonly scheduler: SchedulerLike
  readonly serverNow?: () => number
  readonly random?: () => number
  readonly budget?: Partial<PollBudget>
  readonly usage?: () => { readonly used: number; readonly limit: number }
  readonly staleAfterMs?: number
  readonly mergeWaitMs?: number
}

/** The streams of some subscriptions, planned by the documented budget. */
export function streams(options: FollowedOptions): MarketStreams {
  const never = (): Promise<never> => new Promise(() => undefined)
  return marketStreams({
    plan: planPolls(options.subscriptions, { ...BUDGET, ...options.budget }),
    client: {
      spot: {
        klines: never,
        ticker: never,
        tickers: never,
        depth: never,
        trades: never,
        symbols: never,
        ...options.spot,
      },
      ...(options.futures !== undefined && {
        futures: {
          klines: never,
          ticker: never,
          tickers: never,
          depth: never,
          indexPrice: never,
          contracts: never,
          ...options.futures,
        },
      }),
    },
    scheduler: options.scheduler,
    serverNow: options.serverNow,
    random: options.random ?? (() => 0.5),
    usage: options.usage,
    staleAfterMs: options.staleAfterMs ?? 30_000,
    mergeWaitMs: options.mergeWaitMs ?? 5000,
  })
}

/** Their events. */
export function followed(options: FollowedOptions): Observable<MarketEvent> {
  return streams(options).events$
}
