import { equityTexts } from '../bot/log/bot-summary.ts'
import { klineCloseOf } from '../bot/state/kline-close.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { RecordedLedger } from './recorded-ledger.ts'

/** Entries that are read at once: about 10 ms, in which the bot waits. */
const READ_AT_ONCE = 250

/** Equity at the close of a kline, ms UTC, as exact text by quote asset. */
export interface RecordedEquity {
  readonly time: number
  readonly equity: Readonly<Record<string, string>>
}

/**
 * Equity at every close of a kline in the entries that a journal has now, oldest first, by its own books and prices. It reads
 * piece by piece, so that a bot trades meanwhile; without points if entries are dropped before they are read.
 */
export async function recordedEquity(path: string): Promise<readonly RecordedEquity[]> {
  const reader = new JournalReader(path)
  try {
    return await readEquity(reader)
  } finally {
    reader.close()
  }
}

async function readEquity(reader: JournalReader): Promise<readonly RecordedEquity[]> {
  const last = reader.lastSeq
  const books = new RecordedLedger()
  const base = reader.base()
  if (base !== undefined) books.restore(base)
  const points: RecordedEquity[] = []
  let read = base?.seq ?? 0
  while (read < last) {
    const upTo = Math.min(last, read + READ_AT_ONCE)
    for (const entry of reader.entries({ after: read, upTo })) {
      if (entry.seq !== ++read) return []
      books.take(entry)
      const time = klineCloseOf(entry)
      if (time !== undefined)
        points.push({ time, equity: equityTexts(books.ledger, { priceOf: () => undefined }) })
    }
    if (read < upTo) return []
    await new Promise(resolve => setImmediate(resolve))
  }
  return points
}
