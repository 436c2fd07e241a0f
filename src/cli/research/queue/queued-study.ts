import { relative, resolve } from 'node:path'
import type { TrialIdentity } from '../../../studies/study-trial.ts'
import type { BacktestCommandOptions } from '../../backtest/backtest-command-options.ts'
import type { BacktestInput } from '../../backtest/backtest-input.ts'
import { PROJECT_FOLDER } from '../../project.ts'
import { hashOf } from '../trial-identity.ts'

/** A search as workers are told of it. Klines are not part of it: each worker has its own, with the same hash. */
export interface QueuedStudy {
  /** Hash of the identity: searches of the same trials share it. */
  readonly id: string
  readonly identity: TrialIdentity
  readonly options: BacktestCommandOptions
}

/** A search for workers: its paths are relative to the project, its configuration is sent along. */
export function queuedStudy(
  options: BacktestCommandOptions,
  { configValues }: BacktestInput,
  identity: TrialIdentity,
): QueuedStudy {
  const strategy = inProject(options.strategy)
  const { markets: _, sources: __, ...single } = options
  return { id: hashOf(identity), identity, options: { ...single, strategy, configValues } }
}

/** Path of a strategy file as every machine has it. */
function inProject(path: string): string {
  return relative(PROJECT_FOLDER, resolve(path)).replaceAll('\\', '/')
}

/** Name of the queue of a study. */
export function queueNameOf(id: string): string {
  return `sluice-trials-${id}`
}
