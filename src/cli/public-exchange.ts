import { knownHosts } from '../bot/venue/detected-profile.ts'
import { banFileOf } from '../bot/venue/exchange-venue.ts'
import { configOfBot } from '../config/load-bot-config.ts'
import { DETECT, loadProfile } from '../config/profiles/load-profile.ts'
import { mainUrlOf, withHosts } from '../config/profiles/profile-field.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { fileBlockStore } from '../exchange/budget/file-block-store.ts'
import { createSystemClock } from '../exchange/clock/system-clock.ts'
import { createExchangeClient, type ExchangeClient } from '../exchange/exchange-client.ts'
import { baseUrlOf } from '../exchange/http/base-url.ts'
import { DOCUMENT_PROFILE } from '../exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../exchange/profiles/exchange-profile.ts'

/** Options that choose an exchange; the first of them that is given decides. */
export interface ExchangeChoice {
  readonly spotUrl?: string
  readonly futuresUrl?: string
  /** Name of a profile, path of a profile file, or the URL of a host, which is then asked how it differs from the document. */
  readonly profile?: string
  /** Path of a bot's configuration whose venue is the exchange. */
  readonly config?: string
}

/** An exchange without an account. */
export interface PublicExchange {
  readonly client: ExchangeClient
  readonly profile: ExchangeProfile
  /** URL of the host that has a symbol; throws `UsageError` if the exchange has no such host. */
  urlOf(symbol: string): string
  /** Folder of the store for a symbol: the profile's name, or the name of the host. */
  venueOf(symbol: string): string
  close(): Promise<void>
}

/** True for a pair such as BTC/USDT; false for a contract. */
export function isPair(symbol: string): boolean {
  return symbol.includes('/')
}

/** A name such as BTCUSDT or BTC_USDT, as other interfaces write pairs. */
const PAIR_ELSEWHERE = /^([A-Z0-9]{2,}?)[_-]?(USDT|USDC|USD|EUR|BTC|ETH)$/i

/** A hint for a pair without its slash, as the end of a message; empty for other names. */
export function asPairText(symbol: string): string {
  const [, base, quote] = PAIR_ELSEWHERE.exec(symbol) ?? []
  if (base === undefined || quote === undefined) return ''
  return ` A pair is written with a slash: ${base.toUpperCase()}/${quote.toUpperCase()}.`
}

/**
 * The hosts of the symbols. Sends nothing. Throws `UsageError` for an unknown profile, an unusable URL, or a symbol
 * whose host is not given.
 */
export function chosenHosts(choice: ExchangeChoice, symbols: readonly string[]): ChosenHosts {
  const hosts = hostsOf(choice)
  for (const symbol of symbols) if (hostOf(hosts, symbol) === undefined) throw missingHost(choice, symbol)
  const isNamed = (wanted: boolean) => symbols.some(symbol => isPair(symbol) === wanted)
  const { spotUrl, futuresUrl, ...named } = hosts
  return {
    ...named,
    ...(isNamed(true) && { spotUrl }),
    ...(isNamed(false) && { futuresUrl }),
  }
}

/**
 * Opens the exchange for the public calls about some symbols, without a key. Asks only hosts of which no profile is
 * known, for their versions. Throws `UsageError` as `chosenHosts` does, and for a host that answers nowhere.
 */
export async function openPublicExchange(
  choice: ExchangeChoice,
  symbols: readonly string[],
): Promise<PublicExchange> {
  const { name, ...chosen } = chosenHosts(choice, symbols)
  const settings = { clock: createSystemClock(), blockStore: fileBlockStore(banFileOf(mainUrlOf(chosen))) }
  const hosts = await knownHosts(chosen, settings)
  const { profile, spotUrl, futuresUrl } = hosts
  const client = createExchangeClient({
    ...settings,
    profile,
    ...(spotUrl !== undefined && { spotUrl }),
    ...(futuresUrl !== undefined && { futuresUrl }),
    clockHost: symbols.every(symbol => !isPair(symbol)) ? 'futures' : 'spot',
  })
  const urlOf = (symbol: string): string => {
    const url = hostOf(hosts, symbol)
    if (url !== undefined) return url
    throw missingHost(choice, symbol)
  }
  return {
    client,
    profile,
    urlOf,
    venueOf: symbol => name ?? hostNameOf(urlOf(symbol)),
    close: () => client.close(),
  }
}

/** Hosts of an exchange, and how they differ from the document. */
interface ChosenHosts {
  /** Name of the profile, if one was named. */
  readonly name?: string
  readonly profile: ExchangeProfile
  readonly spotUrl?: string | undefined
  readonly futuresUrl?: string | undefined
}

function hostOf({ spotUrl, futuresUrl }: Pick<ChosenHosts, 'spotUrl' | 'futuresUrl'>, symbol: string) {
  return isPair(symbol) ? spotUrl : futuresUrl
}

function hostsOf({ spotUrl, futuresUrl, profile: given, config }: ExchangeChoice): ChosenHosts {
  if (given !== undefined && !isUrl(given)) {
    const profile = loadProfile(given)
    return { name: folderNameOf(given), ...withHosts({ profile, spotUrl, futuresUrl }) }
  }
  if (given !== undefined)
    return { profile: loadProfile(DETECT), spotUrl: spotUrl ?? given, futuresUrl: futuresUrl ?? given }
  if (spotUrl !== undefined || futuresUrl !== undefined || config === undefined)
    return { profile: DOCUMENT_PROFILE, spotUrl, futuresUrl }
  const { venue } = configOfBot(config)
  if (venue.type !== 'simulated') return venue
  throw new UsageError(
    `The venue in ${config} is the simulated exchange inside a bot, which has nothing to read; give --profile, --spot-url or --futures-url, or a --config whose venue is an exchange.`,
  )
}

function isUrl(text: string): boolean {
  return /^\w+:\/\//.test(text)
}

/** Name of a profile as a folder: that of a file without path and ending. */
function folderNameOf(given: string): string {
  return given
    .replace(/^.*[/\\]/, '')
    .replace(/\.ya?ml$/, '')
    .toLowerCase()
}

/** A local exchange has another port every time, so its host name is enough. */
function hostNameOf(url: string): string {
  const host = new URL(baseUrlOf(url).origin).hostname
  return /^(127\..*|\[::1\])$/.test(host) ? 'localhost' : host
}

function missingHost({ profile, config, spotUrl, futuresUrl }: ExchangeChoice, symbol: string): UsageError {
  const [kind, flag] = isPair(symbol)
    ? ['a pair of a spot host', '--spot-url']
    : ['a futures contract', '--futures-url']
  if (profile !== undefined) {
    return new UsageError(
      `${symbol} is ${kind}, and the profile ${profile} names no such host; give it with ${flag}.${asPairText(symbol)}`,
    )
  }
  const where =
    config !== undefined && spotUrl === undefined && futuresUrl === undefined
      ? `, which ${config} does not name`
      : ''
  return new UsageError(`${symbol} is ${kind}${where}; give ${flag} or --profile.${asPairText(symbol)}`)
}
