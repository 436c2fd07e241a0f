import { onMargin } from './margin-plan.ts'
import { planOf } from './seed-plan.ts'
import { playSeed, type SeedResult } from './seed-run.ts'

/** A seed that is to be played, and how. */
export interface SeedTask {
  readonly seed: number
  /** On a margin account, where its own is a spot account. */
  readonly isOnMargin: boolean
  /** Whether everything that happened is told. */
  readonly isWhole: boolean
}

/** What came of a seed, as data that can be sent from thread to thread. */
export interface SeedOutcome extends Omit<SeedResult, 'everything'> {
  /** Nothing unless it was asked for. */
  readonly everything: readonly string[]
  readonly cpuSeconds: number
}

/** Plays a seed; rejects with what it throws, and its number. */
export async function outcomeOf({ seed, isOnMargin, isWhole }: SeedTask): Promise<SeedOutcome> {
  const before = process.threadCpuUsage()
  const plan = planOf(seed)
  try {
    const { everything, ...result } = await playSeed(seed, isOnMargin ? onMargin(plan) : plan)
    const { user, system } = process.threadCpuUsage(before)
    return { ...result, everything: isWhole ? everything() : [], cpuSeconds: (user + system) / 1e6 }
  } catch (cause) {
    throw new Error(`Seed ${seed} threw: ${cause}`, { cause })
  }
}
