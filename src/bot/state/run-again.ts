import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { JournalEntry } from '../../journal/journal-entry.ts'
import { journalText } from '../../journal/journal-text.ts'
import type { BotState } from './bot-state.ts'

/** The recorded decisions of a journal entry, and those of the same entry run again, as JSON. */
export interface RunAgain {
  readonly recorded: string
  readonly again: string
  /** True if both decide the same. Texts for people may differ: a newer version of Sluice words them anew. */
  readonly isSame: boolean
}

/** Runs an entry again; its commands are sent nowhere. */
export async function runAgain(state: Pick<BotState, 'take'>, entry: JournalEntry): Promise<RunAgain> {
  const before = (entry.decisions ?? []) as readonly EngineOutput[] // written by `RecordedEngine`
  const now = await state.take(entry)
  const [recorded, again] = [journalText(before), journalText(now)]
  const isSame = recorded === again || journalText(withoutWords(before)) === journalText(withoutWords(now))
  return { recorded, again, isSame }
}

/** Outputs without those that older versions did not have and that decide nothing, and without texts for people. */
function withoutWords(outputs: readonly EngineOutput[]): readonly object[] {
  return outputs.filter(({ type }) => type !== 'targetMissed').map(plain)
}

/** An output without its texts for people. */
function plain(output: EngineOutput): object {
  switch (output.type) {
    case 'denied': {
      const { intent, rule } = output.denial
      return { ...output, denial: { intent, rule } }
    }
    // Older versions did not name the strategy.
    case 'strategyFailed':
      return { ...output, strategy: undefined, error: undefined }
    case 'strategyEnded':
      return { ...output, strategy: undefined, why: undefined }
    case 'instrumentHalted':
      return { ...output, reason: undefined }
    case 'tradingStateChanged':
      return { ...output, holds: output.holds.map(hold => ({ ...hold, reason: undefined })) }
    default:
      return output
  }
}
