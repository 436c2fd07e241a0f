import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { FillSettings } from '../../models/fill-settings.ts'
import { mayTrade } from '../ambiguity.ts'
import { firstMeeting, type Meeting } from '../known-path.ts'
import { carriedTo, type Forecast, type Outlook, withTriggered } from './forecast.ts'
import type { ForecastOrder } from './forecast-order.ts'
import { extremeBitsAt, HIGH, LOW, type PathPoint, tickTowards, untouched } from './path-point.ts'
import { turningPoints } from './turning-points.ts'

export interface PathSearchOptions {
  readonly instrument: Instrument
  readonly settings: FillSettings
  readonly forecast: Forecast
  /** True to search for the best path, false for the worst. */
  readonly isOptimistic: boolean
}

/** The next corners of a path, joined by straight lines, until the first order trades. */
export interface NextCorners {
  readonly corners: readonly number[]
  /** True if the kline ends at the last corner. */
  readonly isEnd: boolean
}

/** A continuation of a path, and its result. */
interface Move extends NextCorners {
  /** Gain of all later trades by the close. */
  readonly gain: number
}

/** A point of a path, and the orders resting and the lots held there. */
interface Stand extends PathPoint, Outlook {
  /** Set if the price has just moved up, or down, to here only to move a trailing stop. */
  readonly turned: 'up' | 'down' | undefined
}

/**
 * Looks for the path inside a kline that gains least, or most, by its close. Between two trades a path only matters by how
 * far it moves trailing stops, so that few turning points are enough.
 */
export class PathSearch {
  readonly #options: PathSearchOptions

  /** Points visited on this kline. */
  #visits = 0
  /** Moves found from points of a large search, by key. */
  readonly #known = new Map<string, Move>()

  constructor(options: PathSearchOptions) {
    this.#options = options
  }

  /** A kline begins. */
  begin(): void {
    this.#visits = 0
  }

  /** The next corners of the path. After a trade, or the last corner, search again. */
  next(kline: Kline, point: PathPoint, outlook: Outlook): NextCorners {
    this.#known.clear()
    return this.#best({ ...point, ...outlook, turned: undefined }, kline)
  }

  #best(stand: Stand, kline: Kline): Move {
    const { settings, isOptimistic } = this.#options
    if (stand.tradable === 0) return endOf(stand, kline)
    const able = stand.orders.filter(order => mayTrade(order, kline, settings))
    if (able.length === 0) return endOf(stand, kline)
    const forced = firstMeeting(able, stand.price, stand.price, settings, Number.POSITIVE_INFINITY)
    if (forced !== undefined) return this.#met(stand, forced, [stand.price], kline)
    if (++this.#visits <= SMALL) return this.#bestOf(stand, able, kline, isOptimistic)
    const key = keyOf(stand)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const best = this.#bestOf(stand, able, kline, isOptimistic)
    this.#known.set(key, best)
    return best
  }

  #bestOf(stand: Stand, able: readonly ForecastOrder[], kline: Kline, isOptimistic: boolean): Move {
    const sign = isOptimistic ? -1 : 1
    // A turn that only leads back is no way on.
    let best: Move = { ...endOf(stand, kline), gain: sign * Number.POSITIVE_INFINITY }
    for (const move of this.#moves(stand, able, kline)) {
      if (sign * (move.gain - best.gain) < -NOISE) best = move
      // Among very many orders that compete, a path is followed without trying all others.
      if (this.#visits > MOST && Number.isFinite(best.gain)) break
    }
    return best
  }

  *#moves(stand: Stand, able: readonly ForecastOrder[], kline: Kline): Generator<Move> {
    const { settings, instrument } = this.#options
    const { price, turned } = stand
    const rise = firstMeeting(able, price, kline.high, settings, Number.POSITIVE_INFINITY)
    const fall = firstMeeting(able, price, kline.low, settings, Number.POSITIVE_INFINITY)
    const top = rise === undefined ? kline.high : this.#before(rise, price)
    const bottom = fall === undefined ? kline.low : this.#before(fall, price)
    // The range within which the price moves no trailing stop.
    const freeTop = able.reduce(
      (free, { isBuy, trail }) => (trail && !isBuy ? Math.min(free, Math.max(price, trail.best)) : free),
      top,
    )
    const freeBottom = able.reduce(
      (free, { isBuy, trail }) => (trail && isBuy ? Math.max(free, Math.min(price, trail.best)) : free),
      bottom,
    )
    const touched = stand.touched | (kline.high <= freeTop ? HIGH : 0) | (kline.low >= freeBottom ? LOW : 0)
    const first = untouched(kline, stand.touched).filter(
      extreme => (extremeBitsAt(kline, extreme) & touched) !== 0,
    )
    const here: Stand = { ...stand, touched }
    if (touched === (HIGH | LOW) && kline.close <= freeTop && kline.close >= freeBottom)
      yield { corners: [...first, kline.close], isEnd: true, gain: 0 }
    // If both ways gain the same, the order that was placed first trades first.
    const places = [rise, fall].map(meeting => (meeting === undefined ? -1 : able.indexOf(meeting.order)))
    const isRiseFirst = (places[0] as number) < (places[1] as number)
    const down = fall !== undefined && turned !== 'down' && { meeting: fall, corners: [...first, kline.low] }
    const up = rise !== undefined && turned !== 'up' && { meeting: rise, corners: [...first, kline.high] }
    for (const way of isRiseFirst ? [up, down] : [down, up])
      if (way) yield this.#met(here, way.meeting, way.corners, kline)
    if (freeTop < top && turned !== 'up')
      for (const to of turningPoints(instrument, able, kline, { from: freeTop, to: top, isBuy: false }))
        yield this.#turn(here, to, 'up', first, kline)
    if (freeBottom > bottom && turned !== 'down')
      for (const to of turningPoints(instrument, able, kline, { from: freeBottom, to: bottom, isBuy: true }))
        yield this.#turn(here, to, 'down', first, kline)
  }

  /** Goes to where trailing stops have moved. */
  #turn(stand: Stand, to: number, turned: 'up' | 'down', first: readonly number[], kline: Kline): Move {
    const orders = stand.orders.map(order => carriedTo(order, to))
    const touched = stand.touched | extremeBitsAt(kline, to)
    const { gain } = this.#best({ ...stand, price: to, touched, orders, turned }, kline)
    return { corners: [...first, to], isEnd: false, gain }
  }

  /** Moves to an order, fills it, and continues from there. */
  #met(stand: Stand, meeting: Meeting<ForecastOrder>, corners: readonly number[], kline: Kline): Move {
    const towards = corners.at(-1) as number
    // With a limit to be traded through, the price turns one tick later.
    const price = meeting.isBeyond
      ? tickTowards(this.#options.instrument, meeting.price, towards)
      : meeting.price
    const orders = stand.orders.map(order => carriedTo(order, price))
    const order = orders[stand.orders.indexOf(meeting.order)] as ForecastOrder
    const outlook = { orders, lots: stand.lots, tradable: stand.tradable }
    const touched = stand.touched | extremeBitsAt(kline, price)
    const { execution } = meeting
    const outcome =
      execution === undefined
        ? { outlook: withTriggered(outlook, order), gain: 0 }
        : this.#options.forecast.trade(outlook, order, execution, kline)
    const rest = this.#best({ ...outcome.outlook, price, touched, turned: undefined }, kline)
    return { corners, isEnd: false, gain: outcome.gain + rest.gain }
  }

  /** The last price on the way to an order that does not trade yet. */
  #before({ price, isBeyond }: Meeting<ForecastOrder>, from: number): number {
    return isBeyond ? price : tickTowards(this.#options.instrument, price, from)
  }
}

/** The end of a path without further trades. */
function endOf({ touched }: PathPoint, kline: Kline): Move {
  return { corners: [...untouched(kline, touched), kline.close], isEnd: true, gain: 0 }
}

/** Points visited before results are cached, since the cache costs more than a few repetitions. */
const SMALL = 256
/** Largest number of points visited on one kline for an exact result. */
const MOST = 5_000

/** Two stands with the same key have the same continuation. */
function keyOf({ price, touched, turned, tradable, orders, lots }: Stand): string {
  let key = `${price} ${touched} ${turned} ${tradable}`
  for (const { id, rank, quantity, stopPrice, limitPrice, touchPrice, trail, isNew } of orders)
    key += `;${id} ${rank} ${quantity} ${stopPrice} ${limitPrice} ${touchPrice} ${trail?.best} ${isNew}`
  for (const { id, quantity } of lots) key += `;${id} ${quantity}`
  return key
}

/** A difference of gains within this is noise of floats, in quote per base times steps. */
const NOISE = 1e-9
