import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  finiteScore,
  type LeastDays,
  leastDaysOf,
  OBJECTIVES,
  type Objective,
  type ObjectiveName,
  objectiveOf,
} from '../../../backtest/search/objective.ts'
import type { FinishedTrial } from '../../../backtest/trials/trial.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** An objective with its name. */
export interface NamedObjective {
  /** As it was given. */
  readonly name: string
  /** SHA-256 of a file of one's own. */
  readonly file?: string
  /** Score of a trial, of which more is better; `undefined` where it has none. */
  readonly score: (trial: FinishedTrial) => number | undefined
  /** Days below which no trial has a score. */
  readonly leastDays: LeastDays
}

/** Objectives of names with commas between them, of which one ending in .ts, .js or .mjs is a file; rejects with `UsageError`. */
export async function objectivesOf(text: string, leastTrades: number): Promise<readonly NamedObjective[]> {
  const names = text.split(',')
  const twice = names.find((name, place) => names.indexOf(name) < place)
  if (twice !== undefined) throw new UsageError(`The objective "${twice}" is given twice; give each once.`)
  return Promise.all(names.map(name => objectiveNamed(name, leastTrades)))
}

async function objectiveNamed(name: string, leastTrades: number): Promise<NamedObjective> {
  if (/\.[cm]?[jt]s$/.test(name)) return objectiveOfFile(name)
  const known = OBJECTIVES.find(objective => objective === name)
  if (known === undefined) {
    throw new UsageError(
      `There is no objective "${name}".${suggestion(name, OBJECTIVES)} A file of your own ends with .ts or .js.`,
    )
  }
  const objective = objectiveOf(known satisfies ObjectiveName, leastTrades)
  return { name: known, score: scoreBy(objective), leastDays: leastDaysOf(known) }
}

async function objectiveOfFile(name: string): Promise<NamedObjective> {
  const path = resolve(name)
  const file = createHash('sha256').update(bytesOf(path, name)).digest('hex')
  const { default: objective }: { default?: unknown } = await importedFrom(path, name)
  if (typeof objective !== 'function')
    throw new UsageError(
      `${name} exports no objective; write "export default trial => …" with a number as its answer.`,
    )
  return {
    name,
    file,
    score: scoreOfFile(name, objective as (trial: FinishedTrial) => unknown),
    leastDays: { days: 1, counted: 'utc' },
  }
}

/** Score by a file of one's own; throws `UsageError` where it throws, or answers what is no number. */
function scoreOfFile(name: string, objective: (trial: FinishedTrial) => unknown): NamedObjective['score'] {
  return trial => {
    const answer = answerOf(name, objective, trial)
    if (typeof answer === 'number') return finiteScore(answer)
    if (answer === undefined || answer === null) return undefined
    const what = answer instanceof Promise ? 'a promise' : `${typeof answer} ${JSON.stringify(answer)}`
    throw new UsageError(
      `The objective ${name} answered ${what} for ${parametersText(trial)}; its answer must be a number, or undefined where a trial has none.`,
    )
  }
}

function answerOf(name: string, objective: (trial: FinishedTrial) => unknown, trial: FinishedTrial): unknown {
  try {
    return objective(trial)
  } catch (cause) {
    throw new UsageError(
      `The objective ${name} threw for ${parametersText(trial)}: ${cause instanceof Error ? cause.message : cause}`,
      cause,
    )
  }
}

function parametersText({ parameters }: FinishedTrial): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
  return values.length === 0 ? 'a trial' : values.join(' ')
}

function scoreBy(objective: Objective): NamedObjective['score'] {
  return trial => finiteScore(objective(trial))
}

function bytesOf(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new UsageError(`The objective ${name} cannot be read; give a file that exists.`, cause)
  }
}

async function importedFrom(path: string, name: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (cause) {
    throw new UsageError(
      `The objective ${name} cannot be loaded: ${cause instanceof Error ? cause.message : cause}.`,
      cause,
    )
  }
}
