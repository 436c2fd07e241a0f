/** Does what it is given in order, one piece in each turn of the event loop, so that what arrives meanwhile need not wait for all of it. */
export class OneATurn {
  readonly #waiting: (() => void)[] = []
  #isWaiting = false

  /** Does this once its turn has come. */
  add(work: () => void): void {
    this.#waiting.push(work)
    this.#wait()
  }

  #wait(): void {
    if (this.#isWaiting || this.#waiting.length === 0) return
    this.#isWaiting = true
    setImmediate(() => {
      this.#isWaiting = false
      const work = this.#waiting.shift()
      this.#wait()
      work?.()
    })
  }
}
