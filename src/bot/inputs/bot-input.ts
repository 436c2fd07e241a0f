import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { Quote } from '../../execution/gates/trigger-book.ts'
import type { MarketReport } from '../../market/market-event.ts'
import type { ControlAnswer } from '../control/control-answer.ts'
import type { OperatorRequest } from '../control/operator-request.ts'

/** Everything that reaches a running bot, in one queue. */
export type BotInput =
  | { readonly type: 'event'; readonly event: EngineEvent }
  | { readonly type: 'quote'; readonly symbol: string; readonly quote: Quote }
  /** The mark price of a contract, quote per base. */
  | { readonly type: 'mark'; readonly symbol: string; readonly price: number }
  /** Something about the market data that people should know. */
  | { readonly type: 'report'; readonly report: MarketReport }
  /** The person in charge asks for something, and gets an answer. */
  | {
      readonly type: 'operator'
      readonly request: OperatorRequest
      readonly answer: (answer: ControlAnswer) => void
    }
  /** How far our idea of the exchange's time may be off, ms. */
  | { readonly type: 'clock'; readonly uncertaintyMs: number }
  /** A read failed; `what` names it. */
  | { readonly type: 'failure'; readonly what: string; readonly error: unknown }
