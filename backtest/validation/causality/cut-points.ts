import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { RecordEntry } from '../recorded-strategy.ts'
import type { TestedMoments } from './detectable-share.ts'

export interface CutPointOptions {
  /** Number of cuts; fewer if there are fewer rows. */
  readonly count: number
  /** Klines of the run. */
  readonly klines: number
  /** Decisions and trades of the run. */
  readonly entries: readonly RecordEntry[]
  readonly seed: number
}

/** Rows after which the future is replaced. */
export interface CutPoints {
  /** Ascending. */
  readonly rows: readonly number[]
  /** Moments with a decision, or with a trade after them. */
  readonly active: TestedMoments
  /** Moments without either: a decision omitted because of knowledge of the future shows there. */
  readonly silent: TestedMoments
}

/**
 * Chooses rows after which the future is replaced: half of them with a decision, or with a trade after them,
 * half among the others, spread over all of each kind; more of one kind if the other has too few. Never the
 * last row, which has no future.
 */
export function cutPoints({ count, klines, entries, seed }: CutPointOptions): CutPoints {
  const rows = Array.from({ length: Math.max(0, klines - 1) }, (_, row) => row)
  const moments = new Set(entries.map(momentOf))
  const active = rows.filter(row => moments.has(row))
  const silent = rows.filter(row => !moments.has(row))
  const ofActive = Math.min(active.length, Math.max(count >> 1, count - silent.length))
  const ofSilent = Math.min(silent.length, count - ofActive)
  const random = seededRandom(seed).uniform
  const chosen = [...spread(ofActive, active, random), ...spread(ofSilent, silent, random)]
  return {
    rows: chosen.sort((left, right) => left - right),
    active: { tested: ofActive, of: active.length },
    silent: { tested: ofSilent, of: silent.length },
  }
}

/** Row of the last close known at a decision or trade. */
function momentOf({ what, row }: RecordEntry): number {
  return what === 'signal' ? row : row - 1
}

/** One of each of `count` parts of `rows` that are as equal as can be. */
function spread(count: number, rows: readonly number[], random: () => number): number[] {
  const start = (part: number) => Math.floor((part * rows.length) / count)
  return Array.from({ length: count }, (_, part) => {
    const [from, to] = [start(part), start(part + 1)]
    return rows[from + Math.floor(random() * (to - from))] as number // parts are at least one long
  })
}
