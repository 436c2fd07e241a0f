import type { Kline } from '../domain/kline.ts'
import { startInMs } from './wire-field.ts'

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39]
/** What the schema takes without a closer look, digits before the point and behind it each. */
const MOST_DIGITS = 30
/** Below this a double holds every whole number. */
const TOO_LATE = 1e15

/** Members of a kline on the wire, no two of which begin with the same letter. */
const MEMBERS = ['"idx":', '"open":', '"high":', '"low":', '"close":', '"vol":'] as const
const LETTERS = MEMBERS.map(name => name.charCodeAt(1))

/**
 * Reads klines as exchanges usually write them, `[{"high":"101","vol":"2.5","low":"99","idx":1594640340,…},…]` with the
 * members in any order, numbers in quotes or not, and no spaces, straight from their text: orders wait for this answer.
 * `undefined` for anything else, be it well-formed or not.
 */
export function klinesInText(text: string): Kline[] | undefined {
  return new KlinesText(text).klines()
}

/** A place in the text of klines; whatever is read there and is not as usual is `undefined`, or `NaN` for a number. */
class KlinesText {
  readonly #text: string
  #at = 0
  /** Of the kline that is being read, in the order above; `NaN` where its member has not come. */
  readonly #values: number[] = MEMBERS.map(() => Number.NaN)

  constructor(text: string) {
    this.#text = text
  }

  klines(): Kline[] | undefined {
    const klines: Kline[] = []
    if (!this.#takes(OPEN_LIST)) return undefined
    if (this.#takes(CLOSE_LIST)) return this.#isAtEnd() ? klines : undefined
    do {
      const kline = this.#kline()
      if (kline === undefined) return undefined
      klines.push(kline)
    } while (this.#takes(COMMA))
    return this.#takes(CLOSE_LIST) && this.#isAtEnd() ? klines : undefined
  }

  /** As many different members as there are are all of them. */
  #kline(): Kline | undefined {
    if (!this.#takes(OPEN_OBJECT)) return undefined
    this.#values.fill(Number.NaN)
    for (let members = 1; this.#takesMember(); members++) {
      if (members === MEMBERS.length) return this.#takes(CLOSE_OBJECT) ? this.#taken() : undefined
      if (!this.#takes(COMMA)) return undefined
    }
    return undefined
  }

  #taken(): Kline | undefined {
    const [idx = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = this.#values
    const isPlainTime = Number.isInteger(idx) && idx > 0 && idx < TOO_LATE
    return isPlainTime ? { openTime: startInMs(idx), open, high, low, close, volume } : undefined
  }

  /** Takes a member with its value, if it is a known one that has not been there before. */
  #takesMember(): boolean {
    const member = LETTERS.indexOf(this.#text.charCodeAt(this.#at + 1))
    const name = MEMBERS[member]
    if (name === undefined || !Number.isNaN(this.#values[member])) return false
    const value = this.#number(name)
    this.#values[member] = value
    return !Number.isNaN(value)
  }

  /** The number behind a name. */
  #number(name: string): number {
    const text = this.#text
    if (!text.startsWith(name, this.#at)) return Number.NaN
    const begin = this.#at + name.length
    const isText = text.charCodeAt(begin) === QUOTE
    const start = isText ? begin + 1 : begin
    const whole = text.charCodeAt(start) === MINUS ? start + 1 : start
    let end = this.#endOfDigits(whole)
    // A number that is no text has no zeros before others in JSON.
    if (end < 0 || (!isText && text.charCodeAt(whole) === ZERO && end > whole + 1)) return Number.NaN
    if (text.charCodeAt(end) === POINT) end = this.#endOfDigits(end + 1)
    if (end < 0 || (isText && text.charCodeAt(end) !== QUOTE)) return Number.NaN
    this.#at = isText ? end + 1 : end
    return Number(text.slice(start, end))
  }

  /** Behind the digits that begin there; below zero where there are none, or too many. */
  #endOfDigits(start: number): number {
    let end = start
    for (let code = this.#text.charCodeAt(end); code >= ZERO && code <= NINE; ) {
      code = this.#text.charCodeAt(++end)
    }
    return end > start && end - start <= MOST_DIGITS ? end : -1
  }

  #takes(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }

  #isAtEnd(): boolean {
    return this.#at === this.#text.length
  }
}
