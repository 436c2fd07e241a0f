/** Most parameter sets that are run together: they share indicators. */
const MOST_AT_ONCE = 32
/** So many times each thread comes back for more, so that all end at about the same time. */
const TURNS = 4

/** Number of parameter sets that a thread takes at once, of so many sets for so many threads. */
export function setsAtOnce(sets: number, threads: number): number {
  return Math.min(MOST_AT_ONCE, Math.ceil(sets / (threads * TURNS)))
}
