import {
  type Amount,
  amountFromNumber,
  amountToNumber,
  amountToText,
} from '../../../src/domain/numbers/amount.ts'

/** A number in JSON with exactly the digits of its text, however many a double would hold. */
export interface RawNumber {
  readonly rawJSON: string
}

/** ECMAScript's JSON.parse source text access, which TypeScript's library does not describe yet. */
interface RawJson {
  rawJSON(text: string): RawNumber
}

/**
 * An amount that `JSON.stringify` writes without losing a digit: mostly the double with that shortest text,
 * which is written several times as fast.
 */
export function exactNumber(amount: Amount): number | RawNumber {
  const value = amountToNumber(amount)
  if (amountFromNumber(value) === amount) return value
  return (JSON as JSON & RawJson).rawJSON(amountToText(amount)) // Node has it since version 22
}
