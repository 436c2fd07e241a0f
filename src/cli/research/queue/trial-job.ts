import type { Job } from 'bullmq'
import { parse, stringify } from 'devalue'
import type { ParameterSet, Trial } from '../../../../backtest/trials/trial.ts'
import { InvariantError, SluiceError, UsageError } from '../../../domain/sluice-error.ts'
import type { TimeSpan } from '../../../klines/slice-klines.ts'
import { StrategyError } from '../../../strategy/strategy-error.ts'
import { hashOf } from '../trial-identity.ts'

/** Parameter sets for a worker. */
export interface TrialJob {
  readonly sets: readonly ParameterSet[]
  readonly span: TimeSpan | undefined
  /** Place of the first set among those that were asked for together. */
  readonly first: number
}

/** Answer to a job: its trials in the order of the sets, or the reason why none of them can be run. */
type JobAnswer =
  | { readonly trials: readonly Trial[] }
  | { readonly isUsage: boolean; readonly message: string }

/** Id of a job: equal jobs share it, so that Redis keeps one of them. */
export function jobIdOf(job: TrialJob): string {
  return hashOf(job)
}

/** Runs a job; its answer as text in which every number keeps its bits. Errors of the machine reject. */
export async function answeredJob(run: () => Promise<readonly Trial[]>): Promise<string> {
  try {
    return textOf({ trials: await run() })
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return textOf({ isUsage: error instanceof UsageError, message: error.message })
  }
}

/** The trials of an answer; throws `UsageError` or `StrategyError` where it says that none can be run. */
export function trialsOfAnswer(text: string): readonly Trial[] {
  const answer = parse(text) as JobAnswer // as a worker with the same code wrote it
  if ('trials' in answer) return answer.trials
  throw answer.isUsage ? new UsageError(answer.message) : new StrategyError(answer.message)
}

function textOf(answer: JobAnswer): string {
  return stringify(answer)
}

/** The answer of a finished job; throws where every worker that tried it failed. */
export function answerOf({
  returnvalue,
  failedReason,
}: Pick<Job<TrialJob, string>, 'returnvalue' | 'failedReason'>): string {
  if (typeof returnvalue === 'string') return returnvalue
  throw new InvariantError(`The workers could not run a part of the trials: ${failedReason}`)
}
