import type { TradingCommand } from '../domain/events/trading-event.ts'
import type { HoldSource, TradingHold, TradingMode } from '../domain/events/trading-hold.ts'

/**
 * State set by the commands of one source, from the least to the most strict; `paused` is reducing, and ends
 * by itself.
 */
const COMMANDED = ['active', 'paused', 'reducing', 'halted'] as const
type Commanded = (typeof COMMANDED)[number]

/**
 * State requested by each command. Only `resume` makes a state less strict: the operator's lifts every
 * liftable hold, an invariant's its own; a flatten changes no state.
 */
const ASKED: Readonly<Record<Exclude<TradingCommand, 'flatten' | 'resume'>, Commanded>> = {
  pause: 'paused',
  reduce: 'reducing',
  halt: 'halted',
  kill: 'halted',
}

/** Sources that hold exactly while their condition lasts; a resume does not lift them. */
const CONDITIONS: ReadonlySet<HoldSource> = new Set(['staleData', 'clockUncertainty', 'spread'])

/** True if a hold lasts exactly as long as its condition, so that it says nothing about another time. */
export function isCondition(source: HoldSource): boolean {
  return CONDITIONS.has(source)
}

/** From the least to the most strict. */
const MODES: readonly TradingMode[] = ['active', 'reducing', 'halted']

/** The stricter of two modes. */
export function stricter(left: TradingMode, right: TradingMode): TradingMode {
  // Called for every order, and nearly always both are active.
  if (left === right) return left
  return MODES.indexOf(left) >= MODES.indexOf(right) ? left : right
}

/** The strictest first; of equal ones as given. */
export function strictestFirst(holds: readonly TradingHold[]): readonly TradingHold[] {
  return holds.toSorted((left, right) => MODES.indexOf(right.mode) - MODES.indexOf(left.mode))
}

export interface StateCommand {
  readonly command: Exclude<TradingCommand, 'flatten'>
  readonly by: 'operator' | 'invariant'
  readonly until?: number | undefined
  readonly reason: string
  /** Reason of the present hold of `by` that this command gives a new one; any other hold stays as it is. */
  readonly renews?: string | undefined
  readonly time: number
}

/** Trading mode of one scope: at most one hold for each source, and the strictest of them wins. */
export class TradingState {
  readonly #holds = new Map<HoldSource, TradingHold>()
  #mode: TradingMode = 'active'
  #nextEnd = Number.POSITIVE_INFINITY

  /** The strictest of all holds. */
  get mode(): TradingMode {
    return this.#mode
  }

  /** Everything that holds trading back. */
  get holds(): readonly TradingHold[] {
    return [...this.#holds.values()]
  }

  /** When the next hold ends by itself, ms UTC; infinite where none does. */
  get nextEnd(): number {
    return this.#nextEnd
  }

  /** Executes a command; returns true if it changed anything. */
  command({ command, by, until, reason, renews, time }: StateCommand): boolean {
    if (command === 'resume') return by === 'operator' ? this.#resume() : this.#takeBack(reason)
    const present = this.#holds.get(by)
    const before = commandedBy(present)
    const asked = ASKED[command]
    const isPause = asked === 'paused'
    if (asked === before && present !== undefined && present.reason === renews) {
      this.hold({ ...present, reason })
      return reason !== renews
    }
    if (COMMANDED.indexOf(asked) < COMMANDED.indexOf(before) || (asked === before && !isPause)) return false
    const mode = asked === 'halted' ? 'halted' : 'reducing'
    this.hold({ mode, source: by, reason, since: time, until: isPause ? until : undefined })
    return true
  }

  /** Takes a hold in, in place of an earlier one of the same source. */
  hold(hold: TradingHold): void {
    this.#holds.set(hold.source, hold)
    this.#settle()
  }

  /** Removes the hold of a source; returns true if there was one. */
  lift(source: HoldSource): boolean {
    const had = this.#holds.delete(source)
    if (had) this.#settle()
    return had
  }

  /** Removes holds that have ended by `now`, ms UTC; returns true if any had. */
  end(now: number): boolean {
    if (now < this.#nextEnd) return false
    for (const { source, until } of this.holds) {
      if (until !== undefined && until <= now) this.#holds.delete(source)
    }
    this.#settle()
    return true
  }

  /** A restored invariant lifts only the hold that it caused. */
  #takeBack(reason: string): boolean {
    return this.#holds.get('invariant')?.reason === reason && this.lift('invariant')
  }

  #resume(): boolean {
    const lifted = this.holds.filter(({ source }) => !CONDITIONS.has(source))
    for (const { source } of lifted) this.#holds.delete(source)
    this.#settle()
    return lifted.length > 0
  }

  #settle(): void {
    this.#mode = 'active'
    this.#nextEnd = Number.POSITIVE_INFINITY
    for (const { mode, until } of this.#holds.values()) {
      this.#mode = stricter(this.#mode, mode)
      if (until !== undefined) this.#nextEnd = Math.min(this.#nextEnd, until)
    }
  }
}

function commandedBy(hold: TradingHold | undefined): Commanded {
  if (hold === undefined) return 'active'
  return hold.mode === 'reducing' && hold.until !== undefined ? 'paused' : hold.mode
}
