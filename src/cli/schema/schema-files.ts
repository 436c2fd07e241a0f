import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backtestConfigSchema } from '../../config/backtest-config.ts'
import { botConfigSchema } from '../../config/bot-config.ts'
import { profileSchema } from '../../config/profiles/profile-schema.ts'
import { simulatorConfigSchema } from '../../simulator/simulator-config.ts'
import { configSchema } from './config-schema.ts'
import { nameMarketFiles } from './market-files.ts'
import { addParameters, type StrategyFile } from './parameter-schemas.ts'

/** Folder of the schemas, relative to the project folder. */
const SCHEMA_FOLDER = 'config/schema'

/** A file with a JSON Schema. */
export interface SchemaFile {
  /** Relative to the project folder. */
  readonly path: string
  readonly text: string
}

const CONFIGS = [
  { name: 'backtest', title: 'Backtest', schema: backtestConfigSchema, explainedIn: 'backtest.yaml' },
  { name: 'bot', title: 'Bot', schema: botConfigSchema, explainedIn: 'paper.yaml' },
  {
    name: 'exchange',
    title: 'Simulated exchange',
    schema: simulatorConfigSchema,
    explainedIn: 'exchange.yaml',
  },
  {
    name: 'profile',
    title: 'Profile of an exchange',
    schema: profileSchema,
    explainedIn: 'profiles/document.yaml',
  },
] as const

/**
 * Folder of the schemas that also know the user's strategies, separate from the files that come with Sluice.
 */
export const OWN_SCHEMA_FOLDER = `${SCHEMA_FOLDER}/own`

/** Schemas of all configurations, with descriptions from the comments of the files in `config`. */
export function schemaFiles(
  projectFolder: string,
  strategies: readonly StrategyFile[],
  folder = SCHEMA_FOLDER,
): readonly SchemaFile[] {
  return CONFIGS.map(({ name, title, schema, explainedIn }) => {
    const explained = readFileSync(join(projectFolder, 'config', explainedIn), 'utf8')
    const json = configSchema({ title, schema, explained })
    nameMarketFiles(json)
    addParameters(json, strategies)
    return { path: `${folder}/${name}.json`, text: `${JSON.stringify(json, null, 2)}\n` }
  })
}
