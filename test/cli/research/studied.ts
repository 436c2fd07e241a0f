import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withStudy } from '../../../src/cli/research/opened-study.ts'
import { StudyFile } from '../../../src/studies/study-file.ts'
import type { StudyTrial } from '../../../src/studies/study-trial.ts'
import { waveCsv } from '../klines.ts'
import { fileWith } from '../sluice-process.ts'

/** A file of klines, and the path of a study beside it. */
export interface Studied {
  readonly csv: string
  readonly study: string
  /** What is played, as options. */
  readonly inputs: readonly string[]
}

/** Hourly klines of 83 days on a wave, for trials that are kept in a study of the test. */
export function studied(count = 2000): Studied {
  const csv = fileWith('wave.csv', waveCsv(count))
  const study = join(dirname(csv), 'study.sqlite')
  const inputs = ['--data', csv, '--symbol', 'BTC/USDT', '--interval', '1h', '--study', study]
  return { csv, study, inputs }
}

/** All trials of a study, in order of key. */
export function trialsIn(path: string): readonly StudyTrial[] {
  if (!existsSync(path)) return []
  const study = new StudyFile(path)
  const trials = study.groups().flatMap(group => [...study.trialsOf(group)])
  study.close()
  return trials.sort((left, right) => (left.key < right.key ? -1 : 1))
}

/** The same klines, with a study of its own. */
export function apart(world: Studied, name: string): Studied {
  const study = `${world.study}.${name}`
  return { ...world, study, inputs: [...world.inputs.slice(0, -1), study] }
}

/** A report in which the studies of `apart` have the name of the whole one: the command that it prints names the study. */
export function withoutStudyNames(report: string): string {
  return report.replaceAll(/(study\.sqlite)\.[\w-]+/g, '$1')
}

/** The whole study: its trials, each with the searches that asked for it. */
export function contentOf({ study }: Studied) {
  return trialsIn(study).map(trial => ({
    ...trial,
    asked: withStudy(study, file => file.askedFor(trial.key)),
  }))
}

/** The strategy of the searches of tests. */
export const SEARCHED_STRATEGY = 'strategies/sma-cross.ts'

/** Options of a search of 60 trials, each of which depends on those before. */
export const SEARCH = [
  ...['--sampler', 'tpe', '--seed', '3', '--trials', '60'],
  ...['--param', 'fast=2:60', '--param', 'slow=61:400'],
]
