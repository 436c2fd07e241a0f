import { loadProfile, profileNames } from '../../src/config/profiles/load-profile.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import { SluiceError } from '../../src/domain/sluice-error.ts'
import type { Host } from '../../src/exchange/endpoints/endpoint.ts'
import { ENDPOINTS, type EndpointKey } from '../../src/exchange/endpoints.ts'
import { baseUrlOf } from '../../src/exchange/http/base-url.ts'
import { DOCUMENT_PROFILE } from '../../src/exchange/profiles/document-profile.ts'
import type { ExchangeProfile, HostProfile } from '../../src/exchange/profiles/exchange-profile.ts'
import { HostRows } from '../../src/exchange/profiles/host-rows.ts'
import { offeredPartOf } from '../../src/exchange/spot/spot-interval.ts'

/** Exchanges that have a page: every profile but the interface document. */
export const EXCHANGE_NAMES: readonly string[] = profileNames().filter(name => name !== 'document')

/** What profiles do not say by themselves, by name. */
const REMARKS: Readonly<Record<string, string>> = {
  bitbaby:
    'Fees, and the least worth of an order in a pair, are not listed. The start names what is missing with the lines to write; `instruments` has an example on the page of [exchanges](../exchanges.md#rules-that-an-exchange-does-not-list).',
  bitrue:
    'Only the futures of Bitrue serve this interface; its spot host speaks another one, which Sluice does not. A futures bot needs no spot host.',
  darkex: 'Write a contract as the host names it: `symbol: USDT1802-BTC-USDT`.',
  fameex:
    'Without futures klines no strategy can follow a contract there; a start on one is refused, and the reason said. Spot is not concerned.',
  gaiaex: 'Write a contract as the host names it: `symbol: USDT1802-BTC-USDT`.',
  gcbex: 'No futures host of it is known; `venue.futuresUrl` names yours, if there is one.',
  koinbay:
    'A cancel is answered before it takes effect, and a fill may come in between: the bot waits until the order has ended, and books what filled. Business errors come with HTTP 200, which is read like any other status.',
  odyssey:
    'Lists come without an envelope, the status of an order as a word, and a success with a message in Chinese: all of it is read.',
  xme: 'Fees of contracts are not listed. The start names what is missing with the lines to write; `instruments` has an example on the page of [exchanges](../exchanges.md#rules-that-an-exchange-does-not-list).',
  zke: 'The exchange that is closest to the interface document.',
}

const BOUNDED =
  'limit orders of contracts [with a bounded price](../exchanges.md#entries-on-contracts) open positions'

/** The file of a page, from the root of the project on. */
export function exchangeFile(name: string): string {
  return `docs/exchanges/${name}.md`
}

/** The page of an exchange, from its profile. */
export function exchangePage(name: string): string {
  const profile = loadProfile(name)
  const hosts = (['spot', 'futures'] as const).filter(host => profile[host].url !== undefined)
  return `${[
    `# ${profile.exchange}`,
    `\`venue: { type: exchange, profile: ${name} }\` in the configuration of a bot, and \`type: paper\` to trade without money on its market.`,
    `**Nothing on this page was tried against the real host.** It says what is known of ${profile.date} from ${sourceOf(profile)}. Before money is involved, \`npm run doctor -- --venue ${name}\` asks the hosts themselves, without a key and without an order, and [the checklist](../to-live.md#from-paper-to-the-first-live-order) leads to the first one. \`npm run exchange -- --profile ${name}\` serves a simulated exchange that answers as this one is said to.`,
    REMARKS[name] ?? '',
    '## Hosts',
    hostTable(profile, hosts),
    '## What does not work there, and what the bot does instead',
    listOf(hosts.flatMap(host => gapsOf(profile, host))) || 'Nothing is known to be missing.',
    '## What is known',
    listOf(profile.known) || 'No other difference from the interface document is known.',
    '## What nobody knows',
    listOf(profile.unknown),
    `\`npm run docs\` makes this page from [config/profiles/${name}.yaml](../../config/profiles/${name}.yaml). A profile of your own, such as the one that the doctor writes with \`--write\`, is used by its path: \`profile: config/my-host.yaml\`.`,
  ]
    .filter(text => text !== '')
    .join('\n\n')}\n`
}

function sourceOf({ source }: ExchangeProfile): string {
  return source.replace('; never tried from here', '')
}

function listOf(sentences: readonly string[]): string {
  return sentences.map(sentence => `- ${sentence}`).join('\n')
}

function hostTable(profile: ExchangeProfile, hosts: readonly Host[]): string {
  const rows = hosts.map(host => {
    const { url = '', orderTypes, omitsHeaders, signsPrefix } = profile[host]
    const { prefix } = baseUrlOf(url)
    const remarks = [
      ...(prefix === ''
        ? []
        : [`the prefix \`${prefix}\` is ${signsPrefix ? '' : 'not '}part of what is signed`]),
      ...omitsHeaders.map(header => `without the header \`${header}\``),
    ]
    return `| ${host} | \`${url}\` | ${pathsOf(host, profile[host])} | ${orderTypes.map(type => `\`${type}\``).join(', ')} | ${remarks.join('; ') || '–'} |`
  })
  return ['| host | address | paths | order types | also |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** Roots of the paths that the bot calls, such as `/sapi/v1`. */
function pathsOf(host: Host, profile: HostProfile): string {
  const rows = new HostRows(
    { ...DOCUMENT_PROFILE, [host]: profile },
    { [host]: baseUrlOf(profile.url ?? '') },
  )
  const lacks: readonly string[] = profile.lacks
  const roots = Object.values(ENDPOINTS)
    .filter(row => row.host === host && !lacks.includes(row.key))
    .flatMap(row => /\/[sf]api\/v\d/.exec(rows.of(row).path)?.[0] ?? [])
  return [...new Set(roots)]
    .toSorted()
    .map(root => `\`${root}\``)
    .join(', ')
}

function gapsOf(profile: ExchangeProfile, host: Host): readonly string[] {
  const { lacks, lacksKlines, orderTypes } = profile[host]
  const missing = DOCUMENT_PROFILE[host].orderTypes.filter(type => !orderTypes.includes(type))
  const { open } = profile.futures.marketOrderUnit
  return [
    ...lacks.map(key => `There is no \`${key}\`. ${insteadOf(profile, host, key)}`),
    ...(lacksKlines.length === 0
      ? []
      : [`There are no ${host} klines of ${lacksKlines.join(', ')}; ${madeText(lacksKlines)}.`]),
    ...(missing.length === 0
      ? []
      : [
          `The ${host} host takes no ${missing.join(', ')} orders: immediate ones are sent as limit orders and taken back by the bot, others are refused at the start.`,
        ]),
    ...(host === 'futures' && open === 'unknown'
      ? [`The unit of a market order that opens a position is unknown, so none is sent: ${BOUNDED}.`]
      : []),
    ...(host === 'futures' && open === 'quote'
      ? [
          `A market order that opens a position counts quote value instead of contracts, so none is sent: ${BOUNDED}.`,
        ]
      : []),
  ]
}

/** Sentences about klines that a host lacks. */
function madeText(lacks: readonly Interval[]): string {
  const made = lacks.filter(interval => !lacks.includes(offeredPartOf(interval, lacks)))
  if (made.length === 0) return 'a strategy that needs them is refused at the start'
  const parts = [...new Set(made.map(interval => offeredPartOf(interval, lacks)))].join(' and ')
  return `the bot makes them, and longer ones, of those of ${parts}`
}

/** The bot's replacement of a call that a host lacks, as its error says it. */
function insteadOf(profile: ExchangeProfile, host: Host, key: EndpointKey): string {
  try {
    new HostRows(profile, { [host]: baseUrlOf(profile[host].url ?? '') }).of(ENDPOINTS[key])
    return ''
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return error.message.replace(/^.*\(profile [^)]*\)\. /, '')
  }
}
