import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { ContractWatch, Leg } from '../futures/contract-watch.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import type { ExecutionPrice } from './execution-price.ts'
import { firstMeeting, pathOf } from './known-path.ts'
import { markAtPrice } from './mark-scale.ts'
import { advanceTrail, carryAlong, type ModelOrder, waitsForTrigger } from './model-order.ts'
import { extremeBitsAt, type PathPoint } from './path/path-point.ts'

export interface PathWalkOptions {
  /** Orders resting at the moment; a live view. */
  readonly orders: readonly ModelOrder[]
  readonly settings: FillSettings
  readonly watch: ContractWatch | undefined
  /** Market time that orders must be live at, ms UTC. */
  readonly now: () => number
  /** True while the kline has volume left. */
  readonly hasVolume: () => boolean
  /** A tick from a price towards another, but not past that. */
  readonly tickTowards: (price: number, to: number) => number
  /** Executes an order that the price reached. */
  readonly trade: (order: ModelOrder, execution: ExecutionPrice, kline: Kline) => void
}

/** The price reached, and the reason for the stop there: end of the leg, or a trade. */
interface Step {
  readonly price: number
  readonly hasTraded: boolean
}

/** Moves the price through a kline from point to point, and trades with every order it meets. */
export class PathWalk {
  readonly #options: PathWalkOptions

  constructor(options: PathWalkOptions) {
    this.#options = options
  }

  /** Goes the points after the open of a kline in straight lines. */
  follow(path: readonly number[], kline: Kline): void {
    const { orders, settings, watch } = this.#options
    let price = kline.open
    for (const order of orders) advanceTrail(order, price)
    const { mark } = watch ?? {}
    const marks = mark === undefined ? path : (pathOf(mark, settings.path) ?? path)
    let markPrice = mark?.open ?? price
    path.forEach((to, corner) => {
      const leg = { from: price, to, markFrom: markPrice, markTo: marks[corner] ?? to }
      let step = this.#step(leg, price, kline, false)
      while (step.hasTraded) step = this.#step(leg, step.price, kline, false)
      price = to
      markPrice = leg.markTo
    })
  }

  /** Goes from a point of a kline over corners, in straight lines, until the first order trades or the last corner is reached. */
  untilTrade(
    corners: readonly number[],
    from: PathPoint,
    kline: Kline,
  ): PathPoint & { readonly hasTraded: boolean } {
    const { watch } = this.#options
    const mark = watch?.mark ?? kline
    let { price, touched } = from
    for (const to of corners) {
      const leg = {
        from: price,
        to,
        markFrom: markAtPrice(price, kline, mark),
        markTo: markAtPrice(to, kline, mark),
      }
      const step = this.#step(leg, price, kline, true)
      price = step.price
      touched |= extremeBitsAt(kline, price)
      if (step.hasTraded) return { price, touched, hasTraded: true }
    }
    return { price, touched, hasTraded: false }
  }

  /**
   * Goes from `price` on along a leg to the first order that trades, or to its end; `goesBeyond`: to a tick beyond a limit that is to
   * be traded through, so that the price may turn there.
   */
  #step(leg: Leg, price: number, kline: Kline, goesBeyond: boolean): Step {
    const { orders, settings, watch, now, hasVolume, trade } = this.#options
    const able = hasVolume() ? orders : orders.filter(waitsForTrigger)
    const meeting = firstMeeting(able, price, leg.to, settings, now())
    const at = meeting?.price ?? leg.to
    const due = watch?.dueOn(leg, price)
    if (due !== undefined && Math.abs(due.price - price) <= Math.abs(at - price)) {
      for (const order of orders) advanceTrail(order, due.price)
      watch?.liquidateAt(due.mark)
      return { price: due.price, hasTraded: true }
    }
    for (const order of orders) advanceTrail(order, at)
    if (meeting === undefined) return { price: at, hasTraded: false }
    const { order, execution } = meeting
    const goesOn = goesBeyond && meeting.isBeyond
    const reached = goesOn ? this.#options.tickTowards(at, leg.to) : at
    // Before the trade, so that what it places is new at the price reached. One that is on its way stays new until its first open.
    if (goesOn) for (const resting of orders) if (resting.liveAt <= now()) carryAlong(resting, reached)
    if (execution === undefined) {
      order.stopPrice = undefined
      order.triggeredInside = true
    } else trade(order, execution, kline)
    return { price: reached, hasTraded: true }
  }
}
