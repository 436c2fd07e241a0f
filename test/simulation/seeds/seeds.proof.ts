import { expect, it } from 'vitest'
import { besideMargin } from '../plan/beside-plan.ts'
import { inDialect } from '../plan/dialect-plan.ts'
import { onMargin } from '../plan/margin-plan.ts'
import { planOf } from '../plan/seed-plan.ts'
import { playSeeds } from './play-seeds.ts'
import { playSeed } from './seed-run.ts'

/** How long seeds are played, ms of real time; `npm run simulate` plays as many as it is told, and CI for two minutes. */
const BUDGET_MS = Number(process.env.SLUICE_SIMULATE_MS ?? 3000)
/** On the slowest machine at least so many. */
const FEWEST = 5

it('plays the same seed the same way, byte for byte', async () => {
  const [first, second] = [await playSeed(6), await playSeed(6)]
  expect(second.digest).toBe(first.digest)
  expect(first.steps).toBeGreaterThan(500)
  expect((await playSeed(20)).digest).not.toBe(first.digest)
})

it('plays seeds side by side as one after the other, in their order', async () => {
  // The first takes longest.
  const tasks = [24, 20, 23].map(seed => ({ seed, isWhole: false }))
  const [alone, together] = [
    await Array.fromAsync(playSeeds(tasks, 1)),
    await Array.fromAsync(playSeeds(tasks, 2)),
  ]
  expect(together.map(({ seed }) => seed)).toEqual([24, 20, 23])
  expect(together.map(({ digest }) => digest)).toEqual(alone.map(({ digest }) => digest))
})

it('keeps every invariant, whatever goes wrong and whatever host it is, from seed to seed', async () => {
  const until = performance.now() + BUDGET_MS
  for (let seed = 1; seed <= FEWEST || performance.now() < until; seed++) {
    const { violation, story } = await playSeed(seed, inDialect(seed, planOf(seed), 'drawn'))
    expect({ seed, problem: violation?.problem, story }).toEqual({ seed, problem: undefined, story: [] })
  }
})

it.each([
  ['on margin', onMargin],
  ['on spot and on margin side by side', besideMargin],
] as const)('keeps every invariant %s too', async (_where, planned) => {
  const spot = Array.from({ length: 60 }, (_, index) => planOf(index + 1)).flatMap((plan, index) =>
    plan.kind === 'spot' ? [{ seed: index + 1, plan }] : [],
  )
  const until = performance.now() + BUDGET_MS / 2
  for (const [index, { seed, plan }] of spot.entries()) {
    if (index >= FEWEST && performance.now() >= until) break
    const { violation, story } = await playSeed(seed, planned(plan))
    expect({ seed, problem: violation?.problem, story }).toEqual({ seed, problem: undefined, story: [] })
  }
})
