import {
  type DataType,
  Field,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimestampMillisecond,
} from 'apache-arrow'
import type { KlineColumns } from '../../kline-columns.ts'
import { ArrowFileWriter } from '../../store/arrow-file-writer.ts'

/**
 * Klines as an uncompressed Arrow IPC file with the columns of freqtrade's feather files: date (UTC), open,
 * high, low, close, volume.
 */
export function encodeArrow({ length, openTime, open, high, low, close, volume }: KlineColumns): Uint8Array {
  const values = { open, high, low, close, volume }
  const dates = BigInt64Array.from(openTime, BigInt)
  const date = new TimestampMillisecond('UTC')
  const children = [
    makeData({ type: date, data: dates, length, nullCount: 0 }),
    ...Object.values(values).map(data => makeData({ type: new Float64(), data, length, nullCount: 0 })),
  ]
  const fields: Field<DataType>[] = [
    new Field('date', date, false),
    ...Object.keys(values).map(name => new Field(name, new Float64(), false)),
  ]
  const schema = new Schema(fields)
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
  )
  return new ArrowFileWriter().writeAll([batch]).finish().toUint8Array(true)
}
