import type { ExchangeCore } from '../exchange-core.ts'

/** A change to apply to the replica. */
type Step = (core: ExchangeCore) => void

/** The same exchange as it was a while ago: it takes every step of the original, later. */
export class LaggingReplica {
  readonly #core: ExchangeCore
  readonly #lagMs: number
  readonly #waiting: { readonly time: number; readonly step: Step }[] = []
  #taken = 0

  /** `core` is like the original and opened at the same time. */
  constructor(core: ExchangeCore, lagMs: number) {
    this.#core = core
    this.#lagMs = lagMs
  }

  /** Opens at a time, ms UTC, as the original does. */
  open(time: number): void {
    this.#core.advance(time)
  }

  /** Records a step of the original at its time, ms UTC. */
  hear(time: number, step: Step): void {
    this.#waiting.push({ time, step })
    this.#catchUp(time - this.#lagMs)
  }

  /** The exchange as it was `lagMs` before `now`. */
  at(now: number): { readonly core: ExchangeCore; readonly time: number } {
    const time = now - this.#lagMs
    this.#catchUp(time)
    return { core: this.#core, time }
  }

  #catchUp(time: number): void {
    for (let next = this.#waiting[this.#taken]; next !== undefined && next.time <= time; ) {
      next.step(this.#core)
      next = this.#waiting[++this.#taken]
    }
    if (this.#taken < 1024) return
    this.#waiting.splice(0, this.#taken)
    this.#taken = 0
  }
}
