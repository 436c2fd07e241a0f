import { UsageError } from '../../domain/sluice-error.ts'
import { JournalError } from '../../journal/journal-error.ts'
import { BotState } from '../state/bot-state.ts'
import { restoreState } from '../state/restore-state.ts'
import { loadStrategy } from './load-strategy.ts'

/**
 * The state that a bot goes on from, by a journal at this path; changes no file. `undefined` for a journal without a
 * session, and for one that cannot be used, which the start refuses.
 */
export async function lastState(path: string): Promise<BotState | undefined> {
  const state = new BotState(loadStrategy)
  try {
    return (await restoreState(path, state)) && state
  } catch (error) {
    if (error instanceof JournalError || error instanceof UsageError) return undefined
    throw error
  }
}
