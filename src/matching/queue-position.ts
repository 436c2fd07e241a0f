import { NO_STEPS, type Steps, steps } from '../domain/numbers/grid.ts'
import type { QueueAssumption } from './queue-assumption.ts'

/** Quantity ahead of an order as of a snapshot, less the later trades at its price. */
interface QueueBound {
  /** Time of the snapshot, ms UTC. */
  readonly time: number
  ahead: number
}

/** A queue position as plain data. */
export interface QueuePositionState {
  readonly bounds: readonly Readonly<QueueBound>[]
}

/** Snapshots of which a late trade may still be told, ms. */
const LATE_TRADES_MS = 60_000

/**
 * Quantity ahead of one resting order. Every snapshot bounds it: no more can be ahead than was shown then, less
 * what traded at the price after it. So a trade that is told after a later snapshot counts once.
 */
export class QueuePosition {
  readonly #assumption: QueueAssumption
  #bounds: QueueBound[] = []

  constructor(assumption: QueueAssumption) {
    this.#assumption = assumption
  }

  /** Quantity ahead; `undefined` while the price has not been within a snapshot. */
  get ahead(): Steps | undefined {
    if (this.#bounds.length === 0) return undefined
    return steps(Math.max(0, Math.min(...this.#bounds.map(({ ahead }) => ahead))))
  }

  dump(): QueuePositionState {
    return { bounds: this.#bounds.map(bound => ({ ...bound })) }
  }

  restore({ bounds }: QueuePositionState): void {
    this.#bounds = bounds.map(bound => ({ ...bound }))
  }

  /** Takes a snapshot that shows `quantity` at the price; `undefined` if it does not reach that far. */
  show(time: number, quantity: Steps | undefined): void {
    const ahead = this.#assumption === 'front' ? NO_STEPS : quantity
    if (ahead === undefined) return
    if (this.#assumption === 'back') this.#bounds = []
    // A trade that shrinks a later bound shrinks an earlier one too: a later one that is no tighter never counts.
    if (this.#bounds.every(bound => bound.ahead > ahead)) this.#bounds.push({ time, ahead })
    this.#forget(time - LATE_TRADES_MS)
  }

  /**
   * Takes a trade of `quantity` at the price, and returns how much of it was left for the order behind the
   * queue. A trade at the time of a snapshot, or before it, is part of what that snapshot shows.
   */
  trade(time: number, quantity: number): Steps {
    const reached = this.#bounds.filter(bound => time > bound.time)
    for (const bound of reached) bound.ahead -= quantity
    const behind = -Math.min(0, ...reached.map(({ ahead }) => ahead))
    // Volume past the queue has met the order, or those behind it.
    for (const bound of reached) bound.ahead = Math.max(bound.ahead, 0)
    return steps(Math.min(behind, quantity))
  }

  /** The tightest of the old bounds stays. */
  #forget(until: number): void {
    const old = this.#bounds.filter(({ time }) => time < until)
    if (old.length < 2) return
    const least = old.reduce((best, bound) => (bound.ahead <= best.ahead ? bound : best))
    this.#bounds = [least, ...this.#bounds.filter(({ time }) => time >= until)]
  }
}
