import type { Amount } from '../../domain/numbers/amount.ts'
import type { Steps, Ticks } from '../../domain/numbers/grid.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'
import type { FuturesOrder } from './orders/futures-order.ts'

/** Two orders that met; the resting one set the price. */
export interface FuturesExecution {
  readonly id: number
  readonly maker: FuturesOrder
  readonly taker: FuturesOrder
  readonly price: Ticks
  readonly volume: Steps
  /** ms UTC. */
  readonly time: number
}

/** One side's view of an execution. */
export interface FuturesTrade {
  readonly execution: FuturesExecution
  readonly order: FuturesOrder
  readonly liquidity: Liquidity
  /** Paid if positive. */
  readonly fee: Amount
}
