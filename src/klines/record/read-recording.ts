import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Side } from '../../domain/orders/side.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { marketPath } from '../store/series-name.ts'
import type { RecordedLevel } from './recorded-row.ts'

/** A recorded row with its place among all rows, ns UTC. */
export type StampedRow = { readonly stamp: bigint; readonly at: number } & (
  | {
      readonly type: 'trade'
      readonly trade: {
        readonly id: string
        readonly time: number
        readonly price: string
        readonly quantity: string
        readonly side: Side
      }
    }
  | {
      readonly type: 'book'
      readonly time: number
      readonly bids: readonly RecordedLevel[]
      readonly asks: readonly RecordedLevel[]
    }
)

/**
 * Trades and order books that a `TickRecorder` has recorded of a symbol, in the order in which they became known;
 * throws `UsageError` that names file and line for a row that is none.
 */
export function readRecording(folder: string, venue: string, symbol: string): readonly StampedRow[] {
  const ticks = join(folder, marketPath({ venue, symbol }), 'ticks')
  const rows = [...rowsIn(ticks, 'trades', tradeRow), ...rowsIn(ticks, 'depth', bookRow)]
  return rows.sort((left, right) => (left.stamp < right.stamp ? -1 : 1))
}

type ReadRow = (fields: readonly string[]) => StampedRow | undefined

function* rowsIn(folder: string, kind: 'trades' | 'depth', read: ReadRow): Generator<StampedRow> {
  for (const name of filesOf(folder, `.${kind}.csv`)) {
    const path = join(folder, name)
    const [, ...lines] = readFileSync(path, 'utf8').split('\n')
    // Without a line end, the last line is half written.
    for (const [index, line] of lines.slice(0, -1).entries()) {
      const row = read(line.split(','))
      if (row === undefined)
        throw new UsageError(`${path}:${index + 2}: the line is no row of ${kind}: ${line}`)
      yield row
    }
  }
}

function filesOf(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith(ending))
      .sort()
  } catch {
    return []
  }
}

const tradeRow: ReadRow = ([stamp = '', time, id, price, quantity, isSell]) => {
  if (id === undefined || price === undefined || quantity === undefined || isSell === undefined)
    return undefined
  const side = isSell === '1' ? 'sell' : 'buy'
  return { ...stampOf(stamp), type: 'trade', trade: { id, time: Number(time), price, quantity, side } }
}

const bookRow: ReadRow = ([stamp = '', time, bids, asks]) =>
  bids === undefined || asks === undefined
    ? undefined
    : { ...stampOf(stamp), type: 'book', time: Number(time), bids: sideOf(bids), asks: sideOf(asks) }

function stampOf(text: string): { readonly stamp: bigint; readonly at: number } {
  const stamp = BigInt(text)
  return { stamp, at: Number(stamp / 1_000_000n) }
}

function sideOf(text: string): readonly RecordedLevel[] {
  if (text === '') return []
  return text.split(' ').map(level => {
    const [price = '', quantity = ''] = level.split(':')
    return [price, quantity]
  })
}
