import { UsageError } from '../domain/sluice-error.ts'
import { Credentials } from '../exchange/http/credentials.ts'
import { type BotConfig, botConfigSchema } from './bot-config.ts'
import { requireKind } from './config-kind.ts'
import { NoticeSecrets, namedSecrets } from './notice-secrets.ts'
import { type OtlpHeaders, otlpHeadersIn } from './otlp-headers.ts'
import { parseConfig } from './parse-config.ts'
import { type Environment, takeSecrets, variablesIn } from './secret-variables.ts'
import { readYamlFile, type YamlFile } from './yaml-file.ts'

/** The configuration of a bot, with values from the environment. */
export interface LoadedBotConfig {
  readonly config: BotConfig
  /** Only for a venue of the type `exchange`. */
  readonly credentials?: Credentials
  /** Of the channels of notices; without any it holds none. */
  readonly noticeSecrets: NoticeSecrets
  /** Reads the metrics from other machines. */
  readonly metricsToken?: string
  /** Sent with metrics to a collector. */
  readonly otlpHeaders?: OtlpHeaders
}

/** Reads the configuration of a bot without its secrets; throws one `UsageError` that lists every problem. */
export function configOfBot(path: string): BotConfig {
  return parseBotConfig(path, readYamlFile(path))
}

/**
 * Reads the configuration of a bot, and takes every secret out of `environment`, those that it does not use included, so
 * that no strategy and no process that it could start finds them there; throws one `UsageError` that lists every problem.
 */
export function loadBotConfig(path: string, environment: Environment): LoadedBotConfig {
  const file = readYamlFile(path)
  const config = parseBotConfig(path, file)
  const secrets = takeSecrets(environment, variablesIn(config))
  const noticeSecrets = noticeSecretsFrom(config, secrets, file)
  const metricsToken = tokenFrom(config, secrets)
  const otlpHeaders = headersFrom(config, secrets)
  const loaded = {
    ...{ config, noticeSecrets },
    ...(metricsToken !== undefined && { metricsToken }),
    ...(otlpHeaders !== undefined && { otlpHeaders }),
  }
  if (config.venue.type !== 'exchange') return loaded
  return { ...loaded, credentials: credentialsFrom(config.venue, secrets, file) }
}

/**
 * Reads the configuration of a bot for its notices alone, and takes every secret out of `environment`; throws as `loadBotConfig`
 * does, but asks for no API key.
 */
export function loadNotices(
  path: string,
  environment: Environment,
): Omit<LoadedBotConfig, 'credentials' | 'metricsToken' | 'otlpHeaders'> {
  const file = readYamlFile(path)
  const config = parseBotConfig(path, file)
  const secrets = takeSecrets(environment, variablesIn(config))
  return { config, noticeSecrets: noticeSecretsFrom(config, secrets, file) }
}

/** Shortest token that cannot be guessed. */
const SHORTEST_TOKEN = 16

function tokenFrom({ metrics: { tokenEnv } }: BotConfig, secrets: Environment): string | undefined {
  const token = secrets[tokenEnv]
  if (token === undefined || token === '') return undefined
  if (token.length >= SHORTEST_TOKEN) return token
  throw new UsageError(
    `The token of the metrics in the environment variable ${tokenEnv} has ${token.length} characters; give at least ${SHORTEST_TOKEN}, such as "openssl rand -hex 24" prints.`,
  )
}

function headersFrom({ metrics: { otlp } }: BotConfig, secrets: Environment): OtlpHeaders | undefined {
  const text = (otlp && secrets[otlp.headersEnv]?.trim()) ?? ''
  return otlp === undefined || text === '' ? undefined : otlpHeadersIn(text, otlp.headersEnv)
}

function parseBotConfig(path: string, file: YamlFile): BotConfig {
  requireKind(path, file.value, 'bot')
  return parseConfig(file, botConfigSchema)
}

type ExchangeVenue = Extract<BotConfig['venue'], { type: 'exchange' }>

function credentialsFrom(venue: ExchangeVenue, secrets: Environment, file: YamlFile): Credentials {
  const apiKey = secrets[venue.apiKeyEnv] ?? ''
  const apiSecret = secrets[venue.apiSecretEnv] ?? ''
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

function noticeSecretsFrom({ notices }: BotConfig, secrets: Environment, file: YamlFile): NoticeSecrets {
  const named = notices === undefined ? [] : namedSecrets(notices)
  const values = new Map(named.map(({ variable }) => [variable, secrets[variable]?.trim() ?? '']))
  const missing = named.filter(({ variable }) => values.get(variable) === '')
  if (missing.length === 0) return new NoticeSecrets(values)
  throw file.errorFor(
    missing.map(({ path, variable }) => ({
      offset: file.offsetOf(path),
      sentence: `The environment variable ${variable}, named by ${path.join('.')}, is not set; set it before the start.`,
    })),
  )
}
