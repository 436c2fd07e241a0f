/** JSON whose numbers are still their source text, so that ids beyond 2^53 and decimals like `0E-16` keep every digit. */
export type LosslessJson =
  | null
  | boolean
  | string
  | readonly LosslessJson[]
  | { readonly [key: string]: LosslessJson }

/** Parses JSON, giving numbers as the text they were written as; throws `SyntaxError` like `JSON.parse`. */
export function parseLossless(text: string): LosslessJson {
  return JSON.parse(text, keepSource)
}

/** Reviver; its `context.source` is the text of a primitive (ECMAScript proposal: JSON.parse source text access). */
function keepSource(
  _key: string,
  value: unknown,
  ...[context]: readonly { readonly source: string }[]
): unknown {
  return typeof value === 'number' ? context?.source : value
}
