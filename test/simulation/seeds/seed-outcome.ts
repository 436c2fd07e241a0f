import { besideMargin } from '../plan/beside-plan.ts'
import { type DialectChoice, inDialect } from '../plan/dialect-plan.ts'
import { onMargin } from '../plan/margin-plan.ts'
import { planOf } from '../plan/seed-plan.ts'
import type { SeedPlan } from '../plan/simulation-plan.ts'
import { playSeed, type SeedResult } from './seed-run.ts'

const PLANS = { instead: onMargin, beside: besideMargin }

/** Whether a margin account is traded instead of the spot account of a seed, or beside it. */
export type MarginUse = keyof typeof PLANS

/** A seed that is to be played, and how. */
export interface SeedTask {
  readonly seed: number
  /** What a seed of a spot account has to do with a margin account; `undefined` for nothing. */
  readonly margin?: MarginUse | undefined
  /** Default: the interface document. */
  readonly dialect?: DialectChoice | undefined
  /** Whether everything that happened is told. */
  readonly isWhole: boolean
}

/** What came of a seed, as data that can be sent from thread to thread. */
export interface SeedOutcome extends Omit<SeedResult, 'everything'> {
  /** Nothing unless it was asked for. */
  readonly everything: readonly string[]
  readonly cpuSeconds: number
}

/** The plan of a task; `undefined` where its dialect has not the accounts of the seed. */
export function planOfTask({ seed, margin, dialect = 'document' }: SeedTask): SeedPlan | undefined {
  const plan = planOf(seed)
  return inDialect(seed, margin === undefined ? plan : PLANS[margin](plan), dialect)
}

/** Plays a seed; rejects with what it throws, and its number. */
export async function outcomeOf(task: SeedTask): Promise<SeedOutcome> {
  const { seed, isWhole } = task
  const before = process.threadCpuUsage()
  try {
    const { everything, ...result } = await playSeed(seed, planOfTask(task))
    const { user, system } = process.threadCpuUsage(before)
    return { ...result, everything: isWhole ? everything() : [], cpuSeconds: (user + system) / 1e6 }
  } catch (cause) {
    throw new Error(`Seed ${seed} threw: ${cause}`, { cause })
  }
}
