/**
 * JSON whose numbers are still their source text, so that ids beyond 2^53 and decimals like `0E-16` keep
 * every digit.
 */
export type LosslessJson =
  | null
  | boolean
  | string
  | readonly LosslessJson[]
  | { readonly [key: string]: LosslessJson }

/** An object has a duplicate key, so its value is ambiguous. */
export class DuplicateKeyError extends SyntaxError {
  readonly key: string

  constructor(key: string) {
    super(`An object names ${JSON.stringify(key)} twice.`)
    this.name = 'DuplicateKeyError'
    this.key = key
  }
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d]
const [PLUS, MINUS, POINT] = [0x2b, 0x2d, 0x2e]
const [ZERO, NINE] = [0x30, 0x39]
const [SMALL_E, LARGE_E] = [0x65, 0x45]

/** A JSON number (RFC 8259, section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Parses JSON, but returns numbers as their source text. Puts quotes around all numbers and then calls
 * `JSON.parse`, whose `SyntaxError` it throws; a reviver with access to the source text is ten times slower.
 * Throws `DuplicateKeyError` if an object has a key twice, instead of using the last value.
 */
export function parseLossless(text: string): LosslessJson {
  const { quoted, members } = withQuotedNumbers(text)
  const json: LosslessJson = JSON.parse(quoted)
  // `JSON.parse` keeps a single member of those with the same key.
  if (membersIn(json) < members) throw new DuplicateKeyError(duplicateKeyIn(text))
  return json
}

/** Number of members of all objects. */
function membersIn(json: LosslessJson): number {
  if (typeof json !== 'object' || json === null) return 0
  let members = 0
  if (isList(json)) {
    for (const item of json) members += membersIn(item)
    return members
  }
  for (const key in json) members += 1 + membersIn(json[key] ?? null)
  return members
}

function isList(json: object): json is readonly LosslessJson[] {
  return Array.isArray(json)
}

/** The first duplicate key in valid JSON text. */
function duplicateKeyIn(text: string): string {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const end = code === QUOTE ? endOfString(text, at) : at + 1
    if (code === OPEN_OBJECT) open.push(new Set())
    else if (code === CLOSE_OBJECT) open.pop()
    else if (code === QUOTE && isKey(text, end)) {
      const key: string = JSON.parse(text.slice(at, end))
      const keys = open.at(-1)
      if (keys?.has(key) === true) return key
      keys?.add(key)
    }
    at = end
  }
  return '' // V8 sometimes takes one escaped key for another, so that `JSON.parse` merged two different keys
}

/**
 * The text with quotes around its numbers, and the number of members of its objects; invalid JSON stays
 * invalid.
 */
function withQuotedNumbers(text: string): { readonly quoted: string; readonly members: number } {
  let quoted = ''
  let copied = 0
  let members = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at)
      const token = text.slice(at, end)
      if (NUMBER.test(token) && !isKey(text, end)) {
        quoted += `${text.slice(copied, at)}"${token}"`
        copied = end
      }
      at = end
    } else {
      if (code === COLON) members++
      at++
    }
  }
  return { quoted: copied === 0 ? text : quoted + text.slice(copied), members }
}

/** Index after the closing quote, which is the first quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
  return text.length
}

/** Index after the last character that can belong to a number. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (isPartOfNumber(text.charCodeAt(end))) end++
  return end
}

function isPartOfNumber(code: number): boolean {
  return (
    isDigit(code) || code === POINT || code === PLUS || code === MINUS || code === SMALL_E || code === LARGE_E
  )
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** A number as a key is invalid JSON, but in quotes it would become valid. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === COLON
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
