import { defer, finalize, from, map, type Observable, type SchedulerLike, switchMap } from 'rxjs'
import { Backoff } from './backoff.ts'
import { type Polled, readOnce, whenDue } from './poll.ts'
import type { PollGate } from './poll-gate.ts'
import type { StartedPoll } from './poll-plan.ts'
import type { PollReader, Reading } from './poll-reader.ts'

export interface PollStreamOptions {
  readonly poll: StartedPoll
  readonly reader: PollReader
  readonly gate: PollGate
  readonly scheduler: SchedulerLike
  /** From 0 up to 1, for the pauses after failures. */
  readonly random: () => number
}

/** Priority of polls that wait for each other, most urgent first. */
const URGENCY = ['klines', 'trades', 'tickers', 'indexPrice', 'depth', 'listings'] as const

/** Mean of the longest pauses after failures, ms: stops fire at the prices of tickers, so that these come soon after an outage. */
const LONGEST_PAUSE_MS = { tickers: 2000, others: 30_000 } as const

/** Runs one poll of the plan for ever. A failure is emitted as an event and retried after a growing pause. */
export function pollStream({
  poll,
  reader,
  gate,
  scheduler,
  random,
}: PollStreamOptions): Observable<Reading> {
  const backoff = new Backoff(random, LONGEST_PAUSE_MS[poll.work.type === 'tickers' ? 'tickers' : 'others'])
  const urgency = URGENCY.indexOf(poll.work.type)
  const readInTurn$ = defer(() => {
    const turn = gate.turn(urgency, poll.weight)
    return from(turn.come).pipe(
      switchMap(() => readOnce(() => reader.read())),
      finalize(() => turn.release()),
    )
  })
  const failed = (error: unknown): Reading => {
    backoff.failed(error, scheduler.now())
    const { failures, until } = backoff
    const what = { what: poll.name, streams: reader.streams }
    const retryInMs = until - scheduler.now()
    return { events: [{ type: 'failed', ...what, error, failures, retryInMs }], alive: [] }
  }
  const taken = (polled: Polled<() => Reading>): Reading => {
    if (!polled.ok) return failed(polled.error)
    try {
      const reading = polled.value()
      backoff.succeeded()
      return reading
    } catch (error) {
      return failed(error)
    }
  }
  const dueAt = () => Math.max(reader.dueAt(scheduler.now()), backoff.until)
  return whenDue(dueAt, readInTurn$, scheduler).pipe(map(taken))
}
