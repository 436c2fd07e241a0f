/** What a field of a row says. */
type FieldKind =
  /** A moment in seconds, ms or µs since 1970, UTC. */
  | 'time'
  | 'number'
  /** Whether the buyer of a trade was the maker: true, false, 1 or 0. Read as the taker's side: -1 (sold) or 1 (bought). */
  | 'buyerIsMaker'

/** One field of a row. */
export interface RowField<Column extends string = string> {
  /** Its name in a header. */
  readonly name: string
  /** The column it becomes; without one, it is not read. */
  readonly column?: Column
  readonly kind: FieldKind
  /** Headers may call it what they like. */
  readonly anyName?: boolean
  /** What to call it in a sentence; otherwise its name. */
  readonly label?: string
  /** What it should say, in a sentence. */
  readonly expected?: string
}

/** The fields of a row of text, in order. */
export interface RowLayout<Column extends string = string> {
  /** The columns that are read, in the order of memory. */
  readonly columns: readonly Column[]
  readonly fields: readonly RowField<Column>[]
}

/** Moments before it, in ms, would be nearer as seconds: March 1973. */
const FIRST_MS = 1e11
/** Moments from here on are no ms, as they would lie past the year 5138. */
const FIRST_US = 1e14
const FIRST_NS = 1e17

/** The ms UTC that a whole number of seconds, ms or µs falls into (its size tells which it is); NaN for any other number. */
export function msOfTime(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value >= FIRST_NS) return Number.NaN
  if (value < FIRST_MS) return value * 1000
  return value < FIRST_US ? value : Math.floor(value / 1000)
}

/** What a field should say, for a sentence. */
export function expectationOf({ kind, expected }: RowField): string {
  if (expected !== undefined) return expected
  if (kind === 'time') return 'a whole number of milliseconds (or seconds, or microseconds) since 1970, UTC'
  return kind === 'number' ? 'a number' : 'true or false'
}

/** The header of a layout. */
export function headerOf({ fields }: RowLayout): string {
  return fields.map(({ name }) => name).join(',')
}

/** Whether these texts are the header of a layout. */
export function isHeader(texts: readonly string[], { fields }: RowLayout): boolean {
  return (
    texts.length === fields.length &&
    texts.every((text, index) => fields[index]?.anyName === true || text === fields[index]?.name) &&
    !/^\d/.test(texts[0] ?? '')
  )
}
