import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFile, makePrivateFolder } from '../../files/private-file.ts'
import { TickRecorder } from '../../klines/record/tick-recorder.ts'
import type { SessionGap } from '../../matching/session-row.ts'
import type { MarketObservation } from '../../simulator/live/market-observation.ts'

/** Folder of the record within that of a session, as a venue of the store. */
export const RECORDED_VENUE = 'host'
/** File of what became of the orders, one JSON object a line. */
export const SESSION_FILE = 'session.jsonl'

/**
 * The record of a paper session: everything that was read, in the files that backtests replay, and what became of
 * the orders. Without a folder nothing is kept.
 */
export class PaperSession {
  readonly #file: string | undefined
  readonly #recorder: TickRecorder | undefined
  #rows = ''

  /** Creates the folder if needed. */
  constructor(folder: string | undefined) {
    if (folder === undefined) return
    makePrivateFolder(folder)
    this.#file = join(folder, SESSION_FILE)
    makePrivateFile(this.#file)
    this.#recorder = new TickRecorder(folder, RECORDED_VENUE)
  }

  /** Adds a row of an order, or of the session, with its place among all that is recorded. */
  note<Row extends { readonly type: string; readonly at: number }>(row: Row): void {
    const stamp = this.#recorder?.stamp(row.at)
    if (stamp !== undefined) this.#rows += `${JSON.stringify({ stamp, ...row })}\n`
  }

  /** Adds an observation, known at `now` (ms UTC); days and rules are no ticks, and stay with the orders. */
  observed(observation: MarketObservation, now: number): void {
    const { symbol } = observation
    switch (observation.kind) {
      case 'book':
        this.#recorder?.book(symbol, { localMs: now, ...observation.book })
        break
      case 'trades':
        this.#recorder?.trades(
          symbol,
          observation.trades.map(trade => ({ localMs: now, ...trade })),
        )
        break
      case 'index':
        this.#recorder?.index(symbol, { localMs: now, time: now, ...observation })
        break
      case 'gap':
        this.#recorder?.gap(symbol, { localMs: now, ...observation })
        this.note(gapRow(observation, now))
        break
      case 'rules':
        this.note({ type: 'rules', at: now, ...observation })
    }
  }

  /** Writes what was added. */
  flush(): void {
    this.#recorder?.flush()
    if (this.#file === undefined || this.#rows === '') return
    appendFileSync(this.#file, this.#rows)
    this.#rows = ''
  }

  /** Writes what was added, and closes the files. */
  close(): void {
    this.flush()
    this.#recorder?.close()
  }
}

function gapRow(
  { symbol, from, until, reason, minutes }: Extract<MarketObservation, { kind: 'gap' }>,
  at: number,
): SessionGap {
  return { type: 'gap', at, symbol, from, until, reason, minutes }
}
