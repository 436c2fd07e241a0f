import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { TRIAL_FIGURES } from '../../../backtest/trials/trial.ts'
import { StudyFile } from '../../../src/studies/study-file.ts'
import type { StudyTrial } from '../../../src/studies/study-trial.ts'
import { sluiceHere } from '../../cli/backtest/in-process.ts'
import { drawnSearch } from './drawn-search.ts'

/** A search, and the backtest of the command that it printed for its best trial. */
export interface Rerun {
  readonly strategy: string
  /** The command of the search. */
  readonly searched: string
  /** The printed one; `undefined` where no trial has a score. */
  readonly printed: string | undefined
  /** Round trips of the best trial. */
  readonly roundTrips: number
  /** Sentences on what differs; none where the bytes are the same. */
  readonly differences: readonly string[]
}

/** Runs the search of a seed and the command that it prints, as a shell takes it, and compares everything that both keep. */
export async function rerunSearch(seed: number, folder: string): Promise<Rerun> {
  const { strategy, words } = drawnSearch(seed, folder)
  const [study, other] = [join(folder, `${seed} search.sqlite`), join(folder, `${seed} typed.sqlite`)]
  const given = ['optimize', ...words, '--study', study, '--json', '-']
  const run = { strategy, searched: given.join(' ') }
  const searched = await sluiceHere(...given)
  if (searched.exitCode !== 0)
    return { ...run, printed: undefined, roundTrips: 0, differences: [`The search ended: ${searched.err}`] }
  const { trials, best, command } = JSON.parse(searched.out)
  if (command === undefined) return { ...run, printed: undefined, roundTrips: 0, differences: [] }
  const again = [...typedWords(command, study, other), '--json', '-']
  const typed = await sluiceHere(...again)
  const { figures } = trials[best[0].number]
  return {
    ...{ ...run, printed: command, roundTrips: figures.roundTrips },
    differences:
      typed.exitCode === 0
        ? [
            ...figureDifferences(figures, typed.out),
            ...trialDifferences(study, other),
            ...((await sluiceHere(...again)).out === typed.out
              ? []
              : ['A second backtest writes another result']),
          ]
        : [`The printed command ended with ${typed.exitCode}: ${typed.err}`],
  }
}

/** Words after `npm run`, split by a real shell, with the study of the search replaced by another one. */
function typedWords(command: string, study: string, other: string): string[] {
  const [npm, run, name = '', dashes, ...words] = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], {
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)
  if (npm !== 'npm' || run !== 'run' || dashes !== '--')
    throw new Error(`The printed command is no npm run: ${command}`)
  const at = words.indexOf(study)
  if (words[at - 1] !== '--study') throw new Error(`The printed command does not name the study: ${command}`)
  return [name, ...words.with(at, other)]
}

/** Figures as both results write them, character by character. */
function figureDifferences(figures: Readonly<Record<string, number | null>>, result: string): string[] {
  const { metrics } = JSON.parse(result)
  return TRIAL_FIGURES.flatMap(name => {
    const [ofTrial, ofResult] = [JSON.stringify(figures[name]), JSON.stringify(metrics[name])]
    return ofTrial === ofResult ? [] : [`${name} is ${ofTrial} in the search and ${ofResult} in the backtest`]
  })
}

/** The trial of the backtest must be one of the search: the same hashes, parameters, figures and daily returns. */
function trialDifferences(study: string, other: string): string[] {
  const [typed, ...more] = trialsOf(other)
  if (typed === undefined || more.length > 0)
    return [`The backtest keeps ${more.length + 1} trials instead of 1`]
  const same = trialsOf(study).find(({ key }) => key === typed.key)
  if (same === undefined)
    return ['The backtest is another trial: its code, data, configuration or parameters differ']
  return Object.keys(typed).flatMap(name => {
    const [ofSearch, ofTyped] = [same, typed].map(trial => bytesOf(trial[name as keyof StudyTrial]))
    return ofSearch === ofTyped ? [] : [`${name} of the kept trials differs`]
  })
}

function trialsOf(path: string): readonly StudyTrial[] {
  const study = new StudyFile(path)
  const trials = study.groups().flatMap(group => [...study.trialsOf(group)])
  study.close()
  return trials
}

function bytesOf(value: unknown): string {
  return value instanceof Float64Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
    : JSON.stringify(value)
}
