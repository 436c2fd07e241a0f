import { type Progress, progressBar } from '../progress-bar.ts'

/** After so long a person wonders. */
const FIRST_MS = 400
/** Where nobody looks at the moment, a line is enough now and then. */
const NEXT_MS = 5000

/** Tells how far a backtest has come, if it takes long enough: a bar on a terminal, some lines anywhere else. */
export class RunProgress {
  readonly #stream: NodeJS.WriteStream
  #bar: Progress | undefined
  #timer: NodeJS.Timeout | undefined
  #total = 0
  #done = 0
  #nextLineAt = performance.now() + FIRST_MS

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  /** Klines are being read from here. */
  reading(name: string): void {
    this.#timer = setTimeout(() => this.#writeLine(`Reading ${name} …`), FIRST_MS)
  }

  /** So many klines are about to be played. */
  async playing(total: number): Promise<void> {
    clearTimeout(this.#timer)
    this.#total = total
    this.#bar = await progressBar(this.#stream, total)
  }

  /** More klines were played. */
  add(klines: number): void {
    // What is to be played is sometimes only known about.
    this.#done = Math.min(this.#done + klines, this.#total)
    this.#bar?.update(this.#done)
    if (this.#stream.isTTY || performance.now() < this.#nextLineAt) return
    const percent = Math.floor((100 * this.#done) / this.#total)
    const [done, total] = [this.#done, this.#total].map(klines => klines.toLocaleString('en-US'))
    this.#writeLine(`Played ${done} of ${total} klines (${percent} %) …`)
  }

  /** Nothing more is to be told. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#bar?.stop()
  }

  #writeLine(text: string): void {
    this.#stream.write(`${text}\n`)
    this.#nextLineAt = performance.now() + NEXT_MS
  }
}
