import type { EnterSignal, ProtectSignal, QuotesSignal, Signal } from '../../domain/signal.ts'
import { PROTECTIVE_PURPOSES } from '../brackets/protection-change.ts'
import type { Decision } from '../orders/recent-decisions.ts'

/** A signal that leads to orders by itself; quotes are declared instead. */
export type OrderSignal = Exclude<Signal, QuotesSignal>

/** Signals of a decision that wait for orders to end. */
export interface PendingDecision {
  readonly signals: readonly OrderSignal[]
  /** Distinct ids of orders that must end first. A list: there is mostly one, for which a set would cost more. */
  readonly cancels: string[]
  readonly decision: Decision
  /** True if the orders waited for come from earlier signals of the same list. */
  readonly inList?: true | undefined
  /** The first of the signals is sized at an opening, which they wait for as well. */
  readonly atOpening?: true | undefined
}

/**
 * Signals that wait for the end of orders which they replace, by decision; more than one only where entries
 * are to be kept.
 */
export class PendingSignals {
  #all: readonly PendingDecision[] = NONE_PENDING

  /** All of them, oldest first. */
  get all(): readonly PendingDecision[] {
    return this.#all
  }

  get areNone(): boolean {
    return this.#all.length === 0
  }

  add(waiting: PendingDecision): void {
    this.#all = [...this.#all, waiting]
  }

  /**
   * Removes and returns the decisions that waited only for this order, which has ended; those that also
   * wait for an opening stay.
   */
  released(clientOrderId: string): readonly PendingDecision[] {
    if (this.#all.length === 0) return NONE_PENDING
    for (const { cancels } of this.#all) removeFrom(cancels, clientOrderId)
    return this.#takeReady(({ atOpening }) => !atOpening)
  }

  /** Has those who waited for an order wait for the one that goes on with it. */
  goOnWaiting(before: string, next: string): void {
    for (const { cancels } of this.#all) if (removeFrom(cancels, before)) cancels.push(next)
  }

  /** Removes and returns the decisions that waited only for an opening; `again` as in `OpeningSeen`. */
  opened(again: boolean): readonly PendingDecision[] {
    if (this.#all.length === 0) return NONE_PENDING
    return this.#takeReady(({ atOpening, inList }) => atOpening === true && (!again || inList === true))
  }

  #takeReady(isMeant: (waiting: PendingDecision) => boolean): readonly PendingDecision[] {
    const ready = this.#all.filter(waiting => waiting.cancels.length === 0 && isMeant(waiting))
    if (ready.length > 0) this.#all = this.#all.filter(waiting => !ready.includes(waiting))
    return ready
  }

  /**
   * Merges changes of protection into earlier waiting decisions, so that the latest value of each field
   * counts, also for later fills.
   */
  follow(signals: readonly OrderSignal[]): void {
    if (this.#all.length === 0) return
    const changes = signals.filter(isProtect)
    if (changes.length === 0) return
    this.#all = this.#all.map(waiting =>
      waiting.signals.some(isProtect)
        ? { ...waiting, signals: changes.reduce(followedBy, waiting.signals) }
        : waiting,
    )
  }

  /** Drops signals replaced by new ones; changes of protection stay, as only another change replaces them. */
  forget(signals: readonly OrderSignal[]): void {
    if (this.#all.length === 0) return
    const isKept = (waiting: OrderSignal) =>
      isProtect(waiting) || (isToKeep(waiting) && !signals.some(signal => replaces(signal, waiting)))
    this.#all = this.#all
      .map(waiting => ({ ...waiting, signals: waiting.signals.filter(isKept) }))
      .filter(waiting => waiting.signals.length > 0)
  }
}

const NONE_PENDING: readonly PendingDecision[] = []

/** Each of the ids once, as a list of its own. */
export function distinct(ids: readonly string[]): string[] {
  return ids.length < 2 ? [...ids] : [...new Set(ids)]
}

/** True if an id was in the list. */
function removeFrom(ids: string[], id: string): boolean {
  const place = ids.indexOf(id)
  if (place < 0) return false
  ids.splice(place, 1)
  return true
}

/** True if a signal does not affect entries. */
export function leavesEntries(signal: OrderSignal): boolean {
  return signal.type === 'protect' || (signal.type === 'exit' && (signal.fraction ?? 1) < 1)
}

/** Signals followed by a change of protection, without the fields that it overrides. */
function followedBy(signals: readonly OrderSignal[], change: ProtectSignal): readonly OrderSignal[] {
  const left = (signal: OrderSignal): readonly OrderSignal[] =>
    isProtect(signal) ? lessOf(signal, change) : [signal]
  return [...signals.flatMap(left), change]
}

/** The fields of a change of protection that a later one leaves in force; empty if it overrides all. */
function lessOf(earlier: ProtectSignal, later: ProtectSignal): readonly ProtectSignal[] {
  if (later.tag !== undefined && later.tag !== earlier.tag) return [earlier]
  const left = { ...earlier }
  for (const purpose of PROTECTIVE_PURPOSES) if (later[purpose] !== undefined) delete left[purpose]
  return PROTECTIVE_PURPOSES.some(purpose => left[purpose] !== undefined) ? [left] : []
}

function isProtect(signal: OrderSignal): signal is ProtectSignal {
  return signal.type === 'protect'
}

function isToKeep(signal: OrderSignal): signal is EnterSignal {
  return signal.type === 'enter' && signal.keep === true
}

/** True if a new signal cancels a kept entry. */
function replaces(signal: OrderSignal, kept: EnterSignal): boolean {
  if (signal.type === 'enter') return signal.tag !== undefined && signal.tag === kept.tag
  if (signal.type === 'cancelEntries') return signal.tag === undefined || signal.tag === kept.tag
  if (leavesEntries(signal)) return false
  return signal.type !== 'exit' || signal.direction === undefined || signal.direction === kept.direction
}
