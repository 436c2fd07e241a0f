import { Field, Float64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow'
import { ArrowFileWriter } from './arrow-file-writer.ts'
import { type FileMetadata, metadataText } from './file-metadata.ts'
import { sealHead } from './head-seal.ts'
import { columnsChecksum } from './table-file.ts'

/**
 * Bytes of an Arrow IPC file with one record batch of Float64 columns without nulls, and one metadata entry
 * `sluice`: consecutive parts, of which the columns are views. Equal tables have equal bytes.
 */
export function encodeTable(
  columns: readonly Float64Array[],
  metadata: Omit<FileMetadata, 'checksum'>,
  fields: readonly string[],
): readonly Uint8Array[] {
  const text = metadataText({ ...metadata, checksum: columnsChecksum(columns) })
  const schema = new Schema(
    fields.map(field => new Field(field, new Float64(), false)),
    new Map([['sluice', text]]),
  )
  const children = columns.map(data =>
    makeData({ type: new Float64(), data, length: data.length, nullCount: 0 }),
  )
  const type = new Struct(schema.fields)
  const batch = new RecordBatch(schema, makeData({ type, length: metadata.rows, nullCount: 0, children }))
  const writer = new ArrowFileWriter()
  writer.writeAll([batch]).finish()
  const { head, rows, end } = writer.parts()
  sealHead(head, end)
  return [head, ...rows, end]
}
