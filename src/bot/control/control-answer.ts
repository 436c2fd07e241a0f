import type { BotStatus } from '../log/bot-status.ts'
import type { ClosingOutcome } from './closings.ts'

/** Answer of a running bot. */
export type ControlAnswer =
  | { readonly ok: true; readonly message: string; readonly status: BotStatus }
  /** `isUsage`: the request was wrong, rather than the moment. */
  | { readonly ok: false; readonly message: string; readonly isUsage: boolean }

/** Answer of a running bot that is asked for a link to its window; without one, it has no `url`. */
export interface LinkAnswer {
  readonly url?: string | undefined
}

/** An answer with the outcome of what it closes. */
export function withClosing(
  answer: Extract<ControlAnswer, { ok: true }>,
  { isClosed, text }: ClosingOutcome,
): ControlAnswer {
  const message = `${text} ${answer.message}`
  return isClosed ? { ...answer, message } : { ok: false, message, isUsage: false }
}
