import { type Progress, progressBar } from '../progress-bar.ts'

/** Pause between lines outside of a terminal, ms. */
const NEXT_MS = 5000

/** Shows the progress of a search with the time that is left: a bar on a terminal, occasional lines elsewhere. */
export class TrialProgress {
  readonly #stream: NodeJS.WriteStream
  readonly #total: number
  readonly #startedAt = performance.now()
  #bar: Progress | undefined
  #done = 0
  #nextLineAt = performance.now() + NEXT_MS

  constructor(stream: NodeJS.WriteStream, total: number) {
    this.#stream = stream
    this.#total = total
  }

  async start(): Promise<void> {
    this.#bar = await progressBar(this.#stream, this.#total, { showsRate: true, unit: 'trials' })
  }

  add(): void {
    this.#done++
    this.#bar?.update(this.#done)
    const now = performance.now()
    if (this.#stream.isTTY || now < this.#nextLineAt) return
    const left = Math.ceil(((now - this.#startedAt) / this.#done) * (this.#total - this.#done) * 0.001)
    const percent = Math.floor((100 * this.#done) / this.#total)
    this.#stream.write(`Ran ${this.#done} of ${this.#total} trials (${percent}%), about ${left} s left …\n`)
    this.#nextLineAt = now + NEXT_MS
  }

  stop(): void {
    this.#bar?.stop()
  }
}
