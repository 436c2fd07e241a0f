/**
 * Lossless JSON text of the engine's inputs and outputs: a value that JSON lacks becomes an object with one
 * `$` key (`$bigint`, `$number`, `$map`, `$set`, `$error`), so that rows stay readable and parse to exactly
 * the written value.
 */
export function journalText(value: unknown): string {
  return JSON.stringify(value, tagged)
}

/** Parses text of `journalText`; throws `SyntaxError` for any other text. An error becomes a plain object. */
export function fromJournalText(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes('{"$') ? untagged(value) : value
}

/** The replacer of `JSON.stringify`. */
function tagged(_key: string, value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return { $bigint: value.toString() }
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? '-0' : `${value}` }
    case 'object':
      if (value instanceof Map) return { $map: [...value] }
      if (value instanceof Set) return { $set: [...value] }
      if (value instanceof Error) return { $error: value.message, name: value.name }
      return value
    default:
      return value
  }
}

function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(untagged)
  const record = value as Readonly<Record<string, unknown>> // all other JSON values are records
  if (typeof record.$bigint === 'string') return BigInt(record.$bigint)
  if (typeof record.$number === 'string') return Number(record.$number)
  if (Array.isArray(record.$map)) return new Map(record.$map.map(entryOf))
  if (Array.isArray(record.$set)) return new Set(record.$set.map(untagged))
  return Object.fromEntries(Object.entries(record).map(([key, part]) => [key, untagged(part)]))
}

function entryOf(entry: unknown): readonly [unknown, unknown] {
  const [key, value] = entry as readonly [unknown, unknown] // written from a Map's own entries
  return [untagged(key), untagged(value)]
}
