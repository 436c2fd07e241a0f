import type { Severity } from '../../config/notices-field.ts'
import type { BotNotice } from '../notices/bot-notice.ts'

/** A notice on its way. */
export interface OutgoingNotice {
  /** The same each time that it is sent, also after a restart. */
  readonly id: string
  /** Name of the bot. */
  readonly bot: string
  readonly notice: BotNotice
}

/** Outcome of an attempt; `answer` is a sentence without secrets. */
export type DeliveryResult =
  | { readonly type: 'delivered'; readonly answer: string }
  /** The channel will never take it. */
  | { readonly type: 'refused'; readonly answer: string }
  /** It may work later; `afterMs`: no earlier than that. */
  | { readonly type: 'failed'; readonly answer: string; readonly afterMs?: number }

/** A way to the people who own a bot. */
export interface Channel {
  readonly name: string
  /** The mildest severity that it takes. */
  readonly severity: Severity
  /** Sends a notice once; never rejects, and ends by itself within a bounded time. */
  deliver(outgoing: OutgoingNotice): Promise<DeliveryResult>
  close(): Promise<void>
}
