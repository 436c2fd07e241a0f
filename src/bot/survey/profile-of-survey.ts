import type { Endpoint } from '../../exchange/endpoints/endpoint.ts'
import type { EndpointKey } from '../../exchange/endpoints.ts'
import type { ApiVersion, FuturesHostProfile, HostProfile } from '../../exchange/profiles/exchange-profile.ts'
import { documentedVersion, ROWS, type Version, versionsOf } from './asked-paths.ts'
import { exists } from './call-outcome.ts'
import type { HostSurvey } from './host-survey.ts'
import { emptyIntervals } from './kline-facts.ts'

/** Keys of a host in a profile that a survey found; what is as in the interface document is left out. */
export type FoundProfile = Partial<HostProfile> &
  Partial<Pick<FuturesHostProfile, 'orderUnits' | 'marketOrderUnit'>>

/** Facts about a host before it is asked; none for an unknown one. */
export type KnownProfile = HostProfile & Partial<Pick<FuturesHostProfile, 'orderUnits' | 'marketOrderUnit'>>

/** Order types that every host of the interface takes. */
const SURE_TYPES = ['LIMIT', 'MARKET'] as const

/**
 * The profile of a host as it answered. What only an order shows (types, units, headers) is kept from `known`; of an
 * unknown host the order types are those that every host takes or its test took, and of an unknown futures host the
 * unit of market orders that open is unknown, so that none is sent.
 */
export function profileOfSurvey(survey: HostSurvey, known: KnownProfile | undefined): FoundProfile {
  const { host, origin, prefix, key } = survey
  const versions = versionsIn(survey)
  const lacks = lackedCalls(survey, known)
  const lacksKlines = emptyIntervals(survey)
  const types = known?.orderTypes ?? new Set([...SURE_TYPES, ...(survey.orderTypes?.taken ?? [])])
  const keyed = key?.verdict === undefined ? key?.signsPrefix : undefined
  return {
    url: `${origin}${prefix}`,
    ...(prefix !== '' && { signsPrefix: keyed ?? known?.signsPrefix ?? false }),
    ...versions,
    ...(lacks.length > 0 && { lacks }),
    ...(lacksKlines.length > 0 && { lacksKlines }),
    ...(known !== undefined && known.omitsHeaders.length > 0 && { omitsHeaders: known.omitsHeaders }),
    orderTypes: [...types],
    ...(host === 'futures' && {
      orderUnits: known?.orderUnits ?? [],
      marketOrderUnit: known?.marketOrderUnit ?? { open: 'unknown', close: 'contracts' },
    }),
  }
}

/** Versions of paths, as a profile has them. */
function versionsIn(survey: HostSurvey): Pick<FoundProfile, 'version' | 'signedVersion' | 'versions'> {
  const [usual = ''] = versionsOf(survey.host)
  const found = foundVersions(survey)
  const isUsual = (row: Endpoint) => documentedVersion(row) === usual
  const usualRows = [...found].filter(([row]) => isUsual(row))
  const version = mostServed(usualRows, versionsOf(survey.host)) ?? usual
  const isServed = ([, at]: (typeof usualRows)[number]) => at.includes(version)
  const signed = usualRows.filter(([{ security }]) => security !== 'NONE')
  const signedVersion = signed.some(isServed) ? undefined : mostServed(signed, versionsOf(survey.host))
  const single = [...found].flatMap(([row, at]): [EndpointKey, ApiVersion][] => {
    const general = (row.security === 'NONE' ? undefined : signedVersion) ?? version
    const expected = isUsual(row) ? general : documentedVersion(row)
    const [other = ''] = at
    return other === '' || at.includes(expected) ? [] : [[row.key as EndpointKey, other]] // a key of the table
  })
  return {
    ...(version !== usual && version !== '' && { version }),
    ...(signedVersion !== undefined && signedVersion !== '' && { signedVersion }),
    ...(single.length > 0 && { versions: Object.fromEntries(single) }),
  }
}

/** Versions at which each call exists, the most usual one first; calls that showed at none are left out. */
function foundVersions({ tried, host }: HostSurvey): ReadonlyMap<Endpoint, readonly Version[]> {
  const byRow = Map.groupBy(
    tried.filter(({ outcome }) => exists(outcome)),
    ({ row }) => row,
  )
  const order = versionsOf(host)
  return new Map(
    [...byRow].map(([row, calls]) => [
      row,
      calls
        .map(({ version }) => version)
        .toSorted((left, right) => order.indexOf(left) - order.indexOf(right)),
    ]),
  )
}

/** The version that most of the calls have; among equals the first of `order`. */
function mostServed(
  calls: readonly (readonly [Endpoint, readonly Version[]])[],
  order: readonly Version[],
): Version | undefined {
  const counts = order.map(version => calls.filter(([, at]) => at.includes(version)).length)
  const most = Math.max(...counts)
  return most === 0 ? undefined : order[counts.indexOf(most)]
}

/** Calls that the host answered nowhere, and those that it is known to lack where a survey cannot tell. */
export function lackedCalls(
  { host, tried, stopped }: Pick<HostSurvey, 'host' | 'tried' | 'stopped'>,
  known?: KnownProfile,
): readonly EndpointKey[] {
  const byRow = Map.groupBy(tried, ({ row }) => row)
  return ROWS.filter(row => row.host === host).flatMap(row => {
    const outcomes = (byRow.get(row) ?? []).map(({ outcome }) => outcome)
    const key = row.key as EndpointKey // a key of the table
    const isTold =
      stopped === undefined && outcomes.length > 0 && outcomes.every(outcome => outcome === 'missing')
    const isKnown = known?.lacks.includes(key) === true && !outcomes.some(exists)
    return isTold || isKnown ? [key] : []
  })
}
