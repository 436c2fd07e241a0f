import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { makePrivateFile } from '../../files/private-file.ts'

/**
 * A CSV file that only grows. A half line, left by a process that was killed while it wrote, is cut off when
 * the file is opened again, so every line of it is whole.
 */
export class TickFile {
  readonly path: string
  #pending = ''

  /** Opens the file, or creates it with its header; throws the error of the file system if it cannot. */
  constructor(path: string, header: string) {
    this.path = path
    if (existsSync(path)) cutHalfLine(path)
    else makePrivateFile(path)
    if (statSync(path).size === 0) this.#pending = `${header}\n`
  }

  /** Adds a row; it reaches the file with the next `flush`. */
  add(fields: readonly (string | number)[]): void {
    this.#pending += `${fields.join(',')}\n`
  }

  /** Appends the added rows to the file, in one write. */
  flush(): void {
    if (this.#pending === '') return
    appendFileSync(this.path, this.#pending)
    this.#pending = ''
  }
}

/** More than the longest line, a book of 100 levels a side. */
const TAIL = 65_536

function cutHalfLine(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - TAIL)
    const tail = Buffer.alloc(size - from)
    readSync(file, tail, 0, tail.length, from)
    const whole = from + tail.lastIndexOf(10) + 1
    if (whole < size) ftruncateSync(file, whole)
  } finally {
    closeSync(file)
  }
}
