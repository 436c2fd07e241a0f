/** Turns in a row in which pieces make way at most. */
const MOST_PASSED_OVER = 8

/** Does what it is given in order, one piece in each turn of the event loop, so that what arrives meanwhile need not wait for all of it. */
export class OneATurn {
  readonly #waiting: (() => void)[] = []
  #isWaiting = false
  #makesWay = false
  #passedOver = 0

  /** Does this once its turn has come. */
  add(work: () => void): void {
    this.#waiting.push(work)
    this.#wait()
  }

  /** Something came that goes before every piece: more of it may have arrived meanwhile, so that nothing is done before that was looked at, but not for many turns in a row. */
  makeWay(): void {
    this.#makesWay = true
  }

  #wait(): void {
    if (this.#isWaiting || this.#waiting.length === 0) return
    this.#isWaiting = true
    setImmediate(() => {
      this.#isWaiting = false
      const work = this.#passesOver() ? undefined : this.#waiting.shift()
      this.#wait()
      work?.()
    })
  }

  #passesOver(): boolean {
    const passesOver = this.#makesWay && this.#passedOver < MOST_PASSED_OVER
    this.#passedOver = passesOver ? this.#passedOver + 1 : 0
    this.#makesWay = false
    return passesOver
  }
}
