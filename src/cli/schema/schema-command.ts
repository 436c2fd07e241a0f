import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { TEMPLATES } from '../new-strategy/templates.ts'
import { PROJECT_FOLDER } from '../project.ts'
import type { OutputStreams } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import type { StrategyFile } from './parameter-schemas.ts'
import { OWN_SCHEMA_FOLDER, schemaFiles } from './schema-files.ts'

const STRATEGIES = 'strategies'

/**
 * Writes the JSON Schemas of the configurations, with the parameters of all strategies of the project;
 * resolves to exit code 0. A strategy that cannot be loaded is reported and skipped.
 */
export async function runSchema({ out, err }: OutputStreams): Promise<number> {
  const files = await writeSchemas(problem => err.write(`${problem}\n`))
  out.write(`Wrote ${files.join(', ')}.\n`)
  return 0
}

/**
 * Writes the schemas with the examples, and, if the user has strategies, schemas with all strategies in a
 * separate folder; resolves to their paths.
 */
export async function writeSchemas(onProblem: (sentence: string) => void): Promise<readonly string[]> {
  const strategies = await strategiesOf(PROJECT_FOLDER, onProblem)
  const examples = strategies.filter(({ file }) => Object.hasOwn(TEMPLATES, basename(file, '.ts')))
  const files = [
    ...schemaFiles(PROJECT_FOLDER, examples),
    ...(examples.length < strategies.length
      ? schemaFiles(PROJECT_FOLDER, strategies, OWN_SCHEMA_FOLDER)
      : []),
  ]
  mkdirSync(join(PROJECT_FOLDER, OWN_SCHEMA_FOLDER), { recursive: true })
  for (const { path, text } of files) writeAtomically(join(PROJECT_FOLDER, path), text)
  return files.map(({ path }) => path)
}

async function strategiesOf(
  folder: string,
  onProblem: (sentence: string) => void,
): Promise<readonly StrategyFile[]> {
  const strategies: StrategyFile[] = []
  const names = readdirSync(join(folder, STRATEGIES)).filter(name => name.endsWith('.ts'))
  for (const name of names.sort()) {
    const file = `${STRATEGIES}/${name}`
    try {
      strategies.push({ file, strategy: await loadStrategy(join(folder, file)) })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      onProblem(`${file} is left out of the schemas: ${error.message}`)
    }
  }
  return strategies
}
