import { stampIn } from '../book-columns.ts'
import { expectationOf, headerOf, msOfTime, type RowField, type RowLayout } from '../layouts/row-layout.ts'
import { decimalIn, endOfField, readDecimalField } from './decimal-field.ts'

const COMMA = 44

/** Parses the fields of rows: texts of CSV, or the bytes of a JSON list. */
export class RowFields {
  /** Values of the parsed row, in the order of the layout's columns. */
  readonly values: Float64Array
  readonly #layout: RowLayout
  /** Target column of each field; -1 for none. */
  readonly #columnOf: readonly number[]
  readonly #isFlag: readonly boolean[]
  /** Fields that are times in ns, with their columns. */
  readonly #stamps: readonly (readonly [field: number, ms: number, ns: number])[]
  readonly #timeColumn: number

  constructor(layout: RowLayout) {
    const { columns, fields } = layout
    this.values = new Float64Array(columns.length)
    this.#layout = layout
    this.#columnOf = fields.map(({ column }) => (column === undefined ? -1 : columns.indexOf(column)))
    this.#stamps = fields.flatMap(({ stamp }, field) =>
      stamp === undefined ? [] : [[field, columns.indexOf(stamp[0]), columns.indexOf(stamp[1])] as const],
    )
    this.#isFlag = fields.map(({ kind }) => kind === 'buyerIsMaker')
    this.#timeColumn = this.#columnOf[fields.findIndex(({ kind, column }) => kind === 'time' && column)] ?? -1
  }

  /** Parses a row into `values`; returns false if it does not fit the layout. */
  readTexts(texts: readonly string[]): boolean {
    const fields = this.#columnOf.length
    if (texts.length !== fields) return false
    for (let field = 0; field < fields; field++) {
      const column = this.#columnOf[field] as number // a field has a place here
      const text = texts[field] as string // as many as fields
      if (column >= 0) this.values[column] = this.#isFlag[field] ? takerSide(text) : decimalIn(text)
    }
    for (const [field, ms, ns] of this.#stamps) {
      const stamp = stampIn(texts[field] as string)
      this.values[ms] = stamp?.[0] ?? 0
      this.values[ns] = stamp?.[1] ?? 0
    }
    return this.#isComplete()
  }

  /**
   * Parses the numbers whose first one starts at `start` into `values`; returns the end of the last one, or -1 if
   * they do not fit the layout.
   */
  readNumbers(bytes: Uint8Array, start: number): number {
    const fields = this.#columnOf.length
    let at = start - 1
    for (let field = 0; field < fields; field++) {
      const column = this.#columnOf[field] as number // a field has a place here
      at = column < 0 ? endOfField(bytes, at + 1) : readDecimalField(bytes, at + 1, this.values, column)
      if ((bytes[at] === COMMA) === (field === fields - 1)) return -1
    }
    return this.#isComplete() ? at : -1
  }

  /** Brings the time of the row to ms; returns false if the row lacks a value. */
  #isComplete(): boolean {
    const { values } = this
    values[this.#timeColumn] = msOfTime(values[this.#timeColumn] as number) // every layout has a time
    for (let column = 0; column < values.length; column++) if (Number.isNaN(values[column])) return false
    return true
  }

  /** Problem of a row that could not be parsed, as the rest of a sentence; `texts` are its fields. */
  problemOf(texts: readonly string[]): string {
    const { fields } = this.#layout
    if (texts.length !== fields.length) {
      const separator = texts.length === 1 ? /[;|\t]/.exec(texts[0] ?? '')?.[0] : undefined
      if (separator !== undefined)
        return `separates its columns by ${separator === '\t' ? 'tabs' : `"${separator}"`}, but they must be separated by commas: ${headerOf(this.#layout)}.`
      return `has ${texts.length} columns, but ${fields.length} were expected: ${headerOf(this.#layout)}.`
    }
    const wrong = fields.findIndex((field, index) => field.column && !isReadable(texts[index] ?? '', field))
    const field = fields[wrong]
    if (field === undefined) return 'is not complete.'
    return `has "${texts[wrong]}" as its ${field.label ?? field.name}; expected ${expectationOf(field)}.`
  }
}

/** True if a field can be parsed. */
export function isReadable(text: string, { kind }: RowField): boolean {
  if (kind === 'buyerIsMaker') return !Number.isNaN(takerSide(text))
  const value = decimalIn(text)
  return !Number.isNaN(kind === 'time' ? msOfTime(value) : value)
}

/** 1 if the taker bought, -1 if the taker sold; NaN for other text. */
function takerSide(buyerIsMaker: string): number {
  if (/^(true|True|TRUE|1)$/.test(buyerIsMaker)) return -1
  return /^(false|False|FALSE|0)$/.test(buyerIsMaker) ? 1 : Number.NaN
}
