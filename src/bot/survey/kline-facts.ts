import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { FUTURES_INTERVALS } from '../../exchange/futures/futures-interval.ts'
import { type OfferedInterval, offeredPartOf, SPOT_INTERVALS } from '../../exchange/spot/spot-interval.ts'
import type { HostSurvey } from './host-survey.ts'

type AskedKlines = Pick<HostSurvey, 'host' | 'klines'>

/** Intervals of which the host answered no klines, shortest first. */
export function emptyIntervals({ host, klines }: AskedKlines): readonly OfferedInterval[] {
  const names = Object.entries(namesAt(host)) as [OfferedInterval, string][] // entries of the table
  return names.flatMap(([interval, name]) => (klines.get(name) === 0 ? [interval] : []))
}

/** A sentence about a host that answered every interval with an empty list; `undefined` for any other. */
export function noKlinesText(survey: AskedKlines): string | undefined {
  const { host, klines } = survey
  if (klines.size === 0 || emptyIntervals(survey).length < klines.size) return undefined
  const traded = host === 'spot' ? 'pair' : 'contract'
  return `The ${host} host has no klines of any interval, so no strategy can follow a ${traded} there.`
}

/** Facts about a host's klines, in sentences. */
export function klinesText(survey: AskedKlines): string {
  const none = noKlinesText(survey)
  if (none !== undefined) return none
  const { host, klines } = survey
  if (klines.size === 0) return 'No klines were answered.'
  const empty = emptyIntervals(survey)
  if (empty.length === 0) return `There are klines of ${[...klines.keys()].join(', ')}.`
  const nameOf = (interval: OfferedInterval) => namesAt(host)[interval]
  const sentences = empty.map(interval => {
    const part = offeredPartOf(interval, empty)
    return empty.includes(part)
      ? `A strategy on those of ${nameOf(interval)} is refused.`
      : `The bot makes those of ${nameOf(interval)} of those of ${nameOf(part)}.`
  })
  return [`There are no klines of ${empty.map(nameOf).join(', ')}.`, ...sentences].join(' ')
}

function namesAt(host: Host): Readonly<Record<OfferedInterval, string>> {
  return host === 'spot' ? SPOT_INTERVALS : FUTURES_INTERVALS
}
