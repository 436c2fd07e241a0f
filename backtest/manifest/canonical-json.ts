/** JSON that is equal for equal data: keys sorted, a `bigint` as its text, a `Map` as an object, `undefined` left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => canonical(inner))
}

function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Map) return sorted(Object.fromEntries(value))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? sorted(value) : value
}

function sorted(object: object): object {
  const entries = Object.entries(object)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}
