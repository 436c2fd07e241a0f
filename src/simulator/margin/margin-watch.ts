import type { Rate } from '../../domain/numbers/amount.ts'
import { BoundedList } from '../bounded-list.ts'
import type { SimulatedSpotOrder } from '../spot/spot-order.ts'
import type { MarginTrader } from '../trader.ts'
import { liquidate, type MarginLiquidationContext } from './margin-liquidation.ts'

/** A margin account that was liquidated. */
export interface MarginLiquidation {
  readonly uid: number
  /** ms UTC. */
  readonly time: number
}

export interface MarginWatchSetup extends MarginLiquidationContext {
  /** Assets ÷ debts at which an account is liquidated. */
  readonly liquidationRatio: Rate
  readonly cancel: (order: SimulatedSpotOrder) => void
  readonly keptRecords: number
}

/** Liquidates margin accounts with too few assets for their debts. */
export class MarginWatch {
  readonly #setup: MarginWatchSetup
  readonly #liquidations: BoundedList<MarginLiquidation>

  constructor(setup: MarginWatchSetup) {
    this.#setup = setup
    this.#liquidations = new BoundedList(setup.keptRecords)
  }

  /** The latest liquidations, newest first. */
  get liquidations(): Iterable<MarginLiquidation> {
    return this.#liquidations.newestFirst()
  }

  /** Restores liquidations, oldest first. */
  restore(liquidations: readonly MarginLiquidation[]): void {
    this.#liquidations.restore(liquidations)
  }

  /**
   * Checks an account at `time`, ms UTC. At risk, its open orders are canceled first, because that returns
   * their loans; its assets then repay the rest.
   */
  look(trader: MarginTrader, time: number): void {
    const { liquidationRatio, cancel } = this.#setup
    if (!trader.credit.isAtRisk(liquidationRatio)) return
    for (const order of trader.history.openOrders) cancel(order)
    if (!trader.credit.isAtRisk(liquidationRatio)) return
    if (liquidate(trader, this.#setup)) this.#liquidations.push({ uid: trader.account.uid, time })
  }
}
