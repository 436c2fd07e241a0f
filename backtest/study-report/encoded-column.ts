import { deflateRawSync } from 'node:zlib'
import type { ColumnEncoding } from './study-page-data.ts'

/** A column as it is in the page. */
export interface EncodedColumn {
  readonly encoding: ColumnEncoding
  readonly base64: string
}

const MISSING = -(2 ** 31)
/** Above so many different values a list of them is longer than the values. */
const MOST_CODES = 65_536

/** Figures rounded to decimals, where they fit in four bytes; NaN is one that is missing. */
export function encodedFigures(values: Float64Array, decimals: number): EncodedColumn {
  const scale = 10 ** decimals
  const scaled = Int32Array.from(values, value => (Number.isNaN(value) ? MISSING : Math.round(value * scale)))
  const fits = values.every(value => Number.isNaN(value) || Math.abs(value * scale) < -MISSING - 1)
  if (!fits) return { encoding: { type: 'double' }, base64: base64Of(values, 8) }
  return { encoding: { type: 'scaled', decimals }, base64: base64Of(scaled, 4) }
}

/** Exact values: places in `given`, one for each row; the codes in the page are in order of value. */
export function encodedValues(places: Float64Array, given: readonly (number | string)[]): EncodedColumn {
  if (given.length > MOST_CODES && given.every(value => typeof value === 'number')) {
    const numbers = places.map(place => given[place] as number) // each place is one
    return { encoding: { type: 'double' }, base64: base64Of(numbers, 8) }
  }
  const order = given.map((_, place) => place).sort((left, right) => compared(given[left], given[right]))
  const codeOf = new Uint32Array(given.length)
  order.forEach((place, code) => {
    codeOf[place] = code
  })
  const values = order.map(place => given[place] as number | string) // a place of the list
  const codes = Uint32Array.from(places, place => codeOf[place] as number) // each place is one
  const bytes = given.length <= 256 ? 1 : given.length <= MOST_CODES ? 2 : 4
  return { encoding: { type: 'codes', bytes, values }, base64: base64Of(codes, bytes) }
}

/** Numbers by size before texts by their characters. */
function compared(left: number | string | undefined, right: number | string | undefined): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1
  return String(left) < String(right) ? -1 : 1
}

/** The lowest `planes` bytes of each value in planes, which deflate better than values one after another. */
function base64Of(values: Float64Array | Int32Array | Uint32Array, planes: number): string {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: size } = values
  const bytes = new Uint8Array(buffer, byteOffset, length * size)
  const out = new Uint8Array(length * planes)
  for (let plane = 0; plane < planes; plane++)
    for (let row = 0; row < length; row++) out[plane * length + row] = bytes[row * size + plane] as number
  return deflateRawSync(out).toString('base64')
}
