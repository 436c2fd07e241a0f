import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { Account } from '../../../src/simulator/account.ts'
import { type Execution, settle } from '../../../src/simulator/spot/own-trade.ts'
import { SpotMarket } from '../../../src/simulator/spot/spot-market.ts'
import { isOpen, newSpotOrder, type SimulatedSpotOrder } from '../../../src/simulator/spot/spot-order.ts'
import { INSTRUMENT, type MatchingStep } from './matching-load.ts'

/** What a run of the load came to. */
export interface MatchingResult {
  readonly trades: number
  /** Base traded, in steps. */
  readonly volume: number
}

/** Carries the load out on the exchange's own book, with the money of two accounts; `after` hears of every step. */
export function runMatchingCore(load: readonly MatchingStep[], after?: () => void): MatchingResult {
  const [house, fees] = [new Account(1, true), new Account(2)]
  let [trades, volume] = [0, 0]
  const executed = (execution: Omit<Execution, 'id'>) => {
    settle({ ...execution, id: ++trades }, fees)
    volume += execution.quantity
  }
  const market = new SpotMarket(INSTRUMENT, { executed, finished: () => undefined })
  const orders: SimulatedSpotOrder[] = []
  for (const step of load) {
    if (step.type === 'place') {
      const draft = {
        instrument: INSTRUMENT,
        side: step.side,
        type: 'LIMIT',
        size: { unit: 'base', quantity: steps(step.quantity) },
        price: ticks(step.price),
        clientOrderId: undefined,
      } as const
      const order = newSpotOrder(draft, { id: BigInt(orders.length), account: house, time: 0 })
      orders.push(order)
      market.place(order)
    } else {
      const order = orders[step.placed]
      if (order !== undefined && isOpen(order)) market.cancel(order)
    }
    after?.()
  }
  return { trades, volume }
}
