import { clearLine, cursorTo } from 'node:readline'
import type { CommandOutput } from '../streams.ts'

/** Makes a line of at most so many columns. */
type LineOf = (columns: number) => string

/** Columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80

/** Lines of a terminal with one below them that stays: it is erased before each of them and drawn again after. */
export class StatusLine implements CommandOutput {
  readonly #terminal: NodeJS.WriteStream
  #lineOf: LineOf | undefined
  #onWritten = () => {}
  #isDrawn = false
  readonly #redraw = () => {
    this.#erase()
    this.#draw()
  }

  constructor(terminal: NodeJS.WriteStream) {
    this.#terminal = terminal
    terminal.on('resize', this.#redraw)
  }

  /** Writes whole lines above the one that stays. */
  write(text: string): void {
    this.#erase()
    this.#terminal.write(text)
    if (text.endsWith('\n')) this.#draw()
    this.#onWritten()
  }

  /** Tells of everything that is written above the line from now on. */
  watch(onWritten: () => void): void {
    this.#onWritten = onWritten
  }

  /** Shows another line from now on. */
  show(lineOf: LineOf): void {
    this.#lineOf = lineOf
    this.#redraw()
  }

  /** Removes the line for good; what is written later stays plain. */
  close(): void {
    this.#erase()
    this.#lineOf = undefined
    this.#onWritten = () => {}
    this.#terminal.off('resize', this.#redraw)
  }

  /** The last column stays free: a terminal would begin the next row there. */
  #draw(): void {
    if (this.#lineOf === undefined) return
    this.#terminal.write(this.#lineOf((this.#terminal.columns || USUAL_COLUMNS) - 1))
    this.#isDrawn = true
  }

  #erase(): void {
    if (!this.#isDrawn) return
    cursorTo(this.#terminal, 0)
    clearLine(this.#terminal, 0)
    this.#isDrawn = false
  }
}
