/** Values of a JSON answer; a `bigint` is written with all its digits. */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object; a key without a value is not written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

// The members of the JSON source text access proposal (ECMAScript 2026) missing from TypeScript's types.
interface JsonSourceText {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
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

/** Reads JSON so that `jsonText` writes every number with the same digits; `undefined` for invalid JSON. */
export function parseJsonText(text: string): JsonValue | undefined {
  try {
    const value = json.parse(text, (_key, item, { source }) =>
      typeof item === 'number' && source !== undefined ? json.rawJSON(source) : item,
    )
    return value as JsonValue // of nothing but JSON
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Digits of a number; `undefined` for any other value. */
export function jsonDigits(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return json.isRawJSON(value) ? value.rawJSON : undefined
}

/** True for an object, which a list and a number are not. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !json.isRawJSON(value)
}
