import { type Command, Option } from 'commander'
import { DEFAULT_STUDY } from '../../studies/default-study.ts'

/** File that keeps the trials; `false` for none. */
export interface GivenStudy {
  readonly study: string | false
}

/** Adds `--study`. */
export function studyOption(): Option {
  return new Option(
    '--study <file>',
    'study file of the project, which keeps every trial; none keeps no trial',
  )
    .env('SLUICE_STUDY')
    .argParser(text => (text === 'none' ? false : text))
    .default(DEFAULT_STUDY)
}

/** Adds `--study` and `--no-study`. */
export function addStudyOptions(command: Command): Command {
  return command
    .addOption(studyOption())
    .option('--no-study', 'keep and count no trial: its luck is then missing from every later judgement')
}
