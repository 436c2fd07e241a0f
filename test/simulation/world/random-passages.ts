import type { SeedPlan } from '../plan/simulation-plan.ts'
import { type Passage, USUAL_MS } from './mortal-transport.ts'

/** How requests and answers of a seed travel: late, or never. */
export class RandomPassages {
  readonly #plan: SeedPlan
  readonly #random: () => number

  constructor(plan: SeedPlan, random: () => number) {
    this.#plan = plan
    this.#random = random
  }

  /** Whether every request travels as fast as usual. */
  get areUsual(): boolean {
    const { lossRate, jitterMs, exchange } = this.#plan
    return (
      lossRate + jitterMs === 0 &&
      !exchange.faults?.some(({ fault }) => fault === 'lateArrival' || fault === 'delay')
    )
  }

  /** That of the next request; `undefined` for the usual one. */
  next(): Passage | undefined {
    const { lossRate, jitterMs } = this.#plan
    if (this.#random() >= lossRate) return jitterMs === 0 ? undefined : this.#jittered(jitterMs)
    const kind = this.#random()
    if (kind < 0.3) return { backMs: Number.POSITIVE_INFINITY }
    if (kind < 0.5) return { thereMs: Number.POSITIVE_INFINITY }
    if (kind < 0.8) return { thereMs: Math.floor(this.#random() * 6500) }
    return { backMs: Math.floor(this.#random() * 4000) }
  }

  /** What happens at about the same time then comes in any order. */
  #jittered(jitterMs: number): Passage {
    const late = () => USUAL_MS + Math.floor(this.#random() * jitterMs)
    return { thereMs: late(), backMs: late() }
  }
}
