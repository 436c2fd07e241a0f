import { existsSync } from 'node:fs'
import type { Accounts } from '../../config/account-fields.ts'
import type { BotConfig } from '../../config/bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { takeFileLock } from '../../files/file-lock.ts'
import { JournalError, OldJournalError } from '../../journal/journal-error.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import { DAMAGE_ADVICE, damageText } from '../../journal/verify-chain.ts'
import { whyNotMakable } from '../state/prepared-path.ts'
import type { JournalVenue } from '../state/session-record.ts'
import { changedDeclaration } from '../venue/declared-margin.ts'
import { checkJournalVenue, latestSession } from '../venue/journal-venue.ts'
import { type Finding, problem, sound } from './finding.ts'

/**
 * Checks that a journal is writable, free and intact; changes no file. It may be absent only on a simulated
 * exchange.
 */
export function examineJournal(file: string | undefined, isAtStake: boolean): readonly Finding[] {
  if (file === undefined && !isAtStake)
    return [sound('journal', 'none', 'Nothing is kept; on a simulated exchange that is fine.')]
  if (file === undefined) {
    return [
      problem(
        'journal',
        'none',
        'The configuration names no journal, so a restart forgets orders, positions and halts.',
        'Give "journal: { file: data/NAME.journal }" in the configuration.',
      ),
    ]
  }
  try {
    return existsSync(file) ? [lockOf(file), contentOf(file)] : [absent(file)]
  } catch (error) {
    if (error instanceof OldJournalError)
      return [
        lockOf(file),
        sound(
          'journal',
          file,
          'It is of an earlier version; a start copies it beside itself and upgrades it.',
        ),
      ]
    const found = error instanceof Error ? error.message : String(error)
    return [problem('journal', file, found, 'Name another file, or bring back one that holds.')]
  }
}

/** Checks that the declared margin balances are those at the journal's start; changes no file. */
export function examineDeclaration(file: string | undefined, accounts: Accounts): readonly Finding[] {
  if (accounts.margin === undefined || file === undefined || !existsSync(file)) return []
  try {
    const why = changedDeclaration(latestSession(file)?.declared, accounts)
    if (why === undefined) return []
    const advice = 'Put the old declaration back, or start with a new journal once the account is flat.'
    return [problem('account', 'margin', why, advice)]
  } catch (error) {
    // Problems of the journal itself are reported by another finding.
    if (error instanceof JournalError) return []
    throw error
  }
}

/** Reports a journal of another bot, venue or account, as the start refuses it; changes no file. */
export function examineJournalVenue(
  journal: BotConfig['journal'],
  now: JournalVenue | undefined,
  bot?: string,
): readonly Finding[] {
  if (journal === undefined || !existsSync(journal.file)) return []
  try {
    checkJournalVenue(journal, now, bot)
    return []
  } catch (error) {
    // Problems of the journal itself are reported by another finding.
    if (error instanceof JournalError) return []
    if (!(error instanceof UsageError)) throw error
    const advice =
      'Name another file in "journal", or put back the bot and the account that this one belongs to.'
    return [problem('journal', journal.file, error.message, advice)]
  }
}

function absent(file: string): Finding {
  const why = whyNotMakable(file)
  if (why === undefined)
    return sound('journal', file, 'It does not exist yet, and will be made at the first start.')
  const found = `It does not exist yet, and ${why}.`
  return problem('journal', file, found, 'Allow this user to write there, or name another file.')
}

function lockOf(file: string): Finding {
  const lock = `${file}.lock`
  if (!existsSync(lock)) return sound('journal', file, 'Nobody works with it.')
  const unlock = takeFileLock(lock)
  if (unlock === undefined) {
    const found = 'Another bot works with it now.'
    const advice = 'Stop that bot first, or give this one a journal and a name of its own.'
    return problem('journal', file, found, advice)
  }
  unlock()
  return sound('journal', file, 'Nobody works with it.')
}

function contentOf(file: string): Finding {
  const reader = new JournalReader(file)
  try {
    const check = reader.verify()
    if (check.holds) return sound('journal', file, `All of its ${check.entries} entries hold.`)
    return problem('journal', file, `It is damaged: ${damageText(check)}`, DAMAGE_ADVICE)
  } finally {
    reader.close()
  }
}
