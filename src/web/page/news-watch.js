/** Time without news from which what is shown may be old, ms; the server gives a sign of life every 5 s. */
const SILENT_AFTER_MS = 15_000

/** Watches that news come: a bot that does not run says nothing, and what was read of it stays as it was. */
export class NewsWatch {
  #now
  #onSilence
  #latest
  #isSilent = false

  /**
   * @param {() => number} now ms UTC
   * @param {(since: number | undefined) => void} onSilence takes the time of the latest news once none come, and `undefined` once they come again
   */
  constructor(now, onSilence) {
    this.#now = now
    this.#onSilence = onSilence
    this.#latest = now()
  }

  /** The bot was read. */
  news() {
    this.#latest = this.#now()
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#onSilence(undefined)
  }

  /** To be called about every second. */
  look() {
    if (this.#now() - this.#latest >= SILENT_AFTER_MS) this.lost()
  }

  /** The connection is lost: nothing comes until it is open again. */
  lost() {
    if (this.#isSilent) return
    this.#isSilent = true
    this.#onSilence(this.#latest)
  }
}
