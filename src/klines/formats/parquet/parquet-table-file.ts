import type { SchemaElement } from 'hyparquet'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'

/** A column of texts, doubles, whole numbers, or lists of doubles. */
export interface TableColumn {
  readonly name: string
  readonly type: 'STRING' | 'DOUBLE' | 'INT64' | 'DOUBLES'
}

/** One value of a column; `null` is absent. */
export type TableValue = string | number | Float64Array | null

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
    const elements = columns.flatMap(elementsOf)
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
      columnData: this.#columns.map(({ name, type }, place) => ({
        name,
        data: this.#rows.map(row => storedValue(type, row[place] ?? null)),
      })),
      rowGroupSize: GROUP,
    })
    this.#rows = []
  }
}

/** A column as the schema of the file has it; a list has two levels below it. */
function elementsOf({ name, type }: TableColumn): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (type) {
    case 'STRING':
      return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }]
    case 'DOUBLE':
    case 'INT64':
      return [{ ...optional, type }]
    case 'DOUBLES':
      return [
        { ...optional, num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', type: 'DOUBLE' },
      ]
  }
}

function storedValue(type: TableColumn['type'], value: TableValue): unknown {
  if (value === null) return null
  if (type === 'INT64') return BigInt(value as number) // a whole number
  return value instanceof Float64Array ? [...value] : value
}
