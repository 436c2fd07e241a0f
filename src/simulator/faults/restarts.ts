import type { ExchangeCore } from '../exchange-core.ts'
import type { ActiveFault } from './fault-control.ts'

/** Restarts that lose the resting orders, each executed once, at its moment. */
export class Restarts {
  readonly #done = new Set<number>()

  /** The moments of lost orders between the last look and `to`, ms UTC, ascending. */
  due(faults: readonly ActiveFault[], to: number): readonly number[] {
    const lost = faults.filter(
      ({ id, rule, from }) =>
        rule.fault === 'restart' && rule.losesOrders && from <= to && !this.#done.has(id),
    )
    for (const { id } of lost) this.#done.add(id)
    return lost.map(({ from }) => from).sort((left, right) => left - right)
  }
}

/** Cancels everything that rests or waits, as an exchange does that restarts without its order books. */
export function loseRestingOrders({ state, futures }: ExchangeCore): void {
  for (const { history, margin } of state.users) {
    for (const order of [...history.openOrders, ...margin.history.openOrders]) state.cancel(order)
  }
  for (const { records } of futures.accounts) {
    for (const order of records.openOrders) futures.orders.cancel(order)
  }
}
