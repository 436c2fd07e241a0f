/** One value of a parameter. */
type Value = number | string | boolean

/** Choices of one parameter, window by window. */
export interface ParameterDrift {
  readonly name: string
  /** In order of the windows. */
  readonly values: readonly Value[]
  /** Number of windows that chose another value than the window before. */
  readonly changes: number
  /** Mean size of a change between neighbours; `undefined` for one window, and for values that are no numbers. */
  readonly meanStep: number | undefined
}

/** Changes of each parameter from window to window, by the parameters of the first window. */
export function parameterDrift(chosen: readonly Readonly<Record<string, Value>>[]): ParameterDrift[] {
  return Object.keys(chosen[0] ?? {}).map(name => {
    const values = chosen.map(parameters => parameters[name] as Value)
    const pairs = values.slice(1).map((value, index) => [values[index] as Value, value] as const)
    const steps = pairs.map(([before, after]) =>
      typeof before === 'number' && typeof after === 'number' ? Math.abs(after - before) : Number.NaN,
    )
    const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length
    return {
      name,
      values,
      changes: pairs.filter(([before, after]) => before !== after).length,
      meanStep: Number.isNaN(mean) ? undefined : mean,
    }
  })
}
