import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { KlineColumns } from '../../kline-columns.ts'

const ROWS_PER_GROUP = 100_000

/** Klines as a Parquet file (Snappy) with the columns date (UTC), open, high, low, close and volume. */
export function encodeParquet({ openTime, open, high, low, close, volume }: KlineColumns): Uint8Array {
  const values = { open, high, low, close, volume }
  const date: SchemaElement = {
    name: 'date',
    type: 'INT64',
    repetition_type: 'REQUIRED',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  }
  const doubles = Object.keys(values).map(
    (name): SchemaElement => ({
      name,
      type: 'DOUBLE',
      repetition_type: 'REQUIRED',
    }),
  )
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'date', data: BigInt64Array.from(openTime, BigInt) },
      ...Object.entries(values).map(([name, data]) => ({ name, data })),
    ],
    schema: [{ name: 'klines', num_children: 1 + doubles.length }, date, ...doubles],
    rowGroupSize: ROWS_PER_GROUP,
    createdBy: 'sluice',
  })
  return new Uint8Array(buffer)
}
