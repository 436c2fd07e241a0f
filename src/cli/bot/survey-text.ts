import Table from 'cli-table3'
import { differencesOf } from '../../bot/survey/answer-differences.ts'
import { exists } from '../../bot/survey/call-outcome.ts'
import type { HostSurvey } from '../../bot/survey/host-survey.ts'
import { noTradingText } from '../../bot/survey/no-trading-text.ts'
import { surveyFacts } from '../../bot/survey/survey-facts.ts'
import type { VenueSurvey } from '../../bot/survey/survey-venue.ts'
import type { CallTried } from '../../bot/survey/tried-calls.ts'

/** One call in the table. */
interface CallRow {
  readonly call: string
  /** Paths at which it exists. */
  readonly paths: readonly string[]
  readonly found: string
}

const STYLE = { head: [], border: [], compact: true }
const CALL_WIDTHS = [29, 34, 66]
const FACT_WIDTHS = [14, 115]

/** The survey of an exchange as tables; `written`: the file of its profile, if one was written. */
export function surveyText({ hosts, problems }: VenueSurvey, written: string | undefined): string {
  return [
    ...hosts.map(hostText),
    ...(written === undefined
      ? []
      : [`The profile is in ${written}: venue: { type: ${venueTypeFor(hosts)}, profile: ${written} }`]),
    ...(hosts.length > 0
      ? ['No order was placed. What an exchange does with real orders only a small one shows.']
      : []),
    ...problems,
    '',
  ].join('\n')
}

function venueTypeFor(hosts: VenueSurvey['hosts']): 'exchange' | 'paper' {
  return hosts.some(survey => noTradingText(survey) === undefined) ? 'exchange' : 'paper'
}

/** The survey of an exchange as JSON. */
export function surveyJson({ hosts, problems }: VenueSurvey): object {
  return {
    problems,
    hosts: hosts.map(survey => ({
      host: survey.host,
      url: `${survey.origin}${survey.prefix}`,
      facts: surveyFacts(survey),
      calls: callRows(survey),
    })),
  }
}

function hostText(survey: HostSurvey): string {
  const calls = new Table({
    head: ['call', 'answers at', 'found'],
    style: STYLE,
    colWidths: CALL_WIDTHS,
    wordWrap: true,
  })
  for (const { call, paths, found } of callRows(survey)) calls.push([call, paths.join('\n'), found])
  const facts = new Table({ style: STYLE, colWidths: FACT_WIDTHS, wordWrap: true })
  for (const { about, found } of surveyFacts(survey)) facts.push([about, found])
  const name = survey.host === 'spot' ? 'Spot' : 'Futures'
  return `${name} host ${survey.origin}${survey.prefix}\n${calls.toString()}\n${facts.toString()}\n`
}

function callRows({ tried, prefix }: HostSurvey): readonly CallRow[] {
  const byCall = Map.groupBy(tried, ({ row }) => row.key)
  return [...byCall].map(([call, paths]) => ({
    call,
    paths: paths.filter(({ outcome }) => exists(outcome)).map(({ path }) => `${prefix}${path}`),
    found: foundText(paths),
  }))
}

function foundText(paths: readonly CallTried[]): string {
  const shown =
    paths.find(({ outcome }) => outcome === 'answered') ?? paths.find(({ outcome }) => exists(outcome))
  if (shown !== undefined) return shownText(shown)
  const outcomes = new Set(paths.map(({ outcome }) => outcome))
  if (outcomes.has('failed')) return failureOf(paths)
  if (outcomes.has('unasked')) return 'not asked'
  if (outcomes.has('ambiguous')) return 'not told without a key: the host says the same of missing calls'
  if (outcomes.has('untold')) return 'not told: only an order or a signed POST would show it'
  return 'missing'
}

function shownText({ row, reply, outcome }: CallTried): string {
  const differences = differencesOf(row, reply)
  if (outcome === 'answered') return differences.length === 0 ? 'as documented' : differences.join('; ')
  if (outcome === 'wantsKey') return 'there; it asks for a key'
  const reason =
    reply?.kind === 'refusal' ? `: ${reply.reason}${reply.code === undefined ? '' : ` (${reply.code})`}` : ''
  return outcome === 'keyRefused'
    ? `there; it refuses the key${reason}`
    : `there; it refuses what the doctor asks for${reason}`
}

function failureOf(paths: readonly CallTried[]): string {
  const reply = paths.find(({ outcome }) => outcome === 'failed')?.reply
  if (reply?.kind === 'silence') return reply.reason
  if (reply?.kind === 'page') return `a page instead of JSON (HTTP ${reply.raw.status})`
  return reply?.kind === 'limit' ? `a rate limit is broken (HTTP ${reply.raw.status})` : 'no readable answer'
}
