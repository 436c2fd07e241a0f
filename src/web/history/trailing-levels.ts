import type { Instrument } from '../../domain/instrument.ts'
import { priceOf, type Ticks } from '../../domain/numbers/grid.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { type TrailingStopSpec, trailingLevel } from '../../domain/orders/trailing-stop.ts'
import { Recent } from './recent.ts'

/** Moves of one stop that are kept: those of a chart of as many klines. */
const MOST_MOVES = 1000

/** A price at which a trailing stop stood from a time on, ms UTC; quote per base. */
export interface TrailingLevel {
  readonly time: number
  readonly price: number
}

interface Trail {
  readonly instrument: Instrument
  readonly spec: TrailingStopSpec
  readonly isBuy: boolean
  readonly levels: Recent<TrailingLevel>
}

/** Levels of trailing stops as they moved, by clientOrderId. */
export class TrailingLevels {
  readonly #trails = new Map<string, Trail>()

  /** An order was placed; ignored unless it is a trailing stop. */
  add(instrument: Instrument, { clientOrderId, spec, side, decidedAt }: OrderRequest): void {
    if (spec.type !== 'trailingStop') return
    const trail = { instrument, spec, isBuy: side === 'buy', levels: new Recent<TrailingLevel>(MOST_MOVES) }
    this.#trails.set(clientOrderId, trail)
    note(trail, spec.anchor, decidedAt)
  }

  /** The best price since the anchor of a stop improved at a time, ms UTC. */
  move(clientOrderId: string, best: Ticks, time: number): void {
    const trail = this.#trails.get(clientOrderId)
    if (trail !== undefined) note(trail, best, time)
  }

  /** Oldest first; `undefined` for an order that does not trail. None before its activation. */
  of(clientOrderId: string): readonly TrailingLevel[] | undefined {
    return this.#trails.get(clientOrderId)?.levels.all
  }

  /** Forgets an order. */
  delete(clientOrderId: string): void {
    this.#trails.delete(clientOrderId)
  }
}

function note({ instrument, spec, isBuy, levels }: Trail, best: Ticks, time: number): void {
  const level = trailingLevel(spec, isBuy, best)
  if (level === undefined) return
  const price = priceOf(instrument, level)
  if (levels.all.at(-1)?.price !== price) levels.push({ time, price })
}
