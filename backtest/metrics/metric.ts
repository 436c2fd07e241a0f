/** One figure of a report: a number, or the reason why there is none. */
export type Metric = { readonly value: number } | { readonly notAvailable: string }

/** A figure; one that is not finite is not available, so that no report prints an infinite ratio. */
export function metric(value: number): Metric {
  return Number.isFinite(value)
    ? { value }
    : { notAvailable: 'the sample gives no finite value, such as a division by zero' }
}

/** No figure, and why: a clause that completes "not available: …". */
export function notAvailable(reason: string): Metric {
  return { notAvailable: reason }
}

/** A figure of a sample that must have at least `minimum` items; `items` names them in the reason, in the plural. */
export function metricOfAtLeast(minimum: number, items: string, count: number, figure: () => number): Metric {
  return count >= minimum
    ? metric(figure())
    : notAvailable(`needs at least ${minimum} ${items}, has ${count}`)
}

/** The number, or `null` where there is none. */
export function numberOf(figure: Metric): number | null {
  return 'value' in figure ? figure.value : null
}
