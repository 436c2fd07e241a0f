import { UsageError } from '../../domain/sluice-error.ts'
import type { SessionRecord } from './session-record.ts'

/**
 * Throws `UsageError` if a session cannot continue the journal of another: another bot's order ids are
 * foreign, and a position of one account cannot be closed on another.
 */
export function checkContinuation(before: SessionRecord, after: SessionRecord): void {
  checkSameBot(before, after.bot)
  for (const known of before.instruments) {
    const now = after.instruments.find(({ symbol }) => symbol === known.symbol)
    if (now !== undefined && now.accountType !== known.accountType) {
      throw new UsageError(
        `The configuration trades ${known.symbol} on the ${now.accountType} account, but the journal on the ${known.accountType} account. Put it back, or cancel and close what is open of it at the exchange, name another file in "journal" (or move this one away) and start again.`,
      )
    }
  }
}

/** Throws `UsageError` where the journal of a session belongs to another bot than that of the given name. */
export function checkSameBot(before: Pick<SessionRecord, 'bot'>, bot: string): void {
  if (before.bot === bot) return
  throw new UsageError(
    `The journal belongs to the bot "${before.bot}", but this one is "${bot}"; give it a journal of its own.`,
  )
}
