import type { SchemaElement } from 'hyparquet'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'

/** A column of texts or doubles. */
export interface TableColumn {
  readonly name: string
  readonly type: 'STRING' | 'DOUBLE'
}

/** One value of a column; `null` is absent. */
export type TableValue = string | number | null

/** Rows that are written at once, of which a file has as many as there are. */
const GROUP = 10_000

/** A Parquet file (Snappy) that is written row by row: it never has more than some of its rows in memory. */
export class ParquetTableFile {
  readonly #columns: readonly TableColumn[]
  readonly #writer: ParquetWriter
  #rows: (readonly TableValue[])[] = []

  /** Replaces what is at the path; `name` is that of the table in its schema. */
  constructor(path: string, name: string, columns: readonly TableColumn[]) {
    this.#columns = columns
    const elements = columns.map(
      ({ name: column, type }): SchemaElement => ({
        name: column,
        repetition_type: 'OPTIONAL',
        ...(type === 'STRING' ? { type: 'BYTE_ARRAY', converted_type: 'UTF8' } : { type }),
      }),
    )
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [{ name, num_children: columns.length }, ...elements],
      createdBy: 'sluice',
    })
  }

  /** Adds a row, with a value for each column in their order. */
  add(row: readonly TableValue[]): void {
    this.#rows.push(row)
    if (this.#rows.length === GROUP) this.#writeGroup()
  }

  /** Writes what is left, and the end of the file. */
  finish(): void {
    if (this.#rows.length > 0) this.#writeGroup()
    this.#writer.finish()
  }

  #writeGroup(): void {
    this.#writer.write({
      columnData: this.#columns.map(({ name }, place) => ({
        name,
        data: this.#rows.map(row => row[place] ?? null),
      })),
      rowGroupSize: GROUP,
    })
    this.#rows = []
  }
}
