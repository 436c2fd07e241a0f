import type { Decimal } from '../domain/decimal.ts'
import { type Depth, type DepthLevel, depthOf } from './depth.ts'
import { plainDecimal } from './plain-decimal.ts'
import { finiteDecimal } from './wire-field.ts'

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [ZERO, NINE] = [0x30, 0x39]
/** Digits of a time; a double holds as many for certain. */
const MOST_DIGITS = 15
/** No number is longer: a price of a whole part and 18 decimals has 40 characters at most. */
const LONGEST_NUMBER = 64

/**
 * Reads a depth as exchanges usually write it, `{"bids":[["30000.12","0.5"],…],"asks":[…],"time":1588591856950}` in any
 * order and without spaces, straight from its text: without the hundreds of strings and lists of a JSON value, which
 * take most of the time. `undefined` for anything else, be it well-formed or not.
 */
export function depthInText(text: string): Depth | undefined {
  return new DepthText(text).depth()
}

/** A place in the text of a depth; whatever is read there and is not as usual is `undefined`. */
class DepthText {
  readonly #text: string
  #at = 0
  #bids: readonly DepthLevel[] | undefined
  #asks: readonly DepthLevel[] | undefined
  /** `null` where the exchange says so. */
  #time: number | null | undefined

  constructor(text: string) {
    this.#text = text
  }

  depth(): Depth | undefined {
    if (!this.#takes(OPEN_OBJECT)) return undefined
    let isUsual = this.#takesMember()
    while (isUsual && this.#takes(COMMA)) isUsual = this.#takesMember()
    const isWhole = isUsual && this.#takes(CLOSE_OBJECT) && this.#at === this.#text.length
    if (!isWhole || this.#bids === undefined || this.#asks === undefined) return undefined
    return depthOf(this.#bids, this.#asks, this.#time ?? undefined)
  }

  /** Takes a member with its value, if it is a known one that has not been there before. */
  #takesMember(): boolean {
    if (this.#bids === undefined && this.#takesName('"bids"')) {
      this.#bids = this.#levels()
      return this.#bids !== undefined
    }
    if (this.#asks === undefined && this.#takesName('"asks"')) {
      this.#asks = this.#levels()
      return this.#asks !== undefined
    }
    if (this.#time !== undefined || !this.#takesName('"time"')) return false
    this.#time = this.#takesText('null') ? null : this.#moment()
    return this.#time !== undefined
  }

  #levels(): readonly DepthLevel[] | undefined {
    const levels: DepthLevel[] = []
    if (!this.#takes(OPEN_LIST)) return undefined
    if (this.#takes(CLOSE_LIST)) return levels
    do {
      const level = this.#level()
      if (level === undefined) return undefined
      levels.push(level)
    } while (this.#takes(COMMA))
    return this.#takes(CLOSE_LIST) ? levels : undefined
  }

  #level(): DepthLevel | undefined {
    if (!this.#takes(OPEN_LIST)) return undefined
    const price = this.#decimal()
    if (price === undefined || !this.#takes(COMMA)) return undefined
    const quantity = this.#decimal()
    if (quantity === undefined || !this.#takesTotals()) return undefined
    return this.#takes(CLOSE_LIST) ? { price, quantity } : undefined
  }

  /** Some hosts add running totals to each level, which nobody needs. */
  #takesTotals(): boolean {
    while (this.#takes(COMMA)) if (this.#decimal() === undefined) return false
    return true
  }

  #decimal(): Decimal | undefined {
    if (!this.#takes(QUOTE)) return undefined
    const start = this.#at
    let end = start
    while (end - start <= LONGEST_NUMBER && this.#text.charCodeAt(end) !== QUOTE) end++
    if (this.#text.charCodeAt(end) !== QUOTE) return undefined
    this.#at = end + 1
    return plainDecimal(this.#text, start, end) ?? finiteDecimal(this.#text.slice(start, end))
  }

  #moment(): number | undefined {
    const start = this.#at
    let time = 0
    for (let code = this.#text.charCodeAt(start); code >= ZERO && code <= NINE; ) {
      time = time * 10 + code - ZERO
      code = this.#text.charCodeAt(++this.#at)
    }
    const isPlain = this.#at - start <= MOST_DIGITS && this.#text.charCodeAt(start) !== ZERO
    return isPlain && this.#at > start ? time : undefined
  }

  #takesName(name: string): boolean {
    return this.#takesText(name) && this.#takes(COLON)
  }

  #takesText(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #takes(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }
}
