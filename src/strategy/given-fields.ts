/** Fields of an unchecked value. */
export type Fields = Readonly<Record<string, unknown>>

/** True for a finite number above 0. */
export function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

/** JSON that keeps NaN and Infinity readable. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return JSON.stringify(value, (_, part) =>
    typeof part === 'number' && !Number.isFinite(part) ? String(part) : part,
  )
}
