/** Values of a JSON answer; a `bigint` is written with all its digits. */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

// The two members of the JSON source text access proposal (ECMAScript 2026) missing from TypeScript's types.
interface JsonSourceText {
  rawJSON(text: string): unknown
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
}

const json = JSON as unknown as JsonSourceText // see above

/** Writes JSON without losing a digit of an id. */
export function jsonText(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? json.rawJSON(item.toString()) : item,
  )
}

/** A decimal, given as its text, that is written as a number with all its digits. */
export function exactJsonNumber(text: string): JsonValue {
  return json.rawJSON(text) as JsonValue // opaque to everyone but the writer of JSON
}

/** Reads JSON with every number as its source text; throws `SyntaxError` for invalid JSON. */
export function parseExactJson(text: string): unknown {
  return json.parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value))
}
