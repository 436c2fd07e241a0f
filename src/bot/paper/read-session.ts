import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../domain/sluice-error.ts'
import { readRecording } from '../../klines/record/read-recording.ts'
import type { ReplayedRow, SessionFill } from '../../matching/session-replay.ts'
import type { SessionGap, SessionRow, SessionStart } from '../../matching/session-row.ts'
import { RECORDED_VENUE, SESSION_FILE } from './paper-session.ts'

/** A recorded paper session. */
export interface RecordedSession {
  /** Everything that the matching needs, in the order in which it became known. */
  readonly rows: readonly ReplayedRow[]
  /** The fills of the session. */
  readonly fills: readonly SessionFill[]
  /** The latest start of a process. */
  readonly start: SessionStart
}

const REPLAYED = new Set(['start', 'gap', 'order', 'cancel'])

/** Reads the session in a folder; throws `UsageError` where there is none, or a line is no row of it. */
export function readSession(folder: string): RecordedSession {
  const lines = linesOf(folder)
  const fills = lines.filter((line): line is Line & SessionFill => line.type === 'fill')
  const starts = lines.filter((line): line is Line & SessionStart => line.type === 'start')
  const start = starts.at(-1)
  if (start === undefined)
    throw new UsageError(
      `${join(folder, SESSION_FILE)} has no start of a session; record one with "npm start".`,
    )
  const symbols = new Set(starts.flatMap(({ markets }) => markets.map(({ symbol }) => symbol)))
  const market = [...symbols].flatMap(symbol => ticksOf(folder, symbol, start.levels))
  const others = lines
    .filter(({ type }) => REPLAYED.has(type))
    .map(line => ({ stamp: BigInt(line.stamp), row: line as unknown as ReplayedRow })) // a row of one of these types
  const rows = [...market, ...others]
    .sort((left, right) => (left.stamp < right.stamp ? -1 : 1))
    .map(({ row }) => row)
  return { rows, fills: fills.map(({ stamp: _, ...fill }) => fill), start }
}

interface Line {
  readonly stamp: string
  readonly type: string
}

/** The rows of the session in a folder, in order; throws `UsageError` where there is none, or a line is no row of it. */
export function sessionRows(folder: string): readonly (SessionRow | SessionStart)[] {
  const kept = new Set(['start', 'order', 'cancel', 'fill'])
  return linesOf(folder).filter(({ type }) => kept.has(type)) as unknown as (SessionRow | SessionStart)[] // of one of these types
}

/** The gaps of a symbol with the minutes that judge them, each with its stamp, ns UTC as text; throws as `sessionRows`. */
export function sessionGaps(
  folder: string,
  symbol: string,
): readonly (SessionGap & { readonly stamp: string })[] {
  const gaps = linesOf(folder).filter(({ type }) => type === 'gap') as unknown as (Line & SessionGap)[] // of that type
  return gaps.filter(gap => gap.symbol === symbol)
}

function linesOf(folder: string): readonly Line[] {
  const path = join(folder, SESSION_FILE)
  if (!existsSync(path))
    throw new UsageError(
      `There is no paper session in ${folder}: ${SESSION_FILE} is missing. Give the folder that "venue.folder" names, with the name of the bot behind it, such as data/paper/paper-live.`,
    )
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((text, index): Line => {
    try {
      return JSON.parse(text)
    } catch {
      throw new UsageError(`${path}:${index + 1}: the line is no JSON: ${text.slice(0, 80)}`)
    }
  })
}

function ticksOf(
  folder: string,
  symbol: string,
  levels: number,
): readonly { readonly stamp: bigint; readonly row: ReplayedRow }[] {
  return readRecording(folder, RECORDED_VENUE, symbol).map(recorded => {
    const { stamp, at } = recorded
    if (recorded.type === 'trade') return { stamp, row: { type: 'trade', at, symbol, trade: recorded.trade } }
    const { time, bids, asks } = recorded
    return { stamp, row: { type: 'book', at, symbol, book: { time, bids, asks, levels } } }
  })
}
