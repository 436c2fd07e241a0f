import type { Side } from '../domain/orders/side.ts'
import type { QueueAssumption } from './queue-assumption.ts'
import { QueuePosition } from './queue-position.ts'
import type { Rest, WorkingOrder, WorkingOrderState } from './working-order.ts'

/** An order that rests. */
export type Resting<Order> = WorkingOrder<Order> & { rest: Rest }

/** The orders on their way to one observed market or resting there, in order of arrival. */
export class ObservedOrders<Order> {
  readonly #assumption: QueueAssumption
  /** Replaced by each change, never changed itself. */
  #working: readonly WorkingOrder<Order>[] = []
  /** Results of `resting` and `byPriority` since the last change. */
  #resting: readonly Resting<Order>[] | undefined
  #priority: { [side in Side]?: readonly Resting<Order>[] } = {}

  constructor(assumption: QueueAssumption) {
    this.#assumption = assumption
  }

  get isNone(): boolean {
    return this.#working.length === 0
  }

  /** The orders of this moment; they may be added and removed while one goes through them. */
  get all(): readonly WorkingOrder<Order>[] {
    return this.#working
  }

  dump(): readonly WorkingOrderState<Order>[] {
    return this.#working.map(({ rest, ...working }) => ({
      ...working,
      rest: rest && { ...rest, position: rest.position.dump() },
    }))
  }

  /** Restores a dump of the same market. */
  restore(states: readonly WorkingOrderState<Order>[]): void {
    this.#change(states.map(state => ({ ...state, rest: state.rest && this.#restored(state.rest) })))
  }

  /** Adds an order behind those that arrive no later. */
  add(working: WorkingOrder<Order>): void {
    const index = this.#working.findLastIndex(other => other.arrivesAt <= working.arrivesAt) + 1
    this.#change(this.#working.toSpliced(index, 0, working))
  }

  remove(order: Order): void {
    this.#change(this.#working.filter(working => working.order !== order))
  }

  /** An order rests from now on. */
  rest(working: WorkingOrder<Order>, rest: Rest): void {
    working.rest = rest
    this.#change(this.#working)
  }

  entryOf(order: Order): WorkingOrder<Order> | undefined {
    return this.#working.find(working => working.order === order)
  }

  includes(working: WorkingOrder<Order>): boolean {
    return this.#working.includes(working)
  }

  /** All that rest, by arrival. */
  resting(): readonly Resting<Order>[] {
    this.#resting ??= this.#working.filter((working): working is Resting<Order> => working.rest !== undefined)
    return this.#resting
  }

  /** Those of a side that rest, best price first, then by arrival. */
  byPriority(side: Side): readonly Resting<Order>[] {
    const sign = side === 'buy' ? -1 : 1
    this.#priority[side] ??= this.resting()
      .filter(working => working.side === side)
      .sort((left, right) => sign * (left.rest.price - right.rest.price))
    return this.#priority[side]
  }

  #change(working: readonly WorkingOrder<Order>[]): void {
    this.#working = working
    this.#resting = undefined
    this.#priority = {}
  }

  #restored({ since, price, position: state }: NonNullable<WorkingOrderState<Order>['rest']>): Rest {
    const position = new QueuePosition(this.#assumption)
    position.restore(state)
    return { since, price, position }
  }
}
