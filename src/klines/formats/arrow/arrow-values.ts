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

/** True if a column of this type can hold times. */
export function isArrowTime(type: DataType | undefined): boolean {
  return isArrowValue(type) || DataType.isTimestamp(type) || DataType.isDate(type)
}

/** True if a column of this type can hold prices and volumes. */
export function isArrowValue(type: DataType | undefined): boolean {
  return DataType.isInt(type) || (DataType.isFloat(type) && type.precision !== Precision.HALF)
}

/** Writes the values of a column; NaN for null or infinite ones. */
export function readValues(data: Data, target: Float64Array): void {
  // The column has one of the types of `canBeValue`.
  const values: Exclude<NodeJS.TypedArray, Uint8ClampedArray> = data.values
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) setWholeNumbers(target, values)
  else target.set(values.subarray(0, target.length))
  for (let row = 0; row < target.length; row++) {
    if (!Number.isFinite(target[row])) target[row] = Number.NaN
  }
  if (data.nullCount > 0) markNulls(data, target)
}

/** Writes the times of a column in ms UTC; NaN for null or invalid ones. */
export function readTimes(data: Data, target: Float64Array): void {
  readValues(data, target)
  const { type } = data
  for (let row = 0; row < target.length; row++) target[row] = msOf(target[row] as number, type) // inside
}

function msOf(value: number, type: DataType): number {
  // Rounding to ms is exact even if the double of the ns is not: it is off by 128 ns at most.
  if (DataType.isTimestamp(type)) return Math.round(value / UNITS_PER_MS[type.unit])
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? value * MS_PER_DAY : value
  return msOfTime(value)
}

function markNulls(data: Data, target: Float64Array): void {
  for (let row = 0; row < target.length; row++) if (!data.getValid(row)) target[row] = Number.NaN
}
