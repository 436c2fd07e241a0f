/** A fraction to six decimals, as JSON and CSV have it; `undefined` where it is not known. */
export function shortFraction(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : Math.round(value * 1e6) / 1e6
}
