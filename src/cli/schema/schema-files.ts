import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backtestConfigSchema } from '../../config/backtest-config.ts'
import { botConfigSchema } from '../../config/bot-config.ts'
import { simulatorConfigSchema } from '../../simulator/simulator-config.ts'
import { configSchema } from './config-schema.ts'
import { nameMarketFiles } from './market-files.ts'
import { addParameters, type StrategyFile } from './parameter-schemas.ts'

/** Where the schemas lie, from the folder of the project on. */
export const SCHEMA_FOLDER = 'config/schema'

/** A file with a JSON Schema. */
export interface SchemaFile {
  /** From the folder of the project on. */
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
] as const

/** Where those lie that also know the strategies of the user, out of the way of the files that come with Sluice. */
export const OWN_SCHEMA_FOLDER = `${SCHEMA_FOLDER}/own`

/** The schemas of all configurations, described by what the files in `config` say of their keys. */
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
