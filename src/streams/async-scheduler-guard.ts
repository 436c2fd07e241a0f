import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider'
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider'
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider'
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider'
import { UsageError } from '../domain/sluice-error.ts'

/** Providers through which rxjs uses the clock and the timers of the process. */
interface Access {
  readonly intervals: (typeof intervalProvider)['delegate']
  readonly immediates: (typeof immediateProvider)['delegate']
  readonly clock: (typeof dateTimestampProvider)['delegate']
  readonly timeouts: (typeof timeoutProvider)['delegate']
}

/**
 * Blocks rxjs from the clock of the process while streams run, in the way its own TestScheduler does. The
 * rest of the process, which needs that clock, does not run meanwhile.
 */
export class AsyncSchedulerGuard {
  readonly #none: Access
  /** Overwritten at each `begin`, which happens at each event. */
  readonly #before: { -readonly [What in keyof Access]: Access[What] } = {
    intervals: undefined,
    immediates: undefined,
    clock: undefined,
    timeouts: undefined,
  }

  /** `onError` receives unhandled errors, which rxjs would otherwise throw in the process. */
  constructor(onError: (error: unknown) => void) {
    this.#none = {
      intervals: each(['setInterval', 'clearInterval'], () => refuse('a timer of the process')),
      immediates: each(['setImmediate', 'clearImmediate'], () => refuse('the next turn of the process')),
      clock: each(['now'], () => refuse('the clock of the process')),
      // rxjs uses timeouts only to report unhandled errors.
      timeouts: { ...each(['setTimeout'], reporting(onError)), ...each(['clearTimeout'], () => {}) },
    }
  }

  /** Blocks rxjs. */
  begin(): void {
    const before = this.#before
    before.intervals = intervalProvider.delegate
    before.immediates = immediateProvider.delegate
    before.clock = dateTimestampProvider.delegate
    before.timeouts = timeoutProvider.delegate
    grant(this.#none)
  }

  /** Restores the providers. */
  end(): void {
    grant(this.#before)
  }
}

function grant({ intervals, immediates, clock, timeouts }: Access): void {
  intervalProvider.delegate = intervals
  immediateProvider.delegate = immediates
  dateTimestampProvider.delegate = clock
  timeoutProvider.delegate = timeouts
}

function refuse(what: string): never {
  throw new UsageError(
    `An operator of rxjs asked for ${what}, which no backtest has; give it the scheduler of market time as its last argument, as in debounceTime(60_000, context.scheduler).`,
  )
}

/** Runs at once the function that rxjs would run later, and reports its error. */
function reporting(onError: (error: unknown) => void) {
  return (throwError: () => void): number => {
    try {
      throwError()
    } catch (error) {
      onError(error)
    }
    return 0
  }
}

/** The same function under several names. */
function each<Name extends string, Call>(names: readonly Name[], call: Call): Record<Name, Call> {
  // Every name gets the function.
  return Object.fromEntries(names.map(name => [name, call])) as Record<Name, Call>
}
