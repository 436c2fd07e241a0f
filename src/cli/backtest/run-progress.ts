import { numberText } from '../../bot/text/figures.ts'
import { type Progress, progressBar } from '../progress-bar.ts'

/** Delay before the first progress output, ms. */
const FIRST_MS = 400
/** Pause between progress lines outside of a terminal, ms. */
const NEXT_MS = 5000

/** Shows the progress of a long backtest: a bar on a terminal, occasional lines elsewhere. */
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

  /** Reading of klines begins. */
  reading(name: string): void {
    this.#timer = setTimeout(() => this.#writeLine(`Reading ${name} …`), FIRST_MS)
  }

  /** Playing of `total` klines begins. */
  async playing(total: number): Promise<void> {
    clearTimeout(this.#timer)
    this.#total = total
    this.#bar = await progressBar(this.#stream, total)
  }

  /** Adds played klines. */
  add(klines: number): void {
    // The total may be an estimate.
    this.#done = Math.min(this.#done + klines, this.#total)
    this.#bar?.update(this.#done)
    if (this.#stream.isTTY || performance.now() < this.#nextLineAt) return
    const percent = Math.floor((100 * this.#done) / this.#total)
    const [done, total] = [this.#done, this.#total].map(numberText)
    this.#writeLine(`Played ${done} of ${total} klines (${percent}%) …`)
  }

  /** Stops the output. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#bar?.stop()
  }

  #writeLine(text: string): void {
    this.#stream.write(`${text}\n`)
    this.#nextLineAt = performance.now() + NEXT_MS
  }
}
