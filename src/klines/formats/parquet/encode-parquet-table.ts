import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'

/** A column of texts or doubles; `null` is absent. */
export type TableColumn =
  | { readonly name: string; readonly type: 'STRING'; readonly values: readonly (string | null)[] }
  | { readonly name: string; readonly type: 'DOUBLE'; readonly values: readonly (number | null)[] }

/** Columns of one length as a Parquet file (Snappy). */
export function encodeParquetTable(name: string, columns: readonly TableColumn[]): Uint8Array {
  const elements = columns.map(
    ({ name: column, type }): SchemaElement => ({
      name: column,
      repetition_type: 'OPTIONAL',
      ...(type === 'STRING' ? { type: 'BYTE_ARRAY', converted_type: 'UTF8' } : { type }),
    }),
  )
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name: column, values }) => ({ name: column, data: [...values] })),
    schema: [{ name, num_children: columns.length }, ...elements],
    createdBy: 'sluice',
  })
  return new Uint8Array(buffer)
}
