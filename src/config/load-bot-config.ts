import { Credentials } from '../exchange/http/credentials.ts'
import { type BotConfig, botConfigSchema } from './bot-config.ts'
import { requireKind } from './config-kind.ts'
import { parseConfig } from './parse-config.ts'
import { readYamlFile, type YamlFile } from './yaml-file.ts'

/** Environment variables by name. */
export type Environment = Record<string, string | undefined>

/** The configuration of a bot, with values from the environment. */
export interface LoadedBotConfig {
  readonly config: BotConfig
  /** Only for a venue of the type `exchange`. */
  readonly credentials?: Credentials
}

/** Reads the configuration of a bot without its secrets; throws one `UsageError` that lists every problem. */
export function configOfBot(path: string): BotConfig {
  return parseBotConfig(path, readYamlFile(path))
}

/**
 * Reads the configuration of a bot, and takes its secrets out of `environment`, so that no strategy and no process that it
 * could start finds them there; throws one `UsageError` that lists every problem.
 */
export function loadBotConfig(path: string, environment: Environment): LoadedBotConfig {
  const file = readYamlFile(path)
  const config = parseBotConfig(path, file)
  if (config.venue.type !== 'exchange') return { config }
  return { config, credentials: credentialsFrom(config.venue, environment, file) }
}

function parseBotConfig(path: string, file: YamlFile): BotConfig {
  requireKind(path, file.value, 'bot')
  return parseConfig(file, botConfigSchema)
}

type ExchangeVenue = Extract<BotConfig['venue'], { type: 'exchange' }>

function credentialsFrom(venue: ExchangeVenue, environment: Environment, file: YamlFile): Credentials {
  const apiKey = environment[venue.apiKeyEnv] ?? ''
  const apiSecret = environment[venue.apiSecretEnv] ?? ''
  delete environment[venue.apiKeyEnv]
  delete environment[venue.apiSecretEnv]
  const missing = [
    ...(apiKey === '' ? (['apiKeyEnv'] as const) : []),
    ...(apiSecret === '' ? (['apiSecretEnv'] as const) : []),
  ]
  if (missing.length === 0) return new Credentials(apiKey, apiSecret)
  throw file.errorFor(
    missing.map(key => ({
      offset: file.offsetOf(['venue', key]),
      sentence: `The environment variable ${venue[key]}, named by venue.${key}, is not set; set it before the start.`,
    })),
  )
}
