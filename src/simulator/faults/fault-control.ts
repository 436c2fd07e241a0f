import { type SeededRandom, seededRandom } from '../../domain/numbers/seeded-random.ts'
import { type EndpointPattern, endpointPattern } from './endpoint-pattern.ts'
import type { FaultRule } from './fault-rule.ts'
import { timeOf } from './moment.ts'

/** A rule in force. */
export interface ActiveFault {
  readonly id: number
  readonly rule: FaultRule
  /** First moment, ms UTC. */
  readonly from: number
  /** The moment after the last, ms UTC. */
  readonly until: number
  /** Calls of its endpoint in its time. */
  readonly calls: number
  /** Calls it struck. */
  readonly strikes: number
  /** Its own stream, so that rules do not disturb each other. */
  readonly random: SeededRandom
}

type Entry = { -readonly [Key in keyof ActiveFault]: ActiveFault[Key] } & {
  readonly pattern: EndpointPattern
}

/** The faults in force; decides from its seed alone which calls they strike. */
export class FaultControl {
  readonly #seed: number
  #entries: readonly Entry[] = []
  #count = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Everything in force, in the order it was set. */
  get active(): readonly ActiveFault[] {
    return this.#entries
  }

  /** Puts a rule in force at `now`, ms UTC. */
  set(rule: FaultRule, now: number): ActiveFault {
    const id = ++this.#count
    const entry = {
      id,
      rule,
      from: rule.from === undefined ? Number.NEGATIVE_INFINITY : timeOf(rule.from, now),
      until: rule.until === undefined ? Number.POSITIVE_INFINITY : timeOf(rule.until, now),
      calls: 0,
      strikes: 0,
      random: seededRandom(`${this.#seed}/fault/${id}`),
      pattern: endpointPattern(rule.endpoint) ?? (() => false), // the schema has refused others
    }
    this.#entries = [...this.#entries, entry]
    return entry
  }

  /** Takes a rule out of force; without an id all. Returns how many there were. */
  lift(id?: number): number {
    const before = this.#entries.length
    this.#entries = id === undefined ? [] : this.#entries.filter(entry => entry.id !== id)
    return before - this.#entries.length
  }

  /** The rules that strike a call at `now`, ms UTC. */
  strike(method: string, path: string, now: number): readonly ActiveFault[] {
    if (this.#entries.length === 0) return NONE
    return this.#entries.filter(entry => strikes(entry, method, path, now))
  }
}

const NONE: readonly ActiveFault[] = []

function strikes(entry: Entry, method: string, path: string, now: number): boolean {
  const { rule, from, until } = entry
  if (now < from || now >= until || !entry.pattern(method, path)) return false
  entry.calls++
  if (rule.most !== undefined && entry.strikes >= rule.most) return false
  if (rule.calls !== undefined && !rule.calls.includes(entry.calls)) return false
  if (rule.probability < 1 && entry.random.uniform() >= rule.probability) return false
  entry.strikes++
  return true
}
