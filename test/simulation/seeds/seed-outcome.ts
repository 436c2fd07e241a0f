import { besideMargin } from '../plan/beside-plan.ts'
import { onMargin } from '../plan/margin-plan.ts'
import { planOf } from '../plan/seed-plan.ts'
import { playSeed, type SeedResult } from './seed-run.ts'

const PLANS = { instead: onMargin, beside: besideMargin }

/** Whether a margin account is traded instead of the spot account of a seed, or beside it. */
export type MarginUse = keyof typeof PLANS

/** A seed that is to be played, and how. */
export interface SeedTask {
  readonly seed: number
  /** What a seed of a spot account has to do with a margin account; `undefined` for nothing. */
  readonly margin?: MarginUse | undefined
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
export async function outcomeOf({ seed, margin, isWhole }: SeedTask): Promise<SeedOutcome> {
  const before = process.threadCpuUsage()
  const plan = planOf(seed)
  try {
    const { everything, ...result } = await playSeed(seed, margin === undefined ? plan : PLANS[margin](plan))
    const { user, system } = process.threadCpuUsage(before)
    return { ...result, everything: isWhole ? everything() : [], cpuSeconds: (user + system) / 1e6 }
  } catch (cause) {
    throw new Error(`Seed ${seed} threw: ${cause}`, { cause })
  }
}
