import Table from 'cli-table3'
import type { PlannedPoll, PollPlan } from '../../market/polls/poll-plan.ts'

const HEAD = ['what', 'when', 'weight', 'a minute', 'p50', 'p99']

/** A poll plan for people: reads, periods, weights, and the expected age of data. */
export function planText(plan: PollPlan): string {
  const table = new Table({
    head: HEAD,
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  })
  for (const alike of groupsOf(plan.polls)) table.push(rowOf(alike))
  const ages = plan.polls.some(({ type }) => type === 'klines')
    ? 'the time after its close at which a kline comes at best, and the age of anything else'
    : 'the age of what is read'
  const legend = `p50, p99: ${ages}. A call is taken to last ${plan.callMs} ms.`
  return `${table.toString()}\n${legend}\n${weightText(plan)}${deliveryText(plan)}`
}

/** The plan of a bot on a paper account, and that of the reads of the host, with the cost of each market and the sentences of `limits`. */
export function paperPlanText(bot: PollPlan, host: PollPlan, limits: readonly string[]): string {
  const costs = Map.groupBy(
    host.polls.filter(({ work }) => 'symbol' in work),
    ({ work }) => ('symbol' in work ? work.symbol : ''),
  )
  const sentences = Array.from(costs, ([symbol, polls]) => {
    const parts = polls.map(({ work, weightPerMinute }) => `${work.type} ${numberText(weightPerMinute)}`)
    const sum = polls.reduce((total, { weightPerMinute }) => total + weightPerMinute, 0)
    return `${symbol} costs ${numberText(sum)} a minute (${parts.join(', ')}).\n`
  })
  return `What the bot reads of the paper account in this process (only its klines reach the host):\n${planText(bot)}\nWhat is read of the host to match orders:\n${planText(host)}${sentences.join('')}${limits.map(limit => `${limit}\n`).join('')}`
}

/** Polls that differ only in their symbol share a row. */
function groupsOf(polls: readonly PlannedPoll[]): readonly (readonly PlannedPoll[])[] {
  const groups = Map.groupBy(polls, poll =>
    poll.type === 'klines'
      ? [poll.endpoint, poll.work.interval].join(' ')
      : [poll.endpoint, poll.timing.everyMs, poll.weight].join(' '),
  )
  return [...groups.values()]
}

function rowOf(alike: readonly PlannedPoll[]): string[] {
  const [first] = alike
  if (first === undefined) return []
  const ages = alike.map(({ freshness }) => freshness)
  return [
    alike.length === 1 ? first.name : `${first.name}; ${alike.length} such calls`,
    whenText(alike),
    String(first.weight),
    numberText(alike.reduce((total, { weightPerMinute }) => total + weightPerMinute, 0)),
    durationText(
      ages.map(({ p50Ms }) => p50Ms).toSorted((a, b) => a - b)[Math.ceil(ages.length / 2) - 1] ?? 0,
    ),
    durationText(Math.max(...ages.map(({ p99Ms }) => p99Ms))),
  ]
}

function whenText(alike: readonly PlannedPoll[]): string {
  const [first] = alike
  if (first?.type === 'periodic') {
    const { everyMs, wantedMs } = first.timing
    const slower = everyMs > wantedMs ? ` (wanted: ${durationText(wantedMs)})` : ''
    return `every ${durationText(everyMs)}${slower}`
  }
  const delays = alike.flatMap(poll => (poll.type === 'klines' ? [poll.delayMs] : []))
  const [soonest, latest] = [Math.min(...delays), Math.max(...delays)].map(durationText)
  return soonest === latest ? `${soonest} after the close` : `${soonest} to ${latest} after the close`
}

function weightText({ weight, slowdown }: PollPlan): string {
  const { limit, available, account, perMinute, worstMinute, share } = weight
  const slower =
    slowdown > 1
      ? `The budget makes periodic reads up to ${slowdown.toFixed(2)} times slower than wanted.\n`
      : ''
  const compared = account === 0 ? '' : `, ${numberText(account)} of the rest for comparing the account`
  return `Weight ${numberText(perMinute)} of ${limit} a minute (${(share * 100).toFixed(1)}%), ${numberText(worstMinute)} in the worst minute; ${numberText(available)} are for market data${compared}.\n${slower}`
}

function deliveryText({ klineDelivery }: PollPlan): string {
  if (klineDelivery === undefined) return ''
  const { p50Ms, p99Ms, lastMs } = klineDelivery
  return `Klines come ${durationText(p50Ms)} (p50) and ${durationText(p99Ms)} (p99) after their close at best; those that close together are complete after ${durationText(lastMs)}.\n`
}

function numberText(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 10) / 100} s`
}
