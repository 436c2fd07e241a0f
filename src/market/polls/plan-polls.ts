import { UsageError } from '../../domain/sluice-error.ts'
import type { MarketSubscription } from '../market-subscription.ts'
import { type PacedPoll, pacedPolls, periodicPoll } from './paced-polls.ts'
import { planKlinePolls } from './plan-kline-polls.ts'
import type { PlannedKlinePoll, PlannedPoll, PlannedWeight, PollBudget, PollPlan } from './poll-plan.ts'
import { sharedStreams } from './shared-streams.ts'
import { stretchedPeriods } from './stretched-periods.ts'

const MINUTE = 60_000
/** Expected reads per kline in the worst minute: half of the klines are not complete at the first read. */
const READS_PER_CLOSE = 1.5

/**
 * One plan for all subscriptions: shared streams are read once, tickers in the cheapest calls, klines just
 * after they close; if the budget is tight, all polls but those of klines become slower. Throws `UsageError`
 * with the figures if even that does not fit.
 */
export function planPolls(subscriptions: readonly MarketSubscription[], budget: PollBudget): PollPlan {
  const streams = sharedStreams(subscriptions)
  const klines = planKlinePolls(
    streams.filter(stream => stream.type === 'klines'),
    budget,
  )
  const paced = pacedPolls(
    streams.filter(stream => stream.type !== 'klines'),
    budget.lacks ?? [],
  )
  const available = budget.weightPerMinute * (1 - budget.orderShare)
  const klinesAtWorst = sum(klines.map(({ weight }) => weight)) * READS_PER_CLOSE
  const periods = stretchedPeriods(paced, available - klinesAtWorst)
  if (periods === undefined) throw tooMuch(klines.length, klinesAtWorst, paced, available, budget)
  const periodic = paced.map((poll, index) =>
    periodicPoll(poll, periods[index] ?? poll.slowestMs, index, budget),
  )
  const polls = [...klines, ...periodic]
  return {
    polls,
    callMs: budget.callMs,
    weight: plannedWeight(polls, klinesAtWorst, available, budget),
    slowdown: Math.max(1, ...paced.map(({ everyMs }, index) => (periods[index] ?? everyMs) / everyMs)),
    klineDelivery: klineDelivery(klines),
  }
}

function plannedWeight(
  polls: readonly PlannedPoll[],
  klinesAtWorst: number,
  available: number,
  { weightPerMinute: limit, accountWeight: account = 0 }: PollBudget,
): PlannedWeight {
  const perMinute = sum(polls.map(({ weightPerMinute }) => weightPerMinute))
  const periodic = polls.filter(({ type }) => type === 'periodic')
  const worstMinute = klinesAtWorst + sum(periodic.map(({ weightPerMinute }) => weightPerMinute))
  return { limit, available, account, perMinute, worstMinute, share: perMinute / limit }
}

/** Quantiles over all delivered klines: a minute stream counts sixty times as much as an hourly one. */
function klineDelivery(polls: readonly PlannedKlinePoll[]): PollPlan['klineDelivery'] {
  const fastest = polls.toSorted((left, right) => left.freshness.p50Ms - right.freshness.p50Ms)
  const last = fastest.at(-1)
  if (last === undefined) return undefined
  const all = sum(polls.map(({ weightPerMinute }) => weightPerMinute))
  const quantile = (share: number): number => {
    let counted = 0
    const found = fastest.find(({ weightPerMinute }) => {
      counted += weightPerMinute
      return counted >= share * all - 1e-9
    })
    return (found ?? last).freshness.p50Ms
  }
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), lastMs: last.freshness.p50Ms }
}

function tooMuch(
  klines: number,
  klinesAtWorst: number,
  paced: readonly PacedPoll[],
  available: number,
  { weightPerMinute, orderShare }: PollBudget,
): UsageError {
  const atSlowest = sum(paced.map(({ weight, slowestMs }) => (weight * MINUTE) / slowestMs))
  const needed = Math.ceil(klinesAtWorst + atSlowest)
  return new UsageError(
    `Market data would need a weight of at least ${needed} a minute: ${Math.ceil(klinesAtWorst)} for klines (${klines} streams) and ${Math.ceil(atSlowest)} for everything else at its slowest (${paced.length} polls). Only ${Math.floor(available)} of ${weightPerMinute} are theirs, because ${orderShare * 100}% are left to orders; follow less, or change weightPerMinute or orderShare.`,
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
