import type { TargetMissed } from '../../src/domain/events/engine-output.ts'

/** Targets of one instrument that were missed by more than a twentieth of equity because a step was too coarse. */
export interface MissedTargets {
  readonly count: number
  readonly first: TargetMissed
}

/** Counts missed targets by instrument, in order of their first appearance. */
export class MissedTargetTally {
  readonly #all = new Map<string, MissedTargets>()

  get all(): readonly MissedTargets[] {
    return [...this.#all.values()]
  }

  push(missed: TargetMissed): void {
    const { count, first } = this.#all.get(missed.symbol) ?? { count: 0, first: missed }
    this.#all.set(missed.symbol, { count: count + 1, first })
  }
}
