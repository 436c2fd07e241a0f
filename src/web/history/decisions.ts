import type { DecisionRecord } from './decision-record.ts'
import { Recent } from './recent.ts'

/** The latest decisions; those that came to nothing are many, and push none of the others out. */
export class Decisions {
  readonly #some: Recent<DecisionRecord>
  readonly #nothing: Recent<DecisionRecord>
  /** Both in order; `undefined` after a change. */
  #all: readonly DecisionRecord[] | undefined

  /** Keeps at least `most` of each kind. */
  constructor(most: number) {
    this.#some = new Recent(most)
    this.#nothing = new Recent(most)
  }

  /** Oldest first. */
  get all(): readonly DecisionRecord[] {
    this.#all ??= [...this.#some.all, ...this.#nothing.all].sort((left, right) => left.id - right.id)
    return this.#all
  }

  /** Those that came to something, oldest first. */
  get some(): readonly DecisionRecord[] {
    return this.#some.all
  }

  push(decision: DecisionRecord): void {
    this.#all = undefined
    if (decision.outcome === 'nothing') this.#nothing.push(decision)
    else this.#some.push(decision)
  }

  /** Puts one that came to something in the place of another one that did. */
  replace(before: DecisionRecord, decision: DecisionRecord): void {
    this.#all = undefined
    this.#some.replace(before, decision)
  }

  /** Time of the first that is kept of those that came to something, or of those of both kinds, ms UTC; `undefined` if none was dropped. */
  since(kind: 'some' | 'all'): number | undefined {
    const times = (kind === 'some' ? [this.#some] : [this.#some, this.#nothing]).flatMap(
      ({ dropped, all: [first] }) => (dropped > 0 && first !== undefined ? first.time : []),
    )
    return times.length === 0 ? undefined : Math.max(...times)
  }
}
