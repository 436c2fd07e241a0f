import type { EngineOutput } from '../domain/engine-output.ts'
import { type ScopedHold, scopeText } from '../domain/trading-hold.ts'
import { JournalReader } from '../journal/journal-reader.ts'

/** What held trading back when a journal ended: of every scope, what its latest change left. */
export function rememberedHolds(journalPath: string): readonly ScopedHold[] {
  const latest = new Map<string, readonly ScopedHold[]>()
  const reader = new JournalReader(journalPath)
  try {
    for (const { decisions } of reader.entriesThatDecided('tradingStateChanged')) {
      for (const output of decisions as readonly EngineOutput[]) {
        // what `RecordedEngine.process` wrote
        if (output.type !== 'tradingStateChanged') continue
        const { scope, holds } = output
        latest.set(
          scopeText(scope),
          holds.map(hold => ({ scope, hold })),
        )
      }
    }
  } finally {
    reader.close()
  }
  return [...latest.values()].flat()
}
