/** A change of JSON's notation that a lenient reader understands the same. */
export type Distortion = 'numbersAsStrings' | 'stringsAsNumbers' | 'exponentZeros'

/** Strings with the colon after them where they are keys, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const PLAIN_NUMBER = /^"-?(?:0|[1-9]\d*)(?:\.\d+)?"$/
const ZERO = /^("?)-?0(?:\.0+)?"?$/

/** Rewrites the numbers of a JSON text, none of its digits lost. */
export function distortedJson(json: string, distortion: Distortion): string {
  return json.replace(TOKEN, (token, colon: string | undefined) =>
    colon === undefined ? REWRITE[distortion](token) : token,
  )
}

const REWRITE: Readonly<Record<Distortion, (token: string) => string>> = {
  numbersAsStrings: token => (token.startsWith('"') ? token : `"${token}"`),
  stringsAsNumbers: token => (PLAIN_NUMBER.test(token) ? token.slice(1, -1) : token),
  exponentZeros: token => token.replace(ZERO, '$10E-16$1'),
}

/** A string, which is passed over, or a flat object at the end of a list. */
const LAST_ENTRY = /"(?:[^"\\]|\\.)*"|(\{(?:[^{}[\]"]|"(?:[^"\\]|\\.)*")*\})\]/g

/** Repeats the last entry of every list of flat objects, as pages that overlap do. */
export function withLastEntriesRepeated(json: string): string {
  return json.replace(LAST_ENTRY, (token, entry: string | undefined) =>
    entry === undefined ? token : `${entry},${entry}]`,
  )
}
