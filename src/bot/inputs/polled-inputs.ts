import {
  concatMap,
  EMPTY,
  exhaustMap,
  interval,
  map,
  merge,
  type Observable,
  of,
  type SchedulerLike,
  switchMap,
  timer,
} from 'rxjs'
import type { Agreement } from '../../execution/reconciliation/reconciler.ts'
import { readOnce } from '../../market/polls/poll.ts'
import type { BotOptions } from '../bot-options.ts'
import { accountPoll } from './account-poll.ts'
import type { BotInput } from './bot-input.ts'
import { marketInputs } from './market-inputs.ts'

/** Sources that a bot polls besides its market. */
export interface PolledSources {
  /** Compares the account with the ledger; its results arrive as order events. */
  readonly compare: () => Promise<Agreement>
  /** True if the clock's uncertainty must be measured. */
  readonly watchesClock: boolean
}

/**
 * Pause before the one more look that follows a comparison without a verdict, ms: lists of an exchange may lag by
 * 2 s, and orders wait while a difference is suspected.
 */
export const NEXT_LOOK_MS = 2500

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
  const look$ = readOnce(compare)
  const looks$ = look$.pipe(
    switchMap(first => {
      const isSettled = !first.ok || first.value === 'agreed'
      return isSettled ? of(first) : timer(NEXT_LOOK_MS, scheduler).pipe(switchMap(() => look$))
    }),
  )
  return timer(0, everyMs, scheduler).pipe(
    exhaustMap(() => looks$),
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
