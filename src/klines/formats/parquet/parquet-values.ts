import type { DecodedArray, FileMetaData, ParquetReadOptions, SchemaElement } from 'hyparquet'
import { msOfTime } from '../layouts/row-layout.ts'
import { setWholeNumbers } from '../layouts/whole-numbers.ts'

const MS_PER_DAY = 86_400_000
/** Converts other types of times to ms UTC; rounding to ms is exact even if the double of the ns is not. */
export const MOMENTS: NonNullable<ParquetReadOptions['parsers']> = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: micros => Math.round(Number(micros) / 1e3),
  timestampFromNanoseconds: nanos => Math.round(Number(nanos) / 1e6),
  dateFromDays: days => days * MS_PER_DAY,
}
/** Units of a timestamp in one ms. */
const UNITS_PER_MS = { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 }

/** Writes values, NaN for missing ones, and frees their memory if it is not shared. */
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

/** NaN for null or infinite values. */
function numberOf(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN
}

/** Declares timestamps as plain integers, so that the library creates no object for each. */
export function withPlainTimestamps(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(element => {
    if (unitsPerMs(element) === undefined) return element
    const { logical_type: _, converted_type: __, ...plain } = element
    return plain
  })
  return { ...metadata, schema }
}

/** Converts raw times to ms UTC. */
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
  // For a column with nulls, the library creates objects in any case.
  if (type !== 'INT64' || repetition_type !== 'REQUIRED') return undefined
  if (converted_type === 'TIMESTAMP_MILLIS') return UNITS_PER_MS.MILLIS
  if (converted_type === 'TIMESTAMP_MICROS') return UNITS_PER_MS.MICROS
  return logical_type?.type === 'TIMESTAMP' ? UNITS_PER_MS[logical_type.unit] : undefined
}

/** True if a column of this type can hold times. */
export function isParquetTime(element: SchemaElement): boolean {
  return isMoment(element) || isParquetValue(element)
}

/** True if a column of this type can hold prices and volumes. */
export function isParquetValue(element: SchemaElement): boolean {
  const meaning = element.logical_type?.type ?? element.converted_type
  const isPlain = meaning === undefined || /^(INTEGER|U?INT_\d+)$/.test(meaning)
  return isPlain && ['DOUBLE', 'FLOAT', 'INT32', 'INT64'].includes(element.type ?? '')
}

/** True if `MOMENTS` converts it. */
function isMoment({ type, logical_type, converted_type }: SchemaElement): boolean {
  return type === 'INT96' || /^(TIMESTAMP|DATE)/.test(logical_type?.type ?? converted_type ?? '')
}
