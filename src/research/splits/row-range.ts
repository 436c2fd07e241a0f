/** Consecutive rows of a record: from `from` up to but not including `to`. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** The problem of a count that must be a whole number of at least `least`, as a sentence; `undefined` for none. */
export function countProblem(name: string, count: number, least: number): string | undefined {
  if (Number.isInteger(count) && count >= least) return undefined
  return `${name} is ${count}, but must be a whole number of at least ${least}.`
}
