import { type Progress, progressBar } from '../progress-bar.ts'

/** Pause between lines outside of a terminal, ms. */
const NEXT_MS = 5000

/** Shows the progress of a search with the time that is left: a bar on a terminal, occasional lines elsewhere. */
export class TrialProgress {
  readonly #stream: NodeJS.WriteStream
  readonly #total: number
  #bar: Progress | undefined
  #done = 0
  /** Time of the first trial: what was before it is the start-up. */
  #firstAt: number | undefined
  #nextLineAt = Number.POSITIVE_INFINITY

  constructor(stream: NodeJS.WriteStream, total: number) {
    this.#stream = stream
    this.#total = total
  }

  async start(): Promise<void> {
    this.#bar = await progressBar(this.#stream, this.#total, {
      showsRate: true,
      skipsStart: true,
      unit: 'trials',
    })
  }

  add(): void {
    this.#done++
    this.#bar?.update(this.#done)
    const now = performance.now()
    if (this.#firstAt === undefined) {
      this.#firstAt = now
      this.#nextLineAt = now + NEXT_MS
    }
    if (this.#stream.isTTY || now < this.#nextLineAt) return
    const each = (now - this.#firstAt) / (this.#done - 1)
    const left = Math.ceil(each * (this.#total - this.#done) * 0.001)
    const percent = Math.floor((100 * this.#done) / this.#total)
    this.#stream.write(`Ran ${this.#done} of ${this.#total} trials (${percent}%), about ${left} s left …\n`)
    this.#nextLineAt = now + NEXT_MS
  }

  stop(): void {
    this.#bar?.stop()
  }
}
