/** A number in JSON with exactly the digits of its text, however many a double would hold. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** ECMAScript's JSON.parse source text access, which TypeScript's library does not describe yet. */
interface RawJson {
  rawJSON(text: string): ExactNumber
}

/** The number that decimal text spells; `JSON.stringify` writes it digit for digit. */
export function exactNumber(text: string): ExactNumber {
  return (JSON as JSON & RawJson).rawJSON(text) // Node has it since version 22
}
