import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { MarketReport } from '../../market/market-event.ts'
import type { Quote } from '../../matching/trigger-book.ts'
import type { ControlAnswer } from '../control/control-answer.ts'
import type { OperatorRequest } from '../control/operator-request.ts'
import type { OperatorOrigin } from '../state/command-record.ts'

/** Everything that reaches a running bot, in one queue. */
export type BotInput =
  | { readonly type: 'event'; readonly event: EngineEvent }
  | { readonly type: 'quote'; readonly symbol: string; readonly quote: Quote }
  /** A kline of an instrument has closed at a price, quote per base, and is shown once those before it are; `closeTime` is ms UTC. */
  | { readonly type: 'close'; readonly symbol: string; readonly closeTime: number; readonly close: number }
  /** The mark price of a contract, quote per base. */
  | { readonly type: 'mark'; readonly symbol: string; readonly price: number }
  /** A report about the market data, for the log. */
  | { readonly type: 'report'; readonly report: MarketReport }
  /** A request of the operator, with its answer. */
  | {
      readonly type: 'operator'
      readonly request: OperatorRequest
      readonly origin: OperatorOrigin
      readonly answer: (answer: ControlAnswer) => void
    }
  /** Uncertainty of the estimated exchange time, ms. */
  | { readonly type: 'clock'; readonly uncertaintyMs: number }
  /** A read failed; `what` names it. */
  | { readonly type: 'failure'; readonly what: string; readonly error: unknown }
