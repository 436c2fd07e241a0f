/** Keys of records that `fromJournalText` takes for something else. */
const TAGS = ['$bigint', '$number', '$map', '$set']

/**
 * Whether `journalText` can write a value so that it reads back as it was: data, without functions, instances of classes,
 * lists with holes or circles. Only an absent value in a record may be lost, as in JSON.
 */
export function isPlainData(value: unknown): boolean {
  return isPlainPart(value, new Set())
}

/** `around`: the objects that the value is in. */
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

/** What a list, a Map, a Set or a record consists of; `undefined` for anything else. */
function partsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return withoutGaps([...value])
  if (value instanceof Map) return withoutGaps([...value].flat())
  if (value instanceof Set) return withoutGaps([...value])
  const prototype: unknown = Object.getPrototypeOf(value)
  const isRecord = prototype === Object.prototype || prototype === null
  return isRecord && !TAGS.some(tag => Object.hasOwn(value, tag)) ? Object.values(value) : undefined
}

/** JSON writes null for what is absent there. */
function withoutGaps(parts: readonly unknown[]): readonly unknown[] | undefined {
  return parts.includes(undefined) ? undefined : parts
}
