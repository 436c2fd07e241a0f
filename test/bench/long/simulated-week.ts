import {
  growthPerDay,
  type MemoryRun,
  type MemorySample,
  memorySamples,
} from '../../endurance/memory-samples.ts'

const DAY_MINUTES = 1440
/** What a bot may grow by from the second day on, MB a day: a few bytes an order. */
const MOST_GROWTH = 0.2
/** What a bot with a window may keep more in three days than in the two before, MB: 30,000 orders a day would be many times that. */
const MOST_MORE = 1

/** Lets a bot trade for a week of virtual time, and says what it weighs after each day; throws where it grows. */
export async function* simulatedWeek(days: number): AsyncGenerator<string> {
  const samples = yield* weighed(weekOf(days))
  const growth = growthPerDay(samples.slice(1), ({ dataMegabytes }) => dataMegabytes)
  yield `From day 2 on what it keeps grows by ${growth.toFixed(3)} MB a day; it may by ${MOST_GROWTH}`
  if (growth > MOST_GROWTH) throw new Error(`The bot keeps ${growth.toFixed(3)} MB more with every day.`)
}

/**
 * The same of a bot whose window is read all the time. Its lists are full by the end of the second day; from then on they drop a
 * fifth at once, so that the largest weight counts and not its slope.
 */
export async function* watchedDays(days: number): AsyncGenerator<string> {
  const samples = yield* weighed({ ...weekOf(days), isWatched: true })
  const largest = (of: readonly MemorySample[]) => Math.max(...of.map(({ dataMegabytes }) => dataMegabytes))
  const more = largest(samples.slice(2)) - largest(samples.slice(0, 2))
  yield `From day 3 on it keeps at most ${more.toFixed(2)} MB more than before; it may keep ${MOST_MORE}`
  if (more > MOST_MORE) throw new Error(`The bot keeps ${more.toFixed(2)} MB more once its lists are full.`)
}

/** Weighs a bot after each day. */
async function* weighed(run: MemoryRun): AsyncGenerator<string, readonly MemorySample[]> {
  const samples: MemorySample[] = []
  for await (const sample of memorySamples(run)) {
    samples.push(sample)
    yield textOf(sample, samples.length)
  }
  return samples
}

const weekOf = (samples: number) => ({
  ...{ levels: 3, waiting: 20, pollMs: 30_000 },
  ...{ snapshotEntries: 10_000, keepEntries: 50_000, everyMinutes: DAY_MINUTES, samples },
})

function textOf(sample: MemorySample, day: number): string {
  const { heapMegabytes, dataMegabytes, rssMegabytes, journalMegabytes, exchangeMegabytes } = sample
  const { minutes, placed, finished, entries, seconds } = sample
  return [
    `Day ${day} of a bot (${(minutes / 60).toFixed(0)} hours): ${heapMegabytes.toFixed(2)} MB of heap`,
    `${dataMegabytes.toFixed(2)} without compiled code, ${rssMegabytes.toFixed(0)} MB of the process`,
    `journal ${journalMegabytes.toFixed(0)} MB; ${placed} orders sent, ${finished} over, ${entries} entries`,
    `exchange apart ${exchangeMegabytes.toFixed(1)} MB, ${seconds.toFixed(0)} s`,
  ].join(', ')
}
