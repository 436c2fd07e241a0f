import {
  growthPerDay,
  type MemoryRun,
  type MemorySample,
  memorySamples,
} from '../../endurance/memory-samples.ts'

const DAY_MINUTES = 1440
/** What a bot may grow by from the second day on, MB a day: a few bytes an order. */
const MOST_GROWTH = 0.2

/** Lets a bot trade for a week of virtual time, and says what it weighs after each day; throws where it grows. */
export async function* simulatedWeek(days: number): AsyncGenerator<string> {
  yield* weighed(weekOf(days), 1)
}

/**
 * The same of a bot whose window is read all the time, for so many days. Its lists of the latest klines are full after 32 hours, so
 * that what it keeps may grow until the end of the second day.
 */
export async function* watchedDays(days: number): AsyncGenerator<string> {
  yield* weighed({ ...weekOf(days), isWatched: true }, 2)
}

/** Weighs a bot after each day; throws where it grows after so many days. */
async function* weighed(run: MemoryRun, settled: number): AsyncGenerator<string> {
  const samples: MemorySample[] = []
  for await (const sample of memorySamples(run)) {
    samples.push(sample)
    yield textOf(sample, samples.length)
  }
  const growth = growthPerDay(samples.slice(settled), ({ dataMegabytes }) => dataMegabytes)
  yield `From day ${settled + 1} on what it keeps grows by ${growth.toFixed(3)} MB a day; it may by ${MOST_GROWTH}`
  if (growth > MOST_GROWTH) throw new Error(`The bot keeps ${growth.toFixed(3)} MB more with every day.`)
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
