import { concatMap, EMPTY, interval, map, merge, type Observable, type SchedulerLike } from 'rxjs'
import { poll } from '../../market/polls/poll.ts'
import type { BotOptions } from '../bot-options.ts'
import { accountPoll } from './account-poll.ts'
import type { BotInput } from './bot-input.ts'
import { marketInputs } from './market-inputs.ts'

/** Sources that a bot polls besides its market. */
export interface PolledSources {
  /** Compares the account with the ledger; its results arrive as order events. */
  readonly compare: () => Promise<unknown>
  /** True if the clock's uncertainty must be measured. */
  readonly watchesClock: boolean
}

/** Interval of measuring the clock's uncertainty, ms. */
const CLOCK_CHECK_MS = 1000

/** All sources that a bot polls: the market, its account, the clock. */
export function polledInputs(
  options: BotOptions,
  scheduler: SchedulerLike,
  { compare, watchesClock }: PolledSources,
): Observable<BotInput> {
  return merge(
    market(options, scheduler),
    comparison(options, scheduler, compare),
    watchesClock ? clock(options, scheduler) : EMPTY,
  )
}

function market(options: BotOptions, scheduler: SchedulerLike): Observable<BotInput> {
  const { followed, config, random = Math.random } = options
  return marketInputs({
    ...options,
    strategies: followed,
    polling: config.polling,
    rules: config.instruments,
    scheduler,
    random,
  })
}

function comparison(
  { config, instruments, marketOf, venue }: BotOptions,
  scheduler: SchedulerLike,
  compare: PolledSources['compare'],
): Observable<BotInput> {
  const { everyMs } = accountPoll([...instruments.keys()], marketOf, config.polling, venue.profile)
  return poll(compare, everyMs, scheduler).pipe(
    concatMap((polled): readonly BotInput[] =>
      polled.ok ? [] : [{ type: 'failure', what: 'reconciliation', error: polled.error }],
    ),
  )
}

function clock(
  { venue: { clockUncertaintyMs } }: BotOptions,
  scheduler: SchedulerLike,
): Observable<BotInput> {
  if (clockUncertaintyMs === undefined) return EMPTY
  return interval(CLOCK_CHECK_MS, scheduler).pipe(
    map((): BotInput => ({ type: 'clock', uncertaintyMs: clockUncertaintyMs() })),
  )
}
