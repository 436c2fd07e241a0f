import type { Kline } from '../src/domain/kline.ts'
import type { Execution } from './execution-price.ts'
import type { FillSettings } from './fill-settings.ts'
import type { ContractWatch, Leg } from './futures/contract-watch.ts'
import { firstMeeting, pathOf } from './known-path.ts'
import { advanceTrail, type ModelOrder, waitsForTrigger } from './model-order.ts'

/** What a price on its way through a kline comes to, and who lets it trade. */
export interface PathWalkOptions {
  /** Those that rest now, whatever that is at the moment. */
  readonly orders: readonly ModelOrder[]
  readonly settings: FillSettings
  readonly watch: ContractWatch | undefined
  /** Market time that orders must be live at, ms UTC. */
  readonly now: () => number
  /** Whether the kline has volume left. */
  readonly hasVolume: () => boolean
  /** Lets an order trade that the price came to. */
  readonly trade: (order: ModelOrder, execution: Execution, kline: Kline) => void
}

/** Goes a known path from point to point, and trades with every order it comes to. */
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
    path.forEach((to, leg) => {
      const markTo = marks[leg] ?? to
      price = this.#followTo({ from: price, to, markFrom: markPrice, markTo }, kline)
      markPrice = markTo
    })
  }

  #followTo(leg: Leg, kline: Kline): number {
    const { orders, settings, watch, now, hasVolume, trade } = this.#options
    const { to } = leg
    let price = leg.from
    for (;;) {
      const able = hasVolume() ? orders : orders.filter(waitsForTrigger)
      const meeting = firstMeeting(able, price, to, settings, now())
      const due = watch?.dueOn(leg, price)
      if (due !== undefined && Math.abs(due - price) <= Math.abs((meeting?.price ?? to) - price)) {
        price = due
        for (const order of orders) advanceTrail(order, price)
        watch?.takeOverOn(leg, price)
        continue
      }
      price = meeting?.price ?? to
      for (const order of orders) advanceTrail(order, price)
      if (meeting === undefined) return to
      const { order, execution } = meeting
      if (execution === undefined) order.stopPrice = undefined
      else trade(order, execution, kline)
    }
  }
}
