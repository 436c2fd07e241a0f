/** @import { TrialColumn } from '../study-page-data.ts' */
import { elementOf } from '../../report/page/read-data.js'
import { fixedText, lengthText } from '../../report/page/texts.js'

const MISSING_VALUE = -(2 ** 31)

/**
 * A column of trials, decoded.
 * @typedef {object} Column
 * @property {TrialColumn} meta
 * @property {(row: number) => number} at its number, NaN for one that is missing; of values that are no numbers their place in order
 * @property {(row: number) => string} text
 * @property {readonly (number | string)[] | undefined} values different values in order, where they are listed
 */

/** The columns of the page: each is decoded once it is needed, and kept. */
export class Columns {
  /** @type {Map<number, Promise<Column>>} */
  #decoded = new Map()

  /**
   * @param {readonly TrialColumn[]} metas
   * @param {number} count
   * @param {string} quote
   */
  constructor(metas, count, quote) {
    this.metas = metas
    this.count = count
    this.quote = quote
  }

  /**
   * @param {string} key
   * @returns {Promise<Column>}
   */
  column(key) {
    return this.columnAt(this.metas.findIndex(meta => meta.key === key))
  }

  /**
   * The column at a place, by which markup names columns: a browser changes some characters of a name that it reads in markup.
   * @param {number} place
   * @returns {Promise<Column>}
   */
  columnAt(place) {
    const known = this.#decoded.get(place)
    if (known !== undefined) return known
    const meta = this.metas[place]
    if (meta === undefined) throw new Error(`The page has no column ${place}.`)
    const column = decodedColumn(meta, `column-${place}`, this.count, this.quote)
    this.#decoded.set(place, column)
    return column
  }
}

/**
 * @param {TrialColumn} meta
 * @param {string} id
 * @param {number} count
 * @param {string} quote
 * @returns {Promise<Column>}
 */
async function decodedColumn(meta, id, count, quote) {
  const element = elementOf(id)
  const planes = await inflated(element.textContent ?? '')
  element.remove()
  const { encoding } = meta
  if (encoding.type === 'codes') {
    const codes = numbersFrom(planes, count, encoding.bytes)
    const { values } = encoding
    const isNumeric = values.every(value => typeof value === 'number')
    /** @param {number} row */
    const at = row => (isNumeric ? Number(values[codes[row] ?? 0]) : (codes[row] ?? 0))
    /** @param {number} row */
    const text = row => String(values[codes[row] ?? 0] ?? '')
    return { meta, at, text, values }
  }
  const numbers = encoding.type === 'double' ? doublesFrom(planes, count) : signedFrom(planes, count)
  const scale = encoding.type === 'double' ? 1 : 10 ** encoding.decimals
  /** @param {number} row */
  const at = row => {
    const number = numbers[row] ?? Number.NaN
    return encoding.type === 'scaled' && number === MISSING_VALUE ? Number.NaN : number / scale
  }
  /** @param {number} row */
  const text = row => (meta.kind === 'parameter' ? String(at(row)) : figureOf(at(row), meta, quote))
  return { meta, at, text, values: undefined }
}

/** @param {string} base64 */
async function inflated(base64) {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/**
 * @param {Uint8Array} planes
 * @param {number} count
 * @param {1 | 2 | 4} size
 */
function numbersFrom(planes, count, size) {
  if (size === 1) return planes
  const bytes = joined(planes, count, size)
  return size === 2 ? new Uint16Array(bytes) : new Uint32Array(bytes)
}

/**
 * @param {Uint8Array} planes
 * @param {number} count
 */
function doublesFrom(planes, count) {
  return new Float64Array(joined(planes, count, 8))
}

/**
 * @param {Uint8Array} planes
 * @param {number} count
 */
function signedFrom(planes, count) {
  return new Int32Array(joined(planes, count, 4))
}

/**
 * Bytes of values one after another, from their planes.
 * @param {Uint8Array} planes
 * @param {number} count
 * @param {number} size
 */
function joined(planes, count, size) {
  const bytes = new Uint8Array(count * size)
  for (let plane = 0; plane < size; plane++) {
    for (let row = 0; row < count; row++) bytes[row * size + plane] = planes[plane * count + row] ?? 0
  }
  return bytes.buffer
}

/**
 * A figure with its unit.
 * @param {number} value
 * @param {Pick<TrialColumn, 'unit'>} meta
 * @param {string} quote
 */
export function figureOf(value, { unit }, quote) {
  if (Number.isNaN(value)) return 'n/a'
  if (unit === 'percent') return `${fixedText(value * 100, 2)}%`
  if (unit === 'money') return `${fixedText(value, 2)} ${quote}`
  if (unit === 'count') return fixedText(value, 0)
  if (unit === 'duration') return lengthText(value / 1000)
  return unit === 'ratio' ? fixedText(value, 3) : String(Number(value.toPrecision(6)))
}
