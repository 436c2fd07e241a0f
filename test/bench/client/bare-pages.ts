import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { nowMs } from './watched-sockets.ts'

const PAGE = Buffer.alloc(4096, 1)
const PAGES = 1024

/** A file that never grows, of which one page at a time is written and put on the disk: the least that keeps anything. */
export class BarePages {
  readonly #file: number
  #page = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w')
    writeSync(this.#file, Buffer.alloc(PAGES * PAGE.length))
    fsyncSync(this.#file)
  }

  /** How long it takes to write the next page and wait for the disk, ms. */
  flush(): number {
    const startedAt = nowMs()
    writeSync(this.#file, PAGE, 0, PAGE.length, (this.#page++ % PAGES) * PAGE.length)
    fdatasyncSync(this.#file)
    return nowMs() - startedAt
  }

  close(): void {
    closeSync(this.#file)
  }
}
