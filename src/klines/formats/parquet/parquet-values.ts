import type { DecodedArray, FileMetaData, ParquetReadOptions, SchemaElement } from 'hyparquet'
import { msOfTime } from '../layouts/row-layout.ts'
import { setWholeNumbers } from '../layouts/whole-numbers.ts'

const MS_PER_DAY = 86_400_000
/** How to read moments that are no plain timestamps, as ms UTC; whole ms are exact even where the number of ns is not. */
export const MOMENTS: NonNullable<ParquetReadOptions['parsers']> = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: micros => Math.round(Number(micros) / 1e3),
  timestampFromNanoseconds: nanos => Math.round(Number(nanos) / 1e6),
  dateFromDays: days => days * MS_PER_DAY,
}
/** Units of a timestamp in one ms. */
const UNITS_PER_MS = { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 }

/** Writes values, NaN for those that are missing, and gives back their memory where it is theirs alone. */
export function setValues(target: Float64Array, values: DecodedArray): void {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) setWholeNumbers(target, values)
  else if (values instanceof Float64Array) setDoubles(target, values)
  else for (let row = 0; row < target.length; row++) target[row] = numberOf(values[row])
  if (Array.isArray(values) || !(values.buffer instanceof ArrayBuffer)) return
  if (values.buffer.byteLength === values.byteLength) values.buffer.transfer(0)
}

function setDoubles(target: Float64Array, values: Float64Array): void {
  target.set(values)
  for (let row = 0; row < target.length; row++) {
    if (!Number.isFinite(target[row])) target[row] = Number.NaN
  }
}

/** NaN for what is null or infinite. */
function numberOf(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN
}

/** Timestamps as the whole numbers that they are, so that the library makes no object of each. */
export function withPlainTimestamps(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(element => {
    if (unitsPerMs(element) === undefined) return element
    const { logical_type: _, converted_type: __, ...plain } = element
    return plain
  })
  return { ...metadata, schema }
}

/** Makes ms UTC of what was read as times. */
export function setMoments(times: Float64Array, element: SchemaElement): void {
  const units = unitsPerMs(element)
  if (units === undefined && isMoment(element)) return
  for (let row = 0; row < times.length; row++) {
    const time = times[row] as number // inside
    times[row] = units === undefined ? msOfTime(time) : Math.round(time / units)
  }
}

function unitsPerMs(element: SchemaElement): number | undefined {
  const { type, repetition_type, logical_type, converted_type } = element
  // Of a column with nulls, the library makes objects in any case.
  if (type !== 'INT64' || repetition_type !== 'REQUIRED') return undefined
  if (converted_type === 'TIMESTAMP_MILLIS') return UNITS_PER_MS.MILLIS
  if (converted_type === 'TIMESTAMP_MICROS') return UNITS_PER_MS.MICROS
  return logical_type?.type === 'TIMESTAMP' ? UNITS_PER_MS[logical_type.unit] : undefined
}

/** Whether a column of this kind can hold moments. */
export function canBeTime(element: SchemaElement): boolean {
  return isMoment(element) || canBeValue(element)
}

/** Whether a column of this kind can hold prices and volumes. */
export function canBeValue(element: SchemaElement): boolean {
  const meaning = element.logical_type?.type ?? element.converted_type
  const isPlain = meaning === undefined || /^(INTEGER|U?INT_\d+)$/.test(meaning)
  return isPlain && ['DOUBLE', 'FLOAT', 'INT32', 'INT64'].includes(element.type ?? '')
}

/** Whether `MOMENTS` reads it. */
function isMoment({ type, logical_type, converted_type }: SchemaElement): boolean {
  return type === 'INT96' || /^(TIMESTAMP|DATE)/.test(logical_type?.type ?? converted_type ?? '')
}
