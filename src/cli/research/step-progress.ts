import type { OutputStreams } from '../streams.ts'

/** Pause between lines, ms. */
const NEXT_MS = 5000

/** Tells from time to time how far a long command is: "Walked 3 of 8 windows …". */
export class StepProgress {
  readonly #err: OutputStreams['err']
  #nextAt = performance.now() + NEXT_MS

  constructor(err: OutputStreams['err']) {
    this.#err = err
  }

  tell(sentence: string): void {
    const now = performance.now()
    if (now < this.#nextAt) return
    this.#err.write(`${sentence} …\n`)
    this.#nextAt = now + NEXT_MS
  }
}
