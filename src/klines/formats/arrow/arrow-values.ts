import { type Data, DataType, DateUnit, Precision, TimeUnit } from 'apache-arrow'
import { msOfTime } from '../layouts/row-layout.ts'
import { setWholeNumbers } from '../layouts/whole-numbers.ts'

const MS_PER_DAY = 86_400_000
/** Units of a timestamp in one ms. */
const UNITS_PER_MS = {
  [TimeUnit.SECOND]: 1e-3,
  [TimeUnit.MILLISECOND]: 1,
  [TimeUnit.MICROSECOND]: 1e3,
  [TimeUnit.NANOSECOND]: 1e6,
} as const satisfies Record<TimeUnit, number>

/** Whether a column of this type can hold moments. */
export function canBeTime(type: DataType | undefined): boolean {
  return canBeValue(type) || DataType.isTimestamp(type) || DataType.isDate(type)
}

/** Whether a column of this type can hold prices and volumes. */
export function canBeValue(type: DataType | undefined): boolean {
  return DataType.isInt(type) || (DataType.isFloat(type) && type.precision !== Precision.HALF)
}

/** Writes the values of a column; NaN for what is null or infinite. */
export function readValues(data: Data, target: Float64Array): void {
  // Of the types that can be a value.
  const values: Exclude<NodeJS.TypedArray, Uint8ClampedArray> = data.values
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) setWholeNumbers(target, values)
  else target.set(values.subarray(0, target.length))
  for (let row = 0; row < target.length; row++) {
    if (!Number.isFinite(target[row])) target[row] = Number.NaN
  }
  if (data.nullCount > 0) markNulls(data, target)
}

/** Writes the moments of a column in ms UTC; NaN for what is null or none. */
export function readTimes(data: Data, target: Float64Array): void {
  readValues(data, target)
  const { type } = data
  for (let row = 0; row < target.length; row++) target[row] = msOf(target[row] as number, type) // inside
}

function msOf(value: number, type: DataType): number {
  // Whole ms are exact even where the number of ns is not: it is off by 128 ns at most.
  if (DataType.isTimestamp(type)) return Math.round(value / UNITS_PER_MS[type.unit])
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? value * MS_PER_DAY : value
  return msOfTime(value)
}

function markNulls(data: Data, target: Float64Array): void {
  for (let row = 0; row < target.length; row++) if (!data.getValid(row)) target[row] = Number.NaN
}
