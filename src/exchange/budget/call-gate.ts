import type { Clock } from '../../domain/clock.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Ban, BlockStore } from './block-store.ts'
import { type BudgetState, Budgets } from './budgets.ts'
import type { CallLimits } from './call-limits.ts'
import { LANES, type Lane } from './lane.ts'
import { exceededOf, fits, fitsAt, type Need } from './need.ts'
import { type PausableCall, type Pause, Pauses } from './pauses.ts'
import type { RateLimitBreach } from './rate-limit-breach.ts'
import { RateLimitedError } from './rate-limited-error.ts'
import type { SlidingWindow } from './sliding-window.ts'
import { TooManyWaitingError } from './too-many-waiting-error.ts'

/** A call that waits to be sent. */
export interface GateCall {
  readonly endpoint: Endpoint
  readonly weight: number
  readonly lane: Lane
  /** Longest time to wait for its turn, ms. */
  readonly maxWaitMs: number
  readonly signal: AbortSignal | undefined
}

/** Permission to send a call now. End it with either `settle` or `giveBack`. */
export interface Ticket {
  /** Send time, ms UTC of the clock. */
  readonly sentAt: number
  /**
   * Reports the end of the call, with a rate-limit breach from its answer. Throws if the block that it means cannot be stored.
   */
  settle(breach?: RateLimitBreach): void
  /** Releases the permission of a call that was not sent. */
  giveBack(): void
}

interface WaitingCall {
  readonly call: GateCall
  readonly needs: readonly Need[]
  readonly leave: (ticket: Ticket) => void
  readonly fail: (error: unknown) => void
}

/** Used budgets, waiting calls, and what stops them. */
export interface GateState extends BudgetState {
  readonly waiting: Readonly<Record<Lane, number>>
  /** The latest ban, also after it has ended. */
  readonly ban: Ban | undefined
  /** Pause that currently stops all calls. */
  readonly pause: Pause | undefined
}

export interface CallGateOptions {
  readonly clock: Clock
  readonly limits: CallLimits
  readonly blockStore: BlockStore
}

/** Window of endpoints without a documented rate limit, ms: the length of the documented ones. */
const USUAL_WINDOW_MS = 2000

/** Sends calls within all limits: the most urgent lane first, within a lane in order of arrival. */
export class CallGate {
  readonly #clock: Clock
  readonly #maxWaiting: number
  readonly #budgets: Budgets
  readonly #pauses: Pauses
  /** In sending order. */
  readonly #waiting: WaitingCall[] = []
  /**
   * True while a call waits for answers or for the end of a pause, so that every answer must check the queue
   * again; all other calls wait for a known time.
   */
  #hangsOnAnswers = false
  #cancelWakeUp: () => void = () => undefined

  constructor({ clock, limits, blockStore }: CallGateOptions) {
    this.#clock = clock
    this.#maxWaiting = limits.maxWaiting
    this.#budgets = new Budgets(limits)
    this.#pauses = new Pauses(blockStore, clock.now())
  }

  state(): GateState {
    const now = this.#clock.now()
    const waiting = { cancel: 0, reconciliation: 0, order: 0, account: 0, market: 0 }
    for (const { call } of this.#waiting) waiting[call.lane]++
    const pause = this.#pauses.on('', now)
    return { ...this.#budgets.state(now), waiting, ban: this.#pauses.ban, pause }
  }

  /**
   * Sends a call at once if no limit or pause stops it; `undefined` if it has to wait. Throws the errors that
   * `enter` rejects with.
   */
  enterAtOnce(call: GateCall): Ticket | undefined {
    call.signal?.throwIfAborted()
    const now = this.#clock.now()
    if (this.#pauses.on(call.endpoint.key, now) !== undefined) {
      this.assertOpen(call)
      return undefined
    }
    const needs = this.#budgets.needsOf(call.endpoint, call.weight, call.lane)
    return fits(needs, now) && !this.#overtakes(call, needs, now) ? this.#begin(call, needs, now) : undefined
  }

  /** True if the call would use up a limit that an earlier call waits for. */
  #overtakes({ lane }: GateCall, needs: readonly Need[], now: number): boolean {
    const rank = LANES.indexOf(lane)
    for (const { call, needs: others } of this.#waiting) {
      if (LANES.indexOf(call.lane) > rank) break
      if (this.pauseOf(call) !== undefined) continue
      const unmet = exceededOf(others, now)
      // A call without unmet limits is sent in a moment.
      if (unmet.length === 0) return true
      if (unmet.some(({ window }) => needs.some(need => need.window === window))) return true
    }
    return false
  }

  /**
   * Waits for the call's turn. Rejects with `RateLimitedError` if the turn does not come within `maxWaitMs`
   * (a write during a pause: at once), with `TooManyWaitingError`, or with the signal's reason. The call was
   * not sent then.
   */
  async enter(call: GateCall): Promise<Ticket> {
    const ticket = this.enterAtOnce(call)
    if (ticket !== undefined) return ticket
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new TooManyWaitingError(call.endpoint.key, this.#waiting.length)
    }
    return new Promise((resolve, reject) => this.#wait(call, resolve, reject))
  }

  /**
   * Throws `RateLimitedError` if a pause lasts longer than the call may wait; writes do not wait for a pause.
   */
  assertOpen(call: GateCall): void {
    const pause = this.pauseOf(call)
    if (pause === undefined) return
    const waits = call.endpoint.effect === 'read' && pause.until <= this.#clock.now() + call.maxWaitMs
    if (!waits) throw new RateLimitedError({ endpoint: call.endpoint.key, ...pause })
  }

  /** Pause that stops the call now. */
  pauseOf(call: GateCall): Pause | undefined {
    return this.#pauses.on(call.endpoint.key, this.#clock.now())
  }

  /** Rejects all waiting calls. */
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

  /** Sends all calls that fit, and schedules the next check. */
  #letLeave(): void {
    this.#cancelWakeUp()
    this.#hangsOnAnswers = false
    if (this.#waiting.length === 0) return
    const now = this.#clock.now()
    /** Limits that earlier calls wait for; later calls must not use them up. */
    const awaited = new Set<SlidingWindow>()
    let wakeAt = Number.POSITIVE_INFINITY
    for (const { call, needs, leave } of [...this.#waiting]) {
      const pause = this.pauseOf(call)
      const unmet = pause === undefined ? exceededOf(needs, now) : []
      if (pause !== undefined || unmet.length > 0) {
        const leavesAt = pause?.until ?? fitsAt(unmet, now)
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

  /** After the start of a pause: rejects the calls that would have to wait too long for its end. */
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
    const fitsThen = fitsAt(needs, now)
    return new RateLimitedError({
      endpoint: call.endpoint.key,
      what: `its turn did not come within ${call.maxWaitMs} ms`,
      until: Math.max(this.pauseOf(call)?.until ?? now, Number.isFinite(fitsThen) ? fitsThen : now),
    })
  }
}

function pausable({ endpoint }: GateCall): PausableCall {
  return { endpoint: endpoint.key, perMs: endpoint.rateLimit?.perMs ?? USUAL_WINDOW_MS }
}
