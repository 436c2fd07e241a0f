import type { BotStatus } from '../log/bot-status.ts'
import { momentText } from '../text/figures.ts'
import { type ForeignStatus, foreignText } from '../text/foreign-status.ts'
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

/** An answer with the outcome of what it closes; contracts of others that it leaves are still open. */
export function withClosing(
  answer: Extract<ControlAnswer, { ok: true }>,
  { isClosed, text }: ClosingOutcome,
  left: LeftContracts,
): ControlAnswer {
  const message = [text, ...leftText(left), answer.message].join(' ')
  return isClosed && left.foreign.length === 0
    ? { ...answer, message }
    : { ok: false, message, isUsage: false }
}

/** Contracts of others on the account, and the look at the account that found them. */
export interface LeftContracts {
  readonly foreign: readonly ForeignStatus[]
  /** UTC; absent if that look was made after the command. */
  readonly lookedAt?: string | undefined
}

function leftText({ foreign, lookedAt }: LeftContracts): readonly string[] {
  if (foreign.length === 0) return []
  const contracts = foreign.map(foreignText).join(', ')
  return lookedAt === undefined
    ? [`NOT of this bot, and still open: ${contracts}. Close that at the exchange.`]
    : [
        `NOT of this bot, and open when the account was last read, at ${momentText(lookedAt)}: ${contracts}. A newer look has come to no verdict in time; look at the exchange what is left of it, and close that there.`,
      ]
}
