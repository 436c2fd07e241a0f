import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { type Steps, steps } from '../../src/domain/numbers/grid.ts'
import type { Position } from '../../src/domain/position.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import type { ExecutionPrice } from './execution-price.ts'
import { insideExecution } from './inside-execution.ts'
import { type ModelOrder, modelOrder } from './model-order.ts'
import { type Forecast, legsOf, lotsOf } from './path/forecast.ts'
import { forecastOrder } from './path/forecast-order.ts'
import { INSIDE_RANKS, isAllowed, reachedInTurn } from './pathless-rules.ts'

/** An order and where it would trade. */
export interface Candidate {
  readonly order: ModelOrder
  readonly execution: ExecutionPrice
}

export interface GroupChoiceOptions {
  readonly instrument: Instrument
  readonly settings: FillSettings
  readonly forecast: Forecast
  /** Open positions of the instrument. */
  readonly positions: () => readonly Position[]
  /** Volume left on the kline. */
  readonly tradable: () => Steps
}

/** Chooses the entry of a group (`oco`) that trades inside a kline, by rules that do not look at the path. */
export class GroupChoice {
  readonly #options: GroupChoiceOptions

  constructor(options: GroupChoiceOptions) {
    this.#options = options
  }

  /**
   * The order that makes least by the close with its protection, or the first of equals. Of `orders`, those that the kline reaches in
   * turn, one follows no other on its way, unless that waits for the price to come back.
   */
  firstOf(candidate: Candidate, orders: readonly ModelOrder[], kline: Kline): Candidate {
    const { order } = candidate
    const candidates: [Candidate, ...Candidate[]] = [candidate]
    for (const other of orders) {
      if (other === order || other.request.terms?.oco !== order.request.terms?.oco) continue
      const execution = insideExecution(other, kline, this.#options.settings)
      if (execution === undefined) continue
      const next = { order: other, execution }
      const isBehind = candidates.some(
        before =>
          before.execution.rule !== 'stopLimitPullback' &&
          liesAbove(before, kline) === liesAbove(next, kline),
      )
      if (!isBehind) candidates.push(next)
    }
    if (candidates.length === 1) return candidate
    const gains = candidates.map(one => this.#gainOf(one, kline))
    return candidates[gains.indexOf(Math.min(...gains))] ?? candidate
  }

  /** Gain of an entry and its protection by the close of the kline, after fees, in quote per base times steps. */
  #gainOf({ order, execution }: Candidate, kline: Kline): number {
    const { instrument, forecast, positions, tradable } = this.#options
    const { clientOrderId: id, spec } = order.request
    const entry = forecastOrder(order)
    const before = { orders: [], lots: positions().flatMap(lotsOf), tradable: tradable() }
    let { outlook, gain } = forecast.trade(before, entry, execution, kline)
    const held = () => steps(outlook.lots.find(lot => lot.id === id)?.quantity ?? 0)
    const price = forecast.priceOf(order, execution, order.quantity, kline)
    let legs = legsOf(instrument, entry, held(), price).map(leg =>
      modelOrder(
        instrument,
        { ...order.request, ...leg, protects: id },
        { spec: spec.type, atOpen: false },
        Number.NEGATIVE_INFINITY,
      ),
    )
    let next = this.#firstOf(legs, kline)
    while (next !== undefined && held() > 0) {
      const { order: leg, execution: exit } = next
      const closing = { ...forecastOrder(leg), quantity: steps(Math.min(leg.quantity, held())) }
      const closed = forecast.trade(outlook, closing, exit, kline)
      outlook = closed.outlook
      gain += closed.gain
      legs = legs.filter(other => other !== leg)
      next = this.#firstOf(legs, kline)
    }
    return gain
  }

  /** The protective order that trades first on the rest of a kline. */
  #firstOf(legs: readonly ModelOrder[], kline: Kline): Candidate | undefined {
    const { settings } = this.#options
    for (const rank of INSIDE_RANKS)
      for (const order of reachedInTurn(legs, rank, kline, Number.POSITIVE_INFINITY, settings)) {
        const execution = isAllowed(order, legs, kline, false, settings)
          ? insideExecution(order, kline, settings)
          : undefined
        if (execution !== undefined) return { order, execution }
      }
    return undefined
  }
}

/** True if an order trades above the open; a limit at the open waits for the price to move on. */
function liesAbove({ order, execution }: Candidate, { open }: Kline): boolean {
  return execution.price > open || (execution.price === open && !order.isBuy)
}
