import { equityTexts, texts } from '../bot/log/bot-summary.ts'
import {
  type AccountEquity,
  AccountMoves,
  type MovedAmounts,
  movedBy,
  movedSince,
} from '../bot/state/account-moves.ts'
import { klineCloseOf } from '../bot/state/kline-close.ts'
import type { EngineEvent } from '../domain/events/engine-event.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { RecordedLedger } from './recorded-ledger.ts'

/** Entries that are read at once: about 10 ms, in which the bot waits. */
const READ_AT_ONCE = 250

/** Equity at the close of a kline, ms UTC; `moved` counts from the end of what is read, so that a start after it goes on from 0. */
export interface RecordedEquity extends AccountEquity {
  readonly time: number
}

/** Equity at a close, and all that was moved until then. */
interface RecordedPoint {
  readonly time: number
  readonly equity: AccountEquity['equity']
  readonly total: MovedAmounts
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
  const moves = new AccountMoves()
  const base = reader.base()
  if (base !== undefined) {
    books.restore(base)
    moves.begin(books.ledger)
  }
  const points: RecordedPoint[] = []
  let read = base?.seq ?? 0
  while (read < last) {
    const upTo = Math.min(last, read + READ_AT_ONCE)
    for (const entry of reader.entries({ after: read, upTo })) {
      if (entry.seq !== ++read) return []
      take(entry, books, moves)
      const time = klineCloseOf(entry)
      if (time !== undefined)
        points.push({
          time,
          equity: equityTexts(books.ledger, { priceOf: () => undefined }),
          total: moves.total,
        })
    }
    if (read < upTo) return []
    await new Promise(resolve => setImmediate(resolve))
  }
  return points.map(({ time, equity, total }) => ({
    time,
    equity,
    moved: texts(movedSince(moves.total, total)),
  }))
}

function take(entry: JournalEntry, books: RecordedLedger, moves: AccountMoves): void {
  if (entry.kind === 'session') {
    books.take(entry)
    moves.begin(books.ledger)
    return
  }
  if (entry.kind !== 'event') return
  const event = entry.body as EngineEvent // what `RecordedEngine` wrote
  const { moved } = movedBy(event, books.ledger, () => books.take(entry))
  moves.take(moved, books.ledger)
}
