import { BotState } from '../../../src/bot/state/bot-state.ts'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import { restoreState } from '../../../src/bot/state/restore-state.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { Strategy } from '../../../src/strategy/index.ts'
import type { BotWorld } from '../world/bot-world.ts'

/** Messages of the log that tell of something that must not happen on any account that nobody else uses. */
export const SUSPICIOUS = [
  'foreign order left open',
  'leftover order canceled',
  'instrument halted: nothing more is decided on it',
  'trading halted',
  'strategy stopped: it threw',
] as const

/** What a bot that has left believes, and its journal. */
export interface LeftBehind {
  readonly ledger: Ledger
  readonly reader: JournalReader
}

/** What the log says that must not be there, in words. */
export function suspicionsIn(world: BotWorld, messages: readonly string[]): readonly string[] {
  return messages.filter(message => world.said(message).length > 0).map(said => `the log says: ${said}`)
}

/** Everything that is wrong with a bot that has left, in words: it failed, its log says one of the messages, books and account are different, or its journal leads elsewhere. */
export async function accountViolations(
  world: BotWorld,
  strategy: Strategy,
  messages: readonly string[],
  differences: (left: LeftBehind) => readonly string[],
): Promise<readonly string[]> {
  const state = new BotState(async () => strategy)
  await restoreState(world.journalPath, state)
  const reader = new JournalReader(world.journalPath)
  try {
    const { difference } = await replayJournal(reader, async () => strategy)
    return [
      ...world.failures.map(failure => `a bot failed: ${String(failure)}`),
      ...suspicionsIn(world, messages),
      ...differences({ ledger: state.engine.ledger, reader }),
      ...(difference === undefined ? [] : [`entry ${difference.seq} replays differently`]),
    ]
  } finally {
    reader.close()
  }
}
