import type { ChannelConfig, NoticesConfig } from './notices-field.ts'

const HIDDEN = '[secret]'

/** Shortest secret that is looked for in texts: shorter ones would blank out ordinary words. */
const SHORTEST_REDACTED = 6

/** Secrets of the channels, by environment variable; this class never prints, logs or serialises any. */
export class NoticeSecrets {
  readonly #values: ReadonlyMap<string, string>
  readonly #redacted: readonly string[]

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values
    this.#redacted = [...values.values()]
      .flatMap(formsOf)
      .toSorted((left, right) => right.length - left.length)
  }

  /** The value of a variable; empty for one that was not read. */
  valueOf(variable: string | undefined): string {
    return (variable === undefined ? undefined : this.#values.get(variable)) ?? ''
  }

  /** Removes every secret from a text, also where it is encoded as in a URL or in base64. */
  redact(text: string): string {
    return this.#redacted.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text)
  }
}

/** Forms in which a secret may turn up. Of an address only its path is secret. */
function formsOf(value: string): readonly string[] {
  const parts = URL.canParse(value) ? [value, pathOf(value)] : [value]
  return parts
    .filter(part => part.length >= SHORTEST_REDACTED)
    .flatMap(part => [...new Set([part, encodeURIComponent(part), Buffer.from(part).toString('base64')])])
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

/** A secret that a configuration names. */
export interface NamedSecret {
  /** Keys from the top of the file down. */
  readonly path: readonly string[]
  readonly variable: string
}

/** Every environment variable that the notices of a configuration need. */
export function namedSecrets({ channels, heartbeat }: NoticesConfig): readonly NamedSecret[] {
  const named = Object.entries(channels).flatMap(([name, channel]) =>
    variablesOf(channel).flatMap(([key, variable]) =>
      variable === undefined ? [] : [{ path: ['notices', 'channels', name, key], variable }],
    ),
  )
  const pinged = heartbeat?.urlEnv
  return [
    ...named,
    ...(pinged === undefined ? [] : [{ path: ['notices', 'heartbeat', 'urlEnv'], variable: pinged }]),
  ]
}

/** Keys of a channel with the variables that they name. */
function variablesOf(channel: ChannelConfig): readonly (readonly [string, string | undefined])[] {
  switch (channel.type) {
    case 'telegram':
      return [['tokenEnv', channel.tokenEnv]]
    case 'webhook':
      return [
        ['urlEnv', channel.urlEnv],
        ['secretEnv', channel.secretEnv],
        ['tokenEnv', channel.tokenEnv],
      ]
    case 'mail':
      return channel.user === undefined ? [] : [['passwordEnv', channel.passwordEnv]]
  }
}
