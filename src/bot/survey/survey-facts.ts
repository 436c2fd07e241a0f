import { weightOf } from '../../exchange/endpoints/endpoint.ts'
import { isLoopbackHost } from '../../exchange/http/base-url.ts'
import type { HostSurvey } from './host-survey.ts'
import { klinesText } from './kline-facts.ts'

/** One thing that a host showed beside its calls. */
export interface SurveyFact {
  readonly about: 'clock' | 'limits' | 'instruments' | 'klines' | 'key' | 'orders' | 'end'
  /** A sentence or two. */
  readonly found: string
}

/** Headers by which hosts tell their limits. */
const LIMIT_HEADER = /rate-?limit|used-weight|weight|retry-after|order-count/i
/** Offset from which timestamps of this machine would be refused without a measured clock, ms. */
const LARGE_OFFSET_MS = 1000
/** Duration of a call that is told as slow, ms. */
const SLOW_CALL_MS = 1000
/** Offset from which an exchange on this machine simulates another time, ms. */
const SIMULATED_OFFSET_MS = 3_600_000

/** Clock, limits, instruments, klines and key of a host, a fact each. */
export function surveyFacts(survey: HostSurvey): readonly SurveyFact[] {
  const { key, stopped, orderTypes } = survey
  return [
    { about: 'clock', found: clockText(survey) },
    { about: 'limits', found: limitsText(survey) },
    { about: 'instruments', found: instrumentsText(survey) },
    { about: 'klines', found: klinesText(survey) },
    ...(key === undefined
      ? []
      : [
          {
            about: 'key',
            found: key.verdict ?? 'The host takes the key; signed reads are asked with it.',
          } as const,
        ]),
    ...(orderTypes === undefined || orderTypes.taken.length + orderTypes.refused.length === 0
      ? []
      : [
          {
            about: 'orders',
            found: `The test of orders takes ${listOf(orderTypes.taken)}, and refuses ${listOf(orderTypes.refused)}.`,
          } as const,
        ]),
    ...(stopped === undefined ? [] : [{ about: 'end', found: stopped } as const]),
  ]
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function clockText({ clock, prefix, origin }: HostSurvey): string {
  if (clock === undefined) return 'This host does not tell its time; the clock of the other host counts.'
  const { path, offsetMs, uncertaintyMs, roundTripMs } = clock
  const way = offsetMs > 0 ? 'behind' : 'ahead of'
  const measured = `${prefix}${path} answers in ${Math.round(roundTripMs)} ms: this machine's clock is ${Math.abs(Math.round(offsetMs))} ms ${way} the host's, known to within ${Math.round(uncertaintyMs)} ms.`
  const slow = roundTripMs > SLOW_CALL_MS ? ` ${slowText(roundTripMs)}` : ''
  if (Math.abs(offsetMs) <= LARGE_OFFSET_MS) return `${measured}${slow}`
  const isSimulated = isLoopbackHost(new URL(origin).hostname) && Math.abs(offsetMs) > SIMULATED_OFFSET_MS
  return `${measured}${slow} ${isSimulated ? 'It is on this machine and has a time of its own, which a bot follows.' : 'Synchronise the clock (NTP).'}`
}

function slowText(roundTripMs: number): string {
  const seconds = (roundTripMs / 1000).toFixed(1)
  return `That is slow: prices and order books come every ${seconds} s at best, and are up to that old when a strategy or a stop sees them.`
}

function limitsText({ tried, requests }: HostSurvey): string {
  const replies = tried.flatMap(({ reply }) => (reply !== undefined && 'raw' in reply ? [reply.raw] : []))
  const told = new Map(
    replies.flatMap(({ headers }) => Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name))),
  )
  const weight = tried.reduce(
    (sum, { row, reply }) => sum + (reply === undefined ? 0 : weightOf(row, { symbol: '' })),
    0,
  )
  const headers =
    told.size === 0
      ? 'No header tells a limit; the bot counts by the interface document (weight 12000 a minute).'
      : `Headers: ${[...told].map(([name, value]) => `${name}: ${String(value)}`).join(', ')}.`
  return `${headers} The examination sent ${requests} requests of a weight of ${weight} at most.`
}

function instrumentsText({ host, listing }: HostSurvey): string {
  const { count, lacking, sample } = listing
  const name = sample.symbol ?? sample.contractName
  const kind = host === 'spot' ? 'pair' : 'contract'
  if (name === undefined) return `No ${kind} that trades was listed.`
  const listed = `${count === 1 ? `1 ${kind} trades` : `${count} ${kind}s trade`}; the calls were asked about ${name}.`
  if (lacking.size === 0) return `${listed} The list tells all that a bot needs.`
  const missing = [...lacking].map(([key, without]) => (without === count ? key : `${key} (of ${without})`))
  const rows = [...lacking.keys()].map(key => `${key}: …`).join(', ')
  return `${listed} The list does not tell ${missing.join(', ')}. Write what your fee schedule says into the configuration of the bot:\ninstruments:\n  ${name}: { ${rows} }`
}
