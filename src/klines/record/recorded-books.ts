import { readFileSync } from 'node:fs'
import { UsageError } from '../../domain/sluice-error.ts'
import { arrivalOf, type BookColumns, stampIn } from '../formats/book-columns.ts'

/**
 * Reads recorded order books, of the files in the order given; a half line at the end of a file is left out.
 * Throws `UsageError` for a damaged line. The levels asked for are taken to be the most that any side has.
 */
export function readRecordedBooks(paths: readonly string[]): BookColumns {
  const texts = paths.map(path => readFileSync(path, 'latin1'))
  const length = texts.reduce((sum, text) => sum + Math.max(0, countOf(text, '\n') - 1), 0)
  const room = texts.reduce((sum, text) => sum + countOf(text, ':'), 0)
  const books = new BookRows(length, room)
  for (const [index, text] of texts.entries()) readLines(paths[index] as string, text, books) // as many
  return books.columns()
}

/** Rows of order books as they are read. */
class BookRows {
  readonly #time: Float64Array
  readonly #ms: Float64Array
  readonly #ns: Float64Array
  readonly #bidsAt: Float64Array
  readonly #asksAt: Float64Array
  readonly #price: Float64Array
  readonly #quantity: Float64Array
  #rows = 0
  #levels = 0
  #most = 0

  constructor(length: number, levels: number) {
    const column = (rows: number) => new Float64Array(rows)
    this.#time = column(length)
    this.#ms = column(length)
    this.#ns = column(length)
    this.#bidsAt = column(length + 1)
    this.#asksAt = column(length)
    this.#price = column(levels)
    this.#quantity = column(levels)
  }

  /** Adds a row; returns false if it cannot be read. */
  add([arrived = '', time = '', bids, asks, more]: readonly string[]): boolean {
    const stamp = stampIn(arrived)
    if (bids === undefined || asks === undefined || more !== undefined || stamp === undefined) return false
    const row = this.#rows++
    this.#time[row] = Number(time)
    this.#ms[row] = stamp[0]
    this.#ns[row] = stamp[1]
    this.#bidsAt[row] = this.#levels
    const areBids = this.#addSide(bids)
    this.#asksAt[row] = this.#levels
    return this.#addSide(asks) && areBids && /^\d+$/.test(time)
  }

  columns(): BookColumns {
    this.#bidsAt[this.#rows] = this.#levels
    return {
      ...{ length: this.#rows, time: this.#time, levels: this.#most, inBase: false },
      arrival: arrivalOf(this.#time, this.#ms, this.#ns),
      ...{ bidsAt: this.#bidsAt, asksAt: this.#asksAt, price: this.#price, quantity: this.#quantity },
    }
  }

  #addSide(text: string): boolean {
    if (text === '') return true
    const first = this.#levels
    for (const level of text.split(' ')) {
      const [price, quantity, more] = level.split(':')
      this.#price[this.#levels] = Number(price)
      this.#quantity[this.#levels] = Number(quantity)
      if (!(Number(price) > 0 && Number(quantity) >= 0) || more !== undefined) return false
      this.#levels++
    }
    this.#most = Math.max(this.#most, this.#levels - first)
    return true
  }
}

function readLines(path: string, text: string, books: BookRows): void {
  let from = text.indexOf('\n') + 1
  for (let line = 2; from > 0; line++) {
    const end = text.indexOf('\n', from)
    if (end < 0) return
    const row = text.slice(from, end)
    if (!books.add(row.split(',')))
      throw new UsageError(`${path}:${line}: the line is no row of depth: ${row.slice(0, 80)}`)
    from = end + 1
  }
}

function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++
  return count
}
