import { readFileSync } from 'node:fs'
import { UsageError } from '../../domain/sluice-error.ts'
import { type ArrivalColumns, arrivalOf, stampIn } from '../formats/book-columns.ts'

/** Recorded mark prices and funding rates of a contract, ascending by their arrival. */
export interface MarkColumns {
  readonly length: number
  /** The exchange's time, ms UTC. */
  readonly time: Float64Array
  /** Without it, a row is known at its time. */
  readonly arrival?: ArrivalColumns | undefined
  /** Quote per base. */
  readonly price: Float64Array
  /** Fraction of the notional that longs pay to shorts at the next settlement, as far as the host tells. */
  readonly rate: Float64Array
}

/** Reads recorded index prices, of the files in the order given, without the half line at the end of a file. Throws `UsageError` for a damaged line. */
export function readRecordedMarks(paths: readonly string[]): MarkColumns {
  const rows = paths.flatMap(rowsOf)
  const column = (of: (row: MarkRow) => number) => Float64Array.from(rows, of)
  const time = column(row => row.time)
  return {
    length: rows.length,
    time,
    arrival: arrivalOf(
      time,
      column(({ stamp }) => stamp[0]),
      column(({ stamp }) => stamp[1]),
    ),
    price: column(({ price }) => price),
    rate: column(({ rate }) => rate),
  }
}

interface MarkRow {
  readonly stamp: readonly [ms: number, ns: number]
  readonly time: number
  readonly price: number
  readonly rate: number
}

function rowsOf(path: string): readonly MarkRow[] {
  const lines = readFileSync(path, 'latin1').split('\n').slice(1, -1)
  return lines.map((line, index) => {
    const [arrived = '', time = '', mark, , funding, more] = line.split(',')
    const [stamp, price, rate] = [stampIn(arrived), Number(mark), Number(funding)]
    const isRow = funding !== undefined && funding !== '' && more === undefined && /^\d+$/.test(time)
    if (stamp !== undefined && isRow && price > 0 && Number.isFinite(rate))
      return { stamp, time: Number(time), price, rate }
    throw new UsageError(`${path}:${index + 2}: the line is no row of index: ${line.slice(0, 80)}`)
  })
}
