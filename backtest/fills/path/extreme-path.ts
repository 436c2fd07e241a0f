import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { type Steps, steps } from '../../../src/domain/numbers/grid.ts'
import type { Position } from '../../../src/domain/position.ts'
import type { ContractWatch } from '../../futures/contract-watch.ts'
import type { FillSettings } from '../../models/fill-settings.ts'
import { mayTrade } from '../ambiguity.ts'
import { markAtPrice, priceAtMark } from '../mark-scale.ts'
import { advanceTrail, favourableExtreme, type ModelOrder, RANKS } from '../model-order.ts'
import type { PathWalk } from '../path-walk.ts'
import { type Forecast, lotsOf } from './forecast.ts'
import { closesFor, type ForecastOrder, forecastOrder } from './forecast-order.ts'
import { type PathPoint, startOf, untouched } from './path-point.ts'
import { type NextCorners, PathSearch } from './path-search.ts'

export interface ExtremePathOptions {
  readonly instrument: Instrument
  readonly settings: FillSettings
  readonly forecast: Forecast
  readonly watch: ContractWatch | undefined
  /** Orders resting at the moment; a live view. */
  readonly orders: readonly ModelOrder[]
  readonly walk: PathWalk
  /** Market time that orders must be live at, ms UTC. */
  readonly now: () => number
  /** Volume left on the kline. */
  readonly tradable: () => Steps
  /** Open positions of the instrument. */
  readonly positions: () => readonly Position[]
}

/**
 * Moves the price through a kline of unknown path along the path that gains least by its close, or most
 * (`optimistic`). The gain counts trades after fees, and the remaining position marked at the close. After
 * each trade the rest of the path is chosen anew from the orders that then rest.
 */
export class ExtremePath {
  readonly #options: ExtremePathOptions
  readonly #search: PathSearch

  constructor(options: ExtremePathOptions) {
    this.#options = options
    const { instrument, settings, forecast } = options
    this.#search = new PathSearch({
      instrument,
      settings,
      forecast,
      isOptimistic: settings.path === 'optimistic',
    })
  }

  /** Moves from the open of a kline to its close; returns true if any order was in reach. */
  follow(kline: Kline): boolean {
    const { walk, orders, watch } = this.#options
    if (kline.low === kline.high) while (watch?.inside() === true);
    if (watch?.isInReach !== true && !this.#isAnyReached(kline)) {
      for (const order of orders) advanceTrail(order, favourableExtreme(order, kline))
      return false
    }
    for (const order of orders) advanceTrail(order, kline.open)
    this.#search.begin()
    let point = startOf(kline)
    for (let isStart = true; ; isStart = false) {
      const next = this.#nextFrom(point, kline, isStart)
      const { price, touched, hasTraded } = walk.untilTrade(next.corners, point, kline)
      point = { price, touched }
      if (next.isEnd && !hasTraded) return true
    }
  }

  /** True if any order may trade. On most klines none does, and the search is skipped. */
  #isAnyReached(kline: Kline): boolean {
    const { orders, settings } = this.#options
    const time = this.#options.now()
    for (const order of orders) if (order.liveAt <= time && mayTrade(order, kline, settings)) return true
    return false
  }

  /** The next corners of the path. */
  #nextFrom(point: PathPoint, kline: Kline, isStart: boolean): NextCorners {
    const { orders, now, settings, watch } = this.#options
    watch?.reach(markAtPrice(point.price, kline, watch.mark ?? kline))
    const time = now()
    const able = orders.filter(order => order.liveAt <= time && mayTrade(order, kline, settings))
    const contested = this.#contested(able, kline, isStart)
    if (contested.length === 0) {
      // If the path decides nothing, the order that was placed first trades first.
      const extremes = untouched(kline, point.touched)
      const ahead = able[0] !== undefined && waitsAbove(able[0]) ? extremes.toReversed() : extremes
      return { corners: [...ahead, kline.close], isEnd: true }
    }
    const { tradable, positions } = this.#options
    return this.#search.next(kline, point, {
      orders: contested,
      lots: positions().flatMap(lotsOf),
      tradable: tradable(),
    })
  }

  /** Orders whose fills depend on the path, and the orders that depend on them. */
  #contested(able: readonly ModelOrder[], kline: Kline, isStart: boolean): readonly ForecastOrder[] {
    const stops = this.#liquidationStops(kline)
    const isLimited = this.#options.settings.maxVolumeShare !== undefined
    const rivals = [...stops, ...able.map(forecastOrder)]
    const isAlone = (order: ModelOrder) => {
      if (isLimited || !isPlainEntry(order)) return false
      const entry = forecastOrder(order)
      return !rivals.some(other => isNetted(entry, other))
    }
    const contested = able.filter(order => !isAlone(order))
    const [first] = contested
    if (first === undefined) return []
    const { settings, now } = this.#options
    // With all of the kline ahead, a single exit at a fixed price trades by any path. The best one has been at the extreme that
    // does not matter before, so that protection which is moved on the fill does not meet it.
    const isFree = isStart && settings.path !== 'optimistic' && stops.length === 0
    if (isFree && contested.length === 1 && isPlainExit(first)) return []
    const time = now()
    const others = this.#options.orders.filter(order => order.liveAt <= time && !isAlone(order))
    return [...stops, ...others.map(forecastOrder)]
  }

  /** Liquidations as seen by a path: stops that close the whole position. */
  #liquidationStops(kline: Kline): readonly ForecastOrder[] {
    const { watch } = this.#options
    const levels = watch?.levelsInside
    if (watch?.mark === undefined || levels === undefined || !watch.isInReach) return []
    const { mark } = watch
    const stops: ForecastOrder[] = []
    for (const [level, direction] of [
      [levels.below, 'long'],
      [levels.above, 'short'],
    ] as const) {
      const quantity = watch.heldOn(direction)
      if (!Number.isFinite(level) || quantity === 0) continue
      stops.push(liquidationStop(direction === 'short', priceAtMark(level, kline, mark), quantity))
    }
    return stops
  }
}

function liquidationStop(isBuy: boolean, stopPrice: number, quantity: Steps): ForecastOrder {
  return {
    ...{ isBuy, stopPrice, quantity, filledQuantity: steps(0), rank: RANKS.protectiveStop },
    ...{ liveAt: Number.NEGATIVE_INFINITY, touchPrice: undefined, limitPrice: undefined, trail: undefined },
    ...{ isTriggered: false, triggeredInside: false, isNew: false, id: 'liquidation', reduceOnly: true },
    ...{ protects: undefined, protection: undefined, group: undefined, book: undefined },
  }
}

/**
 * True if an entry closes the position that another order protects, or will protect: then each changes the
 * other's result.
 */
function isNetted(entry: ForecastOrder, other: ForecastOrder): boolean {
  if (other.reduceOnly) return closesFor(entry, other)
  return other.protection !== undefined && other.isBuy !== entry.isBuy && other.book === entry.book
}

/** True for an entry that trades by any path alike, and changes only the position. */
function isPlainEntry(order: ModelOrder): boolean {
  const { reduceOnly, protection, terms } = order.request
  return !reduceOnly && protection === undefined && terms?.oco === undefined && !isStopLimit(order)
}

function waitsAbove({ isBuy, stopPrice }: ModelOrder): boolean {
  return isBuy === (stopPrice !== undefined)
}

function isPlainExit(order: ModelOrder): boolean {
  return order.request.reduceOnly && order.trail === undefined && !isStopLimit(order)
}

/** True for an order that needs the price to come to its stop and then to its limit. */
function isStopLimit({ stopPrice, limitPrice, triggeredInside }: ModelOrder): boolean {
  return triggeredInside || (stopPrice !== undefined && limitPrice !== undefined)
}
