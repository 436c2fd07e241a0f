import type { Steps, Ticks } from '../../src/domain/numbers/grid.ts'
import type { Liquidity } from '../../src/domain/orders/fill.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { FillEvidence } from '../../src/matching/fill-evidence.ts'
import type { FillRule } from '../models/fill-rule.ts'
import type { OrderEnding } from './order-ending.ts'

/** A fill that the fill model grants an order, with its reason. */
export interface ModelFill {
  readonly request: OrderRequest
  readonly price: Ticks
  /** The price without slippage and spread. */
  readonly priceBeforeSlippage: Ticks
  readonly quantity: Steps
  readonly liquidity: Liquidity
  readonly rule: FillRule
  /** Open time of the kline (of `detail`, if given) of the trade, ms UTC. */
  readonly klineOpenTime: number
  /** By another path inside the kline the order would have traded otherwise or not at all. */
  readonly isAmbiguous: boolean
  /** On recorded ticks. */
  readonly evidence?: FillEvidence | undefined
}

/** Receives a fill, and carries out its consequences (new protective orders, cancels) before it returns. */
export type OnModelFill = (fill: ModelFill) => void

/** Receives an order ended by the market, and carries out the consequences before it returns. */
export type OnModelEnd = (request: OrderRequest, ending: OrderEnding) => void
