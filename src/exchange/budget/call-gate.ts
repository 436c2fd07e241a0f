import type { Clock } from '../../domain/clock.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Ban, BanStore } from './ban-store.ts'
import { type BudgetState, Budgets } from './budgets.ts'
import type { CallLimits } from './call-limits.ts'
import { LANES, type Lane } from './lane.ts'
import { areMet, metAt, type Need, unmetOf } from './need.ts'
import { type PausableCall, type Pause, Pauses } from './pauses.ts'
import type { RateLimitBreach } from './rate-limit-breach.ts'
import { RateLimitedError } from './rate-limited-error.ts'
import type { SlidingWindow } from './sliding-window.ts'
import { TooManyWaitingError } from './too-many-waiting-error.ts'

/** A call that asks to leave. */
export interface GateCall {
  readonly endpoint: Endpoint
  readonly weight: number
  readonly lane: Lane
  /** Longest time to wait for its turn, ms. */
  readonly maxWaitMs: number
  readonly signal: AbortSignal | undefined
}

/** A call that may leave now; one of the two must be told in the end. */
export interface Ticket {
  /** When it left, ms UTC of the clock. */
  readonly sentAt: number
  /** The call is over; what its answer said about our limits, if anything. Throws where a ban cannot be remembered. */
  settle(breach?: RateLimitBreach): void
  /** Nothing was sent. */
  giveBack(): void
}

interface WaitingCall {
  readonly call: GateCall
  readonly needs: readonly Need[]
  readonly leave: (ticket: Ticket) => void
  readonly fail: (error: unknown) => void
}

/** What is used of the budgets, what waits, and what is forbidden. */
export interface GateState extends BudgetState {
  readonly waiting: Readonly<Record<Lane, number>>
  /** The latest ban, over or not. */
  readonly ban: Ban | undefined
  /** Why and until when nothing leaves at all. */
  readonly pause: Pause | undefined
}

/** What a gate is made of. */
export interface CallGateOptions {
  readonly clock: Clock
  readonly limits: CallLimits
  readonly banStore: BanStore
}

/** Where an endpoint has no documented rate limit: the length of the documented ones. */
const USUAL_WINDOW_MS = 2000

/** Lets calls leave within all limits: the most urgent lane first, within a lane in order of arrival. */
export class CallGate {
  readonly #clock: Clock
  readonly #maxWaiting: number
  readonly #budgets: Budgets
  readonly #pauses: Pauses
  /** In the order in which they leave. */
  readonly #waiting: WaitingCall[] = []
  /** Something waits for the end of calls or of a pause, so that every answer may let it leave; all else waits for a known moment. */
  #hangsOnAnswers = false
  #cancelWakeUp: () => void = () => undefined

  constructor({ clock, limits, banStore }: CallGateOptions) {
    this.#clock = clock
    this.#maxWaiting = limits.maxWaiting
    this.#budgets = new Budgets(limits)
    this.#pauses = new Pauses(banStore, clock.now())
  }

  state(): GateState {
    const now = this.#clock.now()
    const waiting = { cancel: 0, reconciliation: 0, order: 0, account: 0, market: 0 }
    for (const { call } of this.#waiting) waiting[call.lane]++
    const pause = this.#pauses.on('', now)
    return { ...this.#budgets.state(now), waiting, ban: this.#pauses.ban, pause }
  }

  /** Lets a call leave where nothing is in its way; `undefined` where it has to wait. Throws what `enter` rejects with. */
  enterAtOnce(call: GateCall): Ticket | undefined {
    call.signal?.throwIfAborted()
    const now = this.#clock.now()
    if (this.#pauses.on(call.endpoint.key, now) !== undefined) {
      this.assertOpen(call)
      return undefined
    }
    const needs = this.#budgets.needsOf(call.endpoint, call.weight, call.lane)
    return areMet(needs, now) && !this.#overtakes(call, needs, now)
      ? this.#begin(call, needs, now)
      : undefined
  }

  /** Whether a call would take from a limit that one before it waits for. */
  #overtakes({ lane }: GateCall, needs: readonly Need[], now: number): boolean {
    const rank = LANES.indexOf(lane)
    for (const { call, needs: others } of this.#waiting) {
      if (LANES.indexOf(call.lane) > rank) break
      if (this.pauseOf(call) !== undefined) continue
      const unmet = unmetOf(others, now)
      // One that nothing stops any more leaves in a moment.
      if (unmet.length === 0) return true
      if (unmet.some(({ window }) => needs.some(need => need.window === window))) return true
    }
    return false
  }

  /**
   * Waits for the call's turn. Rejects with `RateLimitedError` where that will not come within `maxWaitMs`, and at once
   * for a write during a pause; with `TooManyWaitingError`; or with the signal's reason. Nothing was sent then.
   */
  async enter(call: GateCall): Promise<Ticket> {
    const ticket = this.enterAtOnce(call)
    if (ticket !== undefined) return ticket
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new TooManyWaitingError(call.endpoint.key, this.#waiting.length)
    }
    return new Promise((resolve, reject) => this.#wait(call, resolve, reject))
  }

  /** Throws `RateLimitedError` for a call that a pause stops for longer than it would wait; a write waits for none. */
  assertOpen(call: GateCall): void {
    const pause = this.pauseOf(call)
    if (pause === undefined) return
    const waits = call.endpoint.effect === 'read' && pause.until <= this.#clock.now() + call.maxWaitMs
    if (!waits) throw new RateLimitedError({ endpoint: call.endpoint.key, ...pause })
  }

  /** What stops a call now, if anything. */
  pauseOf(call: GateCall): Pause | undefined {
    return this.#pauses.on(call.endpoint.key, this.#clock.now())
  }

  /** Turns away all that waits. */
  close(error: Error): void {
    this.#cancelWakeUp()
    for (const { fail } of [...this.#waiting]) fail(error)
  }

  #wait(call: GateCall, resolve: (ticket: Ticket) => void, reject: (error: unknown) => void): void {
    const { signal, maxWaitMs } = call
    const needs = this.#budgets.needsOf(call.endpoint, call.weight, call.lane)
    const abort = (): void => fail(signal?.reason)
    const stopWaiting = (): void => {
      signal?.removeEventListener('abort', abort)
      cancelDeadline?.()
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    }
    const leave = (ticket: Ticket): void => {
      stopWaiting()
      resolve(ticket)
    }
    const fail = (error: unknown): void => {
      stopWaiting()
      reject(error)
    }
    const waiting: WaitingCall = { call, needs, leave, fail }
    signal?.addEventListener('abort', abort)
    const cancelDeadline = Number.isFinite(maxWaitMs)
      ? this.#clock.schedule(maxWaitMs, () => fail(this.#tooLate(waiting)))
      : undefined
    this.#enqueue(waiting)
    this.#letLeave()
  }

  #enqueue(waiting: WaitingCall): void {
    const rank = LANES.indexOf(waiting.call.lane)
    const position = this.#waiting.findLastIndex(({ call }) => LANES.indexOf(call.lane) <= rank) + 1
    this.#waiting.splice(position, 0, waiting)
  }

  /** Lets leave whatever may, and sees to it that the next one is not forgotten. */
  #letLeave(): void {
    this.#cancelWakeUp()
    this.#hangsOnAnswers = false
    if (this.#waiting.length === 0) return
    const now = this.#clock.now()
    /** Limits that a call further ahead waits for: nobody overtakes it there. */
    const awaited = new Set<SlidingWindow>()
    let wakeAt = Number.POSITIVE_INFINITY
    for (const { call, needs, leave } of [...this.#waiting]) {
      const pause = this.pauseOf(call)
      const unmet = pause === undefined ? unmetOf(needs, now) : []
      if (pause !== undefined || unmet.length > 0) {
        const leavesAt = pause?.until ?? metAt(unmet, now)
        wakeAt = Math.min(wakeAt, leavesAt)
        this.#hangsOnAnswers ||= pause !== undefined || leavesAt === Number.POSITIVE_INFINITY
      } else if (!needs.some(({ window }) => awaited.has(window))) leave(this.#begin(call, needs, now))
      for (const { window } of unmet) awaited.add(window)
      if (unmet.some(({ window }) => this.#budgets.isForAll(window))) break
    }
    if (wakeAt === Number.POSITIVE_INFINITY) return
    this.#cancelWakeUp = this.#clock.schedule(Math.max(1, wakeAt - now), () => this.#letLeave())
  }

  #begin(call: GateCall, needs: readonly Need[], sentAt: number): Ticket {
    for (const { window, weight } of needs) window.begin(weight)
    return {
      sentAt,
      settle: breach => this.#settle(call, needs, sentAt, breach),
      giveBack: () => {
        for (const { window, weight } of needs) window.giveBack(weight)
        this.#letLeave()
      },
    }
  }

  #settle(call: GateCall, needs: readonly Need[], sentAt: number, breach?: RateLimitBreach): void {
    const now = this.#clock.now()
    for (const { window, weight } of needs) window.settle(weight, now)
    try {
      if (breach === undefined) this.#pauses.clear(call.endpoint.key, sentAt)
      else this.#pauses.add(pausable(call), breach, sentAt, now)
    } finally {
      if (breach !== undefined) this.#turnAway()
      if (breach !== undefined || this.#hangsOnAnswers) this.#letLeave()
    }
  }

  /** A pause began: what would wait too long for its end is told at once. */
  #turnAway(): void {
    for (const { call, fail } of [...this.#waiting]) {
      try {
        this.assertOpen(call)
      } catch (error) {
        fail(error)
      }
    }
  }

  #tooLate({ call, needs }: WaitingCall): RateLimitedError {
    const now = this.#clock.now()
    const fitsAt = metAt(needs, now)
    return new RateLimitedError({
      endpoint: call.endpoint.key,
      what: `its turn did not come within ${call.maxWaitMs} ms`,
      until: Math.max(this.pauseOf(call)?.until ?? now, Number.isFinite(fitsAt) ? fitsAt : now),
    })
  }
}

function pausable({ endpoint }: GateCall): PausableCall {
  return { endpoint: endpoint.key, perMs: endpoint.rateLimit?.perMs ?? USUAL_WINDOW_MS }
}
