/** Keys that `fromJournalText` interprets as tags. */
const TAGS = ['$bigint', '$number', '$map', '$set']

/**
 * True if `journalText` writes a value so that it parses to the same value: data without functions, class
 * instances, lists with holes, or cycles. Only absent values in records may be lost, as in JSON.
 */
export function isPlainData(value: unknown): boolean {
  return isPlainPart(value, new Set())
}

/** `around`: the objects that contain the value, to detect cycles. */
function isPlainPart(value: unknown, around: Set<object>): boolean {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      return false
    case 'object':
      return value === null || isPlainObject(value, around)
    default:
      return true
  }
}

function isPlainObject(value: object, around: Set<object>): boolean {
  if (around.has(value)) return false
  around.add(value)
  const isPlain = partsOf(value)?.every(part => isPlainPart(part, around)) === true
  around.delete(value)
  return isPlain
}

/** Parts of a list, a Map, a Set or a record; `undefined` for any other object, and for lists with holes. */
function partsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return withoutGaps([...value])
  if (value instanceof Map) return withoutGaps([...value].flat())
  if (value instanceof Set) return withoutGaps([...value])
  const prototype: unknown = Object.getPrototypeOf(value)
  const isRecord = prototype === Object.prototype || prototype === null
  return isRecord && !TAGS.some(tag => Object.hasOwn(value, tag)) ? Object.values(value) : undefined
}

/** JSON would write null for a missing element. */
function withoutGaps(parts: readonly unknown[]): readonly unknown[] | undefined {
  return parts.includes(undefined) ? undefined : parts
}
