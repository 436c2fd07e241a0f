import { existsSync } from 'node:fs'
import { UsageError } from '../../domain/sluice-error.ts'
import { StudyFile } from '../../studies/study-file.ts'
import type { StudyTrial } from '../../studies/study-trial.ts'
import type { SearchDefinition } from './optimize-options.ts'

/** A study that keeps trials in a file, or, without one, as long as it is open; throws `UsageError`. */
export function keepingStudy(path: string | false): StudyFile {
  return new StudyFile(path === false ? ':memory:' : path)
}

/** Reads a study file that is there; throws `UsageError` where there is none. */
export function withStudy<Result>(path: string | false, read: (study: StudyFile) => Result): Result {
  if (path === false) throw new UsageError('There is no study file to read; name one with --study.')
  if (!existsSync(path))
    throw new UsageError(
      `${path} does not exist; a backtest or a search makes it, or name another one with --study.`,
    )
  const study = new StudyFile(path)
  try {
    return read(study)
  } finally {
    study.close()
  }
}

/** Message of a command that Ctrl-C ended: what was kept, and how to go on. */
export function interruptedText(path: string | false, goingOn: string): string {
  return path === false
    ? 'Interrupted: the run was not finished, and nothing was kept.'
    : `Interrupted: trials that had finished, if any, are in ${path}; ${goingOn} goes on.`
}

/** A trial with the searches that asked for it. */
export interface AskedTrial extends StudyTrial {
  /** Each with the command, seed and sampler of the search, and the number of the trial in it; empty for a trial of a window, or that was run by hand. */
  readonly asked: readonly {
    readonly search: string
    /** Command of the search. */
    readonly command: 'optimize' | NonNullable<SearchDefinition['command']>
    readonly seed: number
    readonly sampler: string
    readonly number: number
  }[]
}

/** The trial with the searches that asked for it. */
export function askedTrial(study: StudyFile, trial: StudyTrial): AskedTrial {
  const asked = study.askedFor(trial.key).map(({ search, number, definition }) => {
    const { command = 'optimize' as const, seed, sampler } = definition as SearchDefinition // as it was kept
    return { search, command, seed, sampler, number }
  })
  return { ...trial, asked }
}

/** Numbers as JSON has them; those that are not finite as text. */
export function plainNumbers(numbers: Float64Array): readonly (number | string)[] {
  return Array.from(numbers, number => (Number.isFinite(number) ? number : String(number)))
}
