import { UsageError } from '../../domain/sluice-error.ts'

/** Numbers from `min` to `max`; of a `step`, or any number between them without one. */
export interface RangeDimension {
  readonly kind: 'range'
  readonly name: string
  readonly min: number
  readonly max: number
  readonly step?: number
}

/** A few values without an order. */
export interface ChoiceDimension {
  readonly kind: 'choice'
  readonly name: string
  readonly options: readonly (string | boolean)[]
}

/** One parameter of a search. */
export type Dimension = RangeDimension | ChoiceDimension

/** Parameters that a search varies. */
export type SearchSpace = readonly Dimension[]

/** Values of all parameters of a search. */
export type ParameterPoint = Readonly<Record<string, number | string | boolean>>

/**
 * A point as samplers see it: one coordinate in [0, 1) per dimension. Of a dimension with n values, the k-th (from 0) has
 * the cell from k/n to (k + 1)/n, and stands in its middle.
 */
export type UnitPoint = Float64Array

/** Number of values of a dimension; `undefined` where it is continuous. Throws `UsageError` where it has none. */
export function levelCount(dimension: Dimension): number | undefined {
  if (dimension.kind === 'choice') return atLeastOne(dimension, dimension.options.length)
  const { min, max, step } = dimension
  if (!(max >= min)) return atLeastOne(dimension, 0)
  if (step === undefined) return min === max ? 1 : undefined
  // A whole number of steps may miss `max` by rounding.
  return atLeastOne(dimension, step > 0 ? Math.floor((max - min) / step + 1e-9) + 1 : 0)
}

function atLeastOne({ name }: Dimension, levels: number): number {
  if (levels < 1) throw new UsageError(`Parameter "${name}" has no value to search.`)
  return levels
}

/** Number of points of a space; `undefined` where a dimension is continuous. */
export function sizeOf(space: SearchSpace): number | undefined {
  return space
    .map(levelCount)
    .reduce<number | undefined>(
      (product, levels) => (product === undefined || levels === undefined ? undefined : product * levels),
      1,
    )
}

/** The parameter values of a point. */
export function parametersAt(space: SearchSpace, unit: UnitPoint): ParameterPoint {
  return Object.fromEntries(
    space.map((dimension, index) => [dimension.name, valueAt(dimension, unit[index] as number)]),
  )
}

function valueAt(dimension: Dimension, coordinate: number): number | string | boolean {
  const levels = levelCount(dimension)
  const level = levels === undefined ? 0 : levelAt(coordinate, levels)
  if (dimension.kind === 'choice') return dimension.options[level] as string | boolean
  const { min, max, step } = dimension
  if (step === undefined) return min + coordinate * (max - min)
  // The nearest double of the decimal: 0.1 + 2 × 0.1 is 0.3.
  return Number((min + level * step).toFixed(Math.max(decimalsOf(min), decimalsOf(step))))
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.min(100, Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent)))
}

/** The point moved to the middle of its cells. */
export function centredPoint(levels: readonly (number | undefined)[], unit: UnitPoint): UnitPoint {
  return unit.map((coordinate, index) => {
    const count = levels[index]
    return count === undefined ? coordinate : (levelAt(coordinate, count) + 0.5) / count
  })
}

/** Number of the cell that a coordinate lies in. */
function levelAt(coordinate: number, levels: number): number {
  return Math.min(levels - 1, Math.floor(coordinate * levels))
}
