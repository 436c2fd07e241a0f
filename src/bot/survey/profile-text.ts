import { stringify } from 'yaml'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import { differencesOf } from './answer-differences.ts'
import type { HostSurvey } from './host-survey.ts'
import { profileOfSurvey } from './profile-of-survey.ts'
import type { VenueSurvey } from './survey-venue.ts'

/** Origin of a written profile. */
export interface ProfileOrigin {
  /** Profile that the hosts were asked by; `undefined` for an address alone. */
  readonly known: ExchangeProfile | undefined
  /** ms UTC. */
  readonly now: number
}

const HEADER = `# Written by npm run doctor -- --venue; a bot uses it by venue: { type: exchange, profile: THIS FILE }.
# config/profiles/document.yaml shows every key.
`

/** The profile of an exchange as it answered, as YAML. */
export function profileText({ hosts }: VenueSurvey, { known, now }: ProfileOrigin): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const withKey = hosts.some(({ key }) => key !== undefined && key.verdict === undefined)
  const [spot, futures] = (['spot', 'futures'] as const).map(name => hosts.find(({ host }) => host === name))
  const profile = {
    exchange: known?.exchange ?? new URL(hosts[0]?.origin ?? '').host,
    date: day.slice(0, 7),
    source: `asked by the doctor on ${day}, ${withKey ? 'with a key' : 'without a key'}`,
    known: [...(known?.known ?? []), ...hosts.flatMap(knownSentences)],
    unknown: hosts.flatMap(host => unknownSentences(host, known)),
    ...(spot && { spot: profileOfSurvey(spot, known?.spot) }),
    ...(futures && { futures: profileOfSurvey(futures, known?.futures) }),
  }
  return `${HEADER}${stringify(profile, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

function knownSentences({ host, tried, listing }: HostSurvey): readonly string[] {
  const answered = Map.groupBy(
    tried.filter(({ outcome }) => outcome === 'answered'),
    ({ row }) => row.key,
  )
  const differences = [...answered].flatMap(([call, [shown]]) =>
    shown === undefined ? [] : differencesOf(shown.row, shown.reply).map(phrase => ({ call, phrase })),
  )
  const byPhrase = [...Map.groupBy(differences, ({ phrase }) => phrase)]
  const lacking = [...listing.lacking.keys()]
  const what = host === 'spot' ? 'pairs' : 'contracts'
  return [
    ...byPhrase.map(
      ([phrase, calls]) => `${calls.map(({ call }) => call).join(', ')}: ${phrase.replace(/\.?$/, '.')}`,
    ),
    ...(lacking.length === 0
      ? []
      : [
          `The list of ${what} does not tell ${lacking.join(', ')}; write them into the configuration (instruments).`,
        ]),
  ]
}

function unknownSentences(
  { host, tried, prefix, key, orderTypes, clock }: HostSurvey,
  known: ExchangeProfile | undefined,
): readonly string[] {
  const isUntold = (outcome: string) => ['untold', 'ambiguous', 'failed', 'unasked'].includes(outcome)
  const rows = Map.groupBy(tried, ({ row }) => row.key)
  const untold = [...rows]
    .filter(([, calls]) => calls.every(({ outcome }) => isUntold(outcome)))
    .map(([name]) => name)
  const isKeyed = key !== undefined && key.verdict === undefined
  return [
    ...(untold.length === 0 ? [] : [`Whether the ${host} host has these calls: ${untold.join(', ')}.`]),
    ...(clock === undefined ? [`The time of the ${host} host; it does not tell it.`] : []),
    ...(prefix !== '' && !isKeyed ? [`Whether ${prefix} is part of what is signed.`] : []),
    ...(known === undefined ? unknownOrders(host, orderTypes?.taken ?? []) : []),
  ]
}

function unknownOrders(host: Host, taken: readonly string[]): readonly string[] {
  const untried = DOCUMENT_PROFILE[host].orderTypes.filter(
    type => type !== 'LIMIT' && type !== 'MARKET' && !taken.includes(type),
  )
  return [
    ...(untried.length === 0
      ? []
      : [
          `Whether the ${host} host takes orders of the types ${untried.join(', ')}; add those that it takes to orderTypes.`,
        ]),
    ...(host === 'futures'
      ? [
          'The unit of a market order that opens a position; such orders are refused, and the bot sends limit orders with a bounded price.',
          'Whether the key orderUnit of an order is read there; it is not sent, and volumes count contracts.',
        ]
      : []),
  ]
}
