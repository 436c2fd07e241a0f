import type { JsonValue } from '../protocol/json-text.ts'

/** Objects that are known by their name wherever they appear. */
const NAME_KEYS = ['name', 'uid'] as const
const DEEPEST = 4

/** A value as JSON: maps as objects, contracts and accounts inside others by their name, bigints as text, no functions. */
export function plainView(value: unknown, depth = 0): JsonValue {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'object':
      return value === null ? null : objectView(value, depth)
    default:
      return null
  }
}

function objectView(value: object, depth: number): JsonValue {
  if (depth > DEEPEST) return null
  if (Array.isArray(value)) return value.map(item => plainView(item, depth + 1))
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  const name = depth > 1 ? NAME_KEYS.find(key => key in value) : undefined
  // The key was just found.
  if (name !== undefined) return plainView((value as Record<string, unknown>)[name], depth + 1)
  return Object.fromEntries(
    entries
      .filter(([, item]) => typeof item !== 'function')
      .map(([key, item]) => [String(key), plainView(item, depth + 1)]),
  )
}
