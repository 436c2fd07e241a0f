/** A statistic of a sample: its value, or `undefined` with a sentence that says why the sample has none. */
export type Statistic<Value = number> =
  | { readonly value: Value; readonly reason?: undefined }
  | { readonly value: undefined; readonly reason: string }

/** A statistic that the sample has. */
export function defined<Value>(value: Value): Statistic<Value> {
  return { value }
}

/** A statistic that the sample does not have, with the reason as a sentence. */
export function undefinedBecause(reason: string): Statistic<never> {
  return { value: undefined, reason }
}

/** A computed number; one that is not finite is no statistic. */
export function finite(value: number, reason: string): Statistic {
  return Number.isFinite(value) ? defined(value) : undefinedBecause(reason)
}

/** A statistic that a computation makes of another one; it is undefined where that one is, for the same reason. */
export function derived<From, To>(
  statistic: Statistic<From>,
  compute: (value: From) => Statistic<To>,
): Statistic<To> {
  return statistic.reason === undefined ? compute(statistic.value) : undefinedBecause(statistic.reason)
}
