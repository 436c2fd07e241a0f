type FieldKind =
  /** A time in seconds, ms or µs since 1970, UTC. */
  | 'time'
  | 'number'
  /**
   * True if the buyer of a trade was the maker: true, false, 1 or 0. Parsed as the taker's side: -1 (sell) or
   * 1 (buy).
   */
  | 'buyerIsMaker'

export interface RowField<Column extends string = string> {
  /** Its name in a header. */
  readonly name: string
  /** Target column; a field without one is not read. */
  readonly column?: Column
  /** Target columns of a time in ns: its ms, and the ns within that; 0 for text that is no such time. */
  readonly stamp?: readonly [ms: Column, ns: Column]
  readonly kind: FieldKind
  /** True if headers may use any name for it. */
  readonly anyName?: boolean
  /** Name in messages; default: `name`. */
  readonly label?: string
  /** Expected content, in messages. */
  readonly expected?: string
}

/** The fields of a row of text, in order. */
export interface RowLayout<Column extends string = string> {
  /** The columns that are read, in memory order. */
  readonly columns: readonly Column[]
  readonly fields: readonly RowField<Column>[]
}

/** A smaller number is taken for seconds: 10^11 ms lies in March 1973. */
const FIRST_MS = 1e11
/** From this number on it is taken for µs: as ms it would lie beyond the year 5138. */
const FIRST_US = 1e14
const FIRST_NS = 1e17

/** Converts a whole number of seconds, ms or µs (by its size) to ms UTC; NaN for any other number. */
export function msOfTime(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value >= FIRST_NS) return Number.NaN
  if (value < FIRST_MS) return value * 1000
  return value < FIRST_US ? value : Math.floor(value / 1000)
}

/** Expected content of a field, in a message. */
export function expectationOf({ kind, expected }: RowField): string {
  if (expected !== undefined) return expected
  if (kind === 'time') return 'a whole number of milliseconds (or seconds, or microseconds) since 1970, UTC'
  return kind === 'number' ? 'a number' : 'true or false'
}

/** Header line of a layout. */
export function headerOf({ fields }: RowLayout): string {
  return fields.map(({ name }) => name).join(',')
}

/** True if these texts are the header of a layout. */
export function isHeader(texts: readonly string[], { fields }: RowLayout): boolean {
  return (
    texts.length === fields.length &&
    texts.every(
      (text, index) => fields[index]?.anyName === true || text.toLowerCase() === fields[index]?.name,
    ) &&
    !/^\d/.test(texts[0] ?? '')
  )
}
