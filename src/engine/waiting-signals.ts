import type { Order } from '../domain/order.ts'
import { isWorking } from '../domain/order-status.ts'
import type { EnterSignal, QuotesSignal, Signal } from '../domain/signal.ts'
import type { Decision } from './order-desk.ts'

/** A signal that leads to orders by itself; quotes are declared instead. */
export type OrderSignal = Exclude<Signal, QuotesSignal>

/** Signals of a decision that wait for orders to be over. */
export interface Waiting {
  readonly signals: readonly OrderSignal[]
  /** Orders whose end they wait for. */
  readonly cancels: Set<string>
  readonly decision: Decision
}

/** Signals that wait for the end of orders which they replace, by decision; more than one only where entries are to be kept. */
export class WaitingSignals {
  #all: readonly Waiting[] = NONE_WAITING

  /** All of them, oldest first. */
  get all(): readonly Waiting[] {
    return this.#all
  }

  get areNone(): boolean {
    return this.#all.length === 0
  }

  /** Takes in what waits. */
  add(waiting: Waiting): void {
    this.#all = [...this.#all, waiting]
  }

  /** Takes out and returns what has waited for an order, once that is over. */
  released(order: Order): readonly Waiting[] {
    if (this.#all.length === 0 || isWorking(order.status)) return NONE_WAITING
    for (const { cancels } of this.#all) cancels.delete(order.request.clientOrderId)
    const released = this.#all.filter(({ cancels }) => cancels.size === 0)
    if (released.length > 0) this.#all = this.#all.filter(({ cancels }) => cancels.size > 0)
    return released
  }

  /** Drops what new signals replace. */
  forget(signals: readonly OrderSignal[]): void {
    if (this.#all.length === 0) return
    const isKept = (waiting: OrderSignal) =>
      isToKeep(waiting) && !signals.some(signal => replaces(signal, waiting))
    this.#all = this.#all
      .map(waiting => ({ ...waiting, signals: waiting.signals.filter(isKept) }))
      .filter(waiting => waiting.signals.length > 0)
  }
}

const NONE_WAITING: readonly Waiting[] = []

/** Whether a signal has nothing to do with entries. */
export function leavesEntries(signal: OrderSignal): boolean {
  return signal.type === 'protect' || (signal.type === 'exit' && (signal.fraction ?? 1) < 1)
}

function isToKeep(signal: OrderSignal): signal is EnterSignal {
  return signal.type === 'enter' && signal.keep === true
}

/** Whether a new signal takes back a kept entry. */
function replaces(signal: OrderSignal, kept: EnterSignal): boolean {
  if (signal.type === 'enter') return signal.tag !== undefined && signal.tag === kept.tag
  if (signal.type === 'cancelEntries') return signal.tag === undefined || signal.tag === kept.tag
  if (leavesEntries(signal)) return false
  return signal.type !== 'exit' || signal.direction === undefined || signal.direction === kept.direction
}
