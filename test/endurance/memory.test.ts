import { expect, it } from 'vitest'
import { type MemorySample, memorySamples } from './memory-samples.ts'

/** What may come and go by chance; two of the samples lie 10,000 orders apart. */
const CHANCE_MEGABYTES = 0.3

it('a bot that trades on and on keeps no more than it did, in its heap and in its journal', {
  timeout: 300_000,
}, async () => {
  const samples: MemorySample[] = []
  const pace = { levels: 20, waiting: 40, pollMs: 60_000, snapshotEntries: 2500 }
  for await (const sample of memorySamples({ ...pace, keepEntries: 5000, everyMinutes: 1, samples: 3 }))
    samples.push(sample)
  const [first, second, third] = samples
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('It was not weighed.')
  expect(third.finished - first.finished).toBeGreaterThan(9_000)
  expect(third.placed - first.placed).toBeGreaterThan(2_500)
  expect(third.dataMegabytes - first.dataMegabytes).toBeLessThan(CHANCE_MEGABYTES)
  expect(third.journalMegabytes).toBeLessThan(1.1 * second.journalMegabytes)
})
