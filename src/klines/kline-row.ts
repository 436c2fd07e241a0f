const LABELS = ['open time', 'open', 'high', 'low', 'close', 'volume']
/** From this number on a time is not in ms: it would lie beyond the year 5138. */
const LATEST_MS = 1e14

/**
 * True if a row (open time in ms, open, high, low, close, volume) is a possible kline that opens after
 * `previous`.
 */
export function isSoundRow(row: Float64Array, previous: number): boolean {
  // A row has six numbers.
  const time = row[0] as number
  const open = row[1] as number
  const high = row[2] as number
  const low = row[3] as number
  const close = row[4] as number
  const volume = row[5] as number
  return (
    time > previous &&
    time < LATEST_MS &&
    Number.isInteger(time) &&
    low > 0 &&
    open >= low &&
    open <= high &&
    close >= low &&
    close <= high &&
    high < Number.POSITIVE_INFINITY &&
    volume >= 0 &&
    volume < Number.POSITIVE_INFINITY
  )
}

/**
 * Problem of an unsound row and its remedy, as the rest of a sentence that starts with "Line n of file";
 * `texts` are its values.
 */
export function rowProblem(texts: readonly string[], row: Float64Array, previous: number): string {
  const wrong = texts.findIndex((_, field) => !isPossible(row[field], field))
  if (wrong >= 0) return `has "${texts[wrong]}" as its ${LABELS[wrong]}; expected ${expectation(wrong)}.`
  return timeProblem(row[0], previous) ?? rangeProblem(texts)
}

function isPossible(value: number | undefined, field: number): boolean {
  if (value === undefined || !Number.isFinite(value)) return false
  if (field === 0) return Number.isInteger(value) && value < LATEST_MS
  return field === 5 ? value >= 0 : value > 0
}

function expectation(field: number): string {
  if (field === 0) return 'a whole number of milliseconds since 1970, UTC'
  return field === 5 ? 'a number of at least 0' : 'a price above 0'
}

function timeProblem(time: number | undefined, previous: number): string | undefined {
  if (time === undefined || time > previous) return undefined
  const at = new Date(time).toISOString()
  if (time === previous)
    return `repeats the open time ${at} of the kline before it; keep one kline for each time.`
  return `opens at ${at}, before the kline above it (${new Date(previous).toISOString()}); sort the file by open time.`
}

function rangeProblem([, open, high, low, close]: readonly string[]): string {
  if (Number(high) < Number(low))
    return `has a high of ${high} below its low of ${low}; correct or remove it.`
  const outside =
    Number(open) < Number(low) || Number(open) > Number(high) ? `an open of ${open}` : `a close of ${close}`
  return `has ${outside} outside its low of ${low} and its high of ${high}; correct or remove it.`
}
