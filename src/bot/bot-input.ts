import type { Amount } from '../domain/amount.ts'
import type { EngineEvent } from '../domain/engine-event.ts'
import type { Quote } from '../execution/trigger-book.ts'
import type { MarketReport } from '../market/market-event.ts'

/** Everything that reaches a running bot, in one queue. */
export type BotInput =
  | { readonly type: 'event'; readonly event: EngineEvent }
  | { readonly type: 'quote'; readonly symbol: string; readonly quote: Quote }
  /** What the account held while no order was alive; `undefined` where orders were. */
  | { readonly type: 'balances'; readonly balances: ReadonlyMap<string, Amount> | undefined }
  /** Something about the market data that people should know. */
  | { readonly type: 'report'; readonly report: MarketReport }
  /** A read failed; `what` names it. */
  | { readonly type: 'failure'; readonly what: string; readonly error: unknown }
