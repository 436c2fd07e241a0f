import { isDeepStrictEqual } from 'node:util'
import { bookOf } from '../../src/domain/book-names.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { NO_STEPS, type Steps, steps } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { Position } from '../../src/domain/position.ts'
import type { ContractWatch } from '../futures/contract-watch.ts'
import { type FillSettings, isPathless } from '../models/fill-settings.ts'
import { fixedLatency, type Latency } from '../models/latency.ts'
import { UNLIMITED } from '../models/participation.ts'
import { type SharedVolume, sharedVolume } from '../models/shared-volume.ts'
import {
  hasRivalEntry,
  isAmbiguousAtOpen,
  isAmbiguousFill,
  isAmbiguousLiquidation,
  mayHaveStopped,
  mightHaveTraded,
  rangeAfter,
} from './ambiguity.ts'
import { type ExecutionPrice, executionAtOpen } from './execution-price.ts'
import type { FillModel } from './fill-model.ts'
import { type FillPrices, fillPrices } from './fill-prices.ts'
import { endingAtOpen } from './first-open.ts'
import { GroupChoice } from './group-choice.ts'
import { insideExecution } from './inside-execution.ts'
import { pathOf } from './known-path.ts'
import type { ModelFill, OnModelEnd, OnModelFill } from './model-fill.ts'
import {
  advanceTrail,
  type EntryOnThisKline,
  endsWithVolume,
  keepRest,
  type ModelOrder,
  modelOrder,
  RANKS,
  type Trail,
  trailAfter,
  triggerStop,
} from './model-order.ts'
import { ExtremePath } from './path/extreme-path.ts'
import { Forecast } from './path/forecast.ts'
import { tickTowards } from './path/path-point.ts'
import { PathWalk } from './path-walk.ts'
import { INSIDE_RANKS, isAllowed, reachedInTurn } from './pathless-rules.ts'
import { RestingOrders } from './resting-orders.ts'
import type { Taking } from './taken-price.ts'

export interface FillModelOptions {
  readonly instrument: Instrument
  /** Length of the klines it is shown. */
  readonly interval: Interval
  readonly settings: FillSettings
  readonly onFill: OnModelFill
  /** Open positions of the instrument. */
  readonly positions: () => readonly Position[]
  /** Takes orders that end without a cancel of ours. */
  readonly onEnd: OnModelEnd
  /** Takes the price that the best one of a trailing stop has moved to. */
  readonly onTrail?: ((request: OrderRequest, best: number) => void) | undefined
  /** On a futures account: liquidates positions as the mark price moves. */
  readonly watch?: ContractWatch | undefined
  /** True while an exit at market is not over that an entry must wait for; default: never. */
  readonly isHeldByExit?: ((request: OrderRequest) => boolean) | undefined
  /** Volume that it shares with other markets of the instrument; default: its own. */
  readonly volume?: SharedVolume | undefined
}

const OPEN_RANKS = [RANKS.market, RANKS.protectiveStop, RANKS.other, RANKS.takeProfit]

/**
 * Fills orders from klines. First comes the open (market orders, gaps), then the inside of the kline: the
 * price follows a path, and orders trade as it reaches them. `ohlc` and `olhc` know that path; `pessimistic`
 * and `optimistic` search for the path that makes least or most by the close (`ExtremePath`). The rules of
 * engines that ignore the path (`isPathless`) let stops that close trade first, then entries, then other exits.
 */
export class KlineFillModel implements FillModel {
  readonly #instrument: Instrument
  readonly #interval: Interval
  readonly #settings: FillSettings
  readonly #onFill: OnModelFill
  readonly #onEnd: OnModelEnd
  readonly #onTrail: FillModelOptions['onTrail']
  readonly #watch: ContractWatch | undefined
  readonly #isHeldByExit: (request: OrderRequest) => boolean
  readonly #positions: FillModelOptions['positions']
  readonly #pricesOf: FillPrices
  readonly #latency: Latency
  /** Absent where orders may trade any volume. */
  readonly #volume: SharedVolume | undefined
  /** Finds the path where the settings know none; absent where they ignore the path. */
  readonly #extremePath: ExtremePath | undefined
  readonly #groupChoice: GroupChoice
  readonly #resting = new RestingOrders()
  readonly #orders: readonly ModelOrder[] = this.#resting.all
  readonly #pathWalk: PathWalk
  readonly #ambiguousEntries = new Set<string>()
  /** The order that is just being canceled, if it could trade. */
  #canceled: ModelOrder | undefined
  #kline: Kline | undefined
  #filling: { readonly request: OrderRequest; readonly atOpen: boolean; readonly price: number } | undefined
  /** Market time that orders must be live at. */
  #now = Number.NaN
  /** Volume left for orders on the kline that opened at `#now`, in steps. */
  #tradable: Steps = NO_STEPS

  constructor(options: FillModelOptions) {
    const { instrument, interval, settings, onFill, onEnd, onTrail, watch } = options
    this.#watch = watch
    this.#isHeldByExit = options.isHeldByExit ?? (() => false)
    this.#positions = options.positions
    this.#instrument = instrument
    this.#interval = interval
    this.#settings = settings
    this.#onFill = onFill
    this.#onEnd = onEnd
    this.#onTrail = onTrail
    this.#pricesOf = fillPrices(instrument, settings)
    this.#latency = fixedLatency(settings.latencyMs)
    this.#volume = options.volume ?? sharedVolume(settings.maxVolumeShare, instrument)
    this.#volume?.join(interval)
    this.#pathWalk = new PathWalk({
      orders: this.#orders,
      settings,
      watch,
      now: () => this.#now,
      hasVolume: () => this.#tradable > 0,
      tickTowards: (price, to) => tickTowards(instrument, price, to),
      trade: (order, execution, kline) => {
        if (this.#tradable > 0) this.#fill(order, execution, kline, false)
        else this.#endWithoutVolume(order)
      },
    })
    const forecast = new Forecast(instrument, this.#pricesOf)
    const rest = { positions: options.positions, tradable: () => this.#tradable }
    this.#groupChoice = new GroupChoice({ instrument, settings, forecast, ...rest })
    this.#extremePath = isPathless(settings)
      ? undefined
      : new ExtremePath({
          ...{ instrument, settings, watch, forecast, ...rest },
          ...{ orders: this.#orders, walk: this.#pathWalk, now: () => this.#now },
        })
  }

  /** True while no order rests. */
  get isEmpty(): boolean {
    return this.#resting.isEmpty
  }

  /**
   * Entries (by clientOrderId) that would have traded otherwise by another path, themselves or by their
   * protective orders.
   */
  get ambiguousEntries(): ReadonlySet<string> {
    return this.#ambiguousEntries
  }

  /** See `RestingOrders`. */
  quietUntil(klines: KlineSeries, from: number, to: number): number {
    return this.#resting.quietUntil(klines, from, to)
  }

  /**
   * Places an order at a time, ms UTC. Protective orders work at once, all others from the next open
   * (and their latency) on, and none on what was of a kline by then; but an order decided earlier that waited for trades at an open works there
   * (`followsOn`), and the rest of an exit that has shrunk on a fill works where that did.
   */
  place(request: OrderRequest, time: number, followsOn: boolean): void {
    const before = this.#canceled
    if (this.#filling !== undefined && before !== undefined && isRestOf(request, before.request))
      this.#resting.all.push({ ...before, request, quantity: request.quantity, filledQuantity: NO_STEPS })
    else if (request.protects !== undefined)
      this.#resting.all.push(modelOrder(this.#instrument, request, this.#entryOf(request), time))
    else if (this.#kline === undefined) this.#resting.all.push(this.#newOrder(request, request.decidedAt))
    else if (followsOn && this.#filling?.atOpen === true)
      this.#resting.all.push(this.#newOrder(request, request.decidedAt))
    else {
      const decidedAt = closeTimeOf(this.#kline.openTime, this.#interval)
      this.#resting.arrive(this.#newOrder(request, decidedAt))
    }
  }

  /** Takes an order in that is decided while the inside of a kline is played elsewhere: it works from the next open on. */
  placeLater(request: OrderRequest): void {
    this.#resting.arrive(this.#newOrder(request, request.decidedAt))
  }

  /** A cancel works at once: klines do not tell what happens until it arrives. */
  requestCancel(clientOrderId: string, _time: number, onOut: () => void): void {
    const before = this.#canceled
    this.#canceled = this.#orders.find(({ request }) => request.clientOrderId === clientOrderId)
    this.#resting.cancel(clientOrderId)
    onOut()
    this.#canceled = before
  }

  /** Takes an order out. */
  remove(clientOrderId: string): void {
    this.#resting.cancel(clientOrderId)
  }

  /** Gives an order a new total quantity. */
  resize(clientOrderId: string, quantity: Steps): void {
    this.#resting.resize(clientOrderId, quantity)
  }

  /** First part of a kline: everything that trades at its open. */
  open(kline: Kline): void {
    this.#now = kline.openTime
    this.#tradable = this.#volumeLeft(kline)
    this.#fillAll(kline, true)
    for (const order of this.#orders) if (order.isHeld && order.liveAt <= this.#now) this.#hold(order)
    this.#endKinds(kline)
  }

  /** Second part: everything that trades between open and close. */
  walk(kline: Kline): void {
    if (this.#orders.length === 0 && this.#watch === undefined) {
      this.#resting.welcome()
      return
    }
    // Orders of other markets may have traded since its open.
    this.#tradable = this.#volumeLeft(kline)
    const isWalked = this.#extremePath !== undefined
    let wasReached = true
    if (this.#extremePath === undefined) {
      for (const order of this.#orders) advanceTrail(order, kline.open)
      this.#fillAll(kline, false)
    } else {
      const path = pathOf(kline, this.#settings.path)
      this.#kline = kline
      if (path === undefined) wasReached = this.#extremePath.follow(kline)
      else this.#pathWalk.follow(path, kline)
      this.#kline = undefined
    }
    for (const order of this.#orders) this.#endKline(order, kline, isWalked, wasReached)
    this.#resting.welcome()
  }

  /** Lets every order trade at the open of a kline, whatever its volume and the orders' latency. */
  force(kline: Kline): void {
    this.#now = Number.POSITIVE_INFINITY
    this.#tradable = UNLIMITED
    this.#fillAll(kline, true)
  }

  /** True if a liquidation on the same kline may precede an exit that is not a fixed stop. */
  #isRivaled({ limitPrice, trail }: ModelOrder): boolean {
    return (limitPrice !== undefined || trail !== undefined) && this.#watch?.isInReach === true
  }

  /** True if a liquidation on the current kline depends on its path. */
  isAmbiguousLiquidation(kline: Kline): boolean {
    if (this.#kline === undefined) return false
    return (
      this.#watch?.hasOpenedInside === true || isAmbiguousLiquidation(kline, this.#orders, this.#settings)
    )
  }

  #volumeLeft(kline: Kline): Steps {
    return this.#volume?.left(kline, this.#interval) ?? UNLIMITED
  }

  #newOrder(request: OrderRequest, decidedAt: number): ModelOrder {
    const order = modelOrder(this.#instrument, request, undefined, this.#latency(decidedAt))
    order.isHeld = !request.reduceOnly && this.#isHeldByExit(request)
    return order
  }

  #endKline(order: ModelOrder, kline: Kline, isWalked: boolean, wasReached: boolean): void {
    if (order.liveAt > this.#now) return
    const mightHave = wasReached && mightHaveTraded(order, kline, this.#settings)
    if (mightHave || mayHaveStopped(order, kline)) {
      for (const entry of this.#entriesOf(order)) this.#ambiguousEntries.add(entry)
    }
    if (order.trail !== undefined) this.#endTrail(order, order.trail, kline, isWalked)
    order.isNew = false
    order.triggeredInside = false
    order.entry = undefined
  }

  /** The entries (by clientOrderId) whose round trips an order decides: its own, or those that an exit closes. */
  #entriesOf({ request }: ModelOrder): readonly string[] {
    const { protects, clientOrderId, reduceOnly } = request
    if (protects !== undefined) return [protects]
    if (!reduceOnly) return [clientOrderId]
    return this.#positions()
      .filter(({ book }) => book === bookOf(request))
      .flatMap(({ lots }) => lots.map(lot => lot.clientOrderId))
  }

  #endTrail(order: ModelOrder, trail: Trail, kline: Kline, isWalked: boolean): void {
    const { bestBefore } = trail
    trail.range = rangeAfter(order, trail, kline)
    if (!isWalked) trailAfter(order, kline)
    else trail.bestBefore = trail.best
    if (trail.best !== bestBefore) this.#onTrail?.(order.request, trail.best)
  }

  /**
   * Fills the first order that trades, then searches again, because every fill may place and cancel others.
   */
  #fillAll(kline: Kline, atOpen: boolean): void {
    this.#kline = kline
    while ((this.#orders.length > 0 || !atOpen) && this.#fillFirst(kline, atOpen));
    this.#kline = undefined
  }

  #fillFirst(kline: Kline, atOpen: boolean): boolean {
    for (const rank of atOpen ? OPEN_RANKS : INSIDE_RANKS) {
      const orders = atOpen
        ? this.#orders
        : reachedInTurn(this.#orders, rank, kline, this.#now, this.#settings)
      for (const order of orders) {
        if ((atOpen && order.rank !== rank) || order.liveAt > this.#now || this.#isWaiting(order)) continue
        if (!isAllowed(order, this.#orders, kline, atOpen, this.#settings)) continue
        const execution = atOpen
          ? executionAtOpen(order, kline, this.#settings)
          : insideExecution(order, kline, this.#settings)
        if (execution === undefined) continue
        const isStop = !atOpen && rank === RANKS.protectiveStop
        if (isStop && this.#watch?.inside({ isBuy: order.isBuy, price: execution.price }) === true)
          return true
        if (this.#tradable === 0) {
          if (this.#endWithoutVolume(order)) return true
          continue
        }
        if (order.kind === 'fok' && order.quantity > this.#tradable) continue
        if (atOpen || order.request.terms?.oco === undefined) this.#fill(order, execution, kline, atOpen)
        else {
          const first = this.#groupChoice.firstOf({ order, execution }, orders, kline)
          this.#fill(first.order, first.execution, kline, atOpen)
        }
        return true
      }
      if (!atOpen && rank === RANKS.protectiveStop && this.#watch?.inside() === true) return true
    }
    return false
  }

  /** After their first open: ends limit orders that may not rest, or may not have traded. */
  #endKinds(kline: Kline): void {
    this.#kline = kline
    for (const order of this.#orders.filter(
      ({ kind, liveAt }) => kind !== undefined && liveAt <= this.#now,
    )) {
      const ending = endingAtOpen(order, kline.open, this.#settings)
      order.kind = undefined
      if (ending !== undefined && this.#resting.takeOut(order.request.clientOrderId))
        this.#onEnd(order.request, ending)
    }
    this.#kline = undefined
  }

  /** True while an order waits to be sent: an exit at market beside it is not over, or has used up the volume. */
  #isWaiting(order: ModelOrder): boolean {
    if (order.isHeld && this.#tradable > 0 && !this.#isHeldByExit(order.request)) order.isHeld = false
    return order.isHeld
  }

  /** An order that still waits at the end of an open meets the market at the next one. */
  #hold(order: ModelOrder): void {
    if (this.#isWaiting(order)) order.liveAt = this.#now + 1
  }

  /** The kline's volume is used up: an order at market ends; what protects waits, and its stop is still triggered. */
  #endWithoutVolume(order: ModelOrder): boolean {
    if (endsWithVolume(order)) return this.#endRest(order)
    triggerStop(order)
    return false
  }

  /** Ends an order that is still there, because the kline's volume did not cover it. */
  #endRest({ request }: ModelOrder): boolean {
    const isThere = this.#resting.takeOut(request.clientOrderId)
    if (isThere) this.#onEnd(request, 'maxVolumeShare')
    return isThere
  }

  #fill(order: ModelOrder, execution: ExecutionPrice, kline: Kline, atOpen: boolean): void {
    const { request } = order
    const wanted = order.quantity
    const quantity = steps(Math.min(wanted, this.#tradable))
    const isEntry = !request.reduceOnly
    const dependsOnPath = atOpen
      ? isAmbiguousAtOpen(order, kline)
      : isAmbiguousFill(order, execution, kline, this.#orders, this.#settings)
    const hasRival = !atOpen && hasRivalEntry(order, kline, this.#orders, this.#settings, this.#now)
    if ((isEntry && dependsOnPath) || hasRival) this.#ambiguousEntries.add(request.clientOrderId)
    const isAmbiguous = dependsOnPath || (!atOpen && this.#isRivaled(order))
    if (quantity === wanted) this.#resting.takeOut(request.clientOrderId)
    else keepRest(order, quantity)
    this.#tradable = steps(this.#tradable - quantity)
    this.#volume?.use(quantity, kline.openTime, this.#interval, atOpen)
    if (!atOpen && isEntry) this.#watch?.noteOpening()
    this.#filling = { request, atOpen, price: execution.price }
    this.#onFill(this.#modelFill(request, order, execution, quantity, kline, isAmbiguous))
    this.#filling = undefined
    if (quantity < wanted && endsWithVolume(order)) this.#endRest(order)
  }

  #modelFill(
    request: OrderRequest,
    order: Taking,
    execution: ExecutionPrice,
    quantity: Steps,
    kline: Kline,
    isAmbiguous: boolean,
  ): ModelFill {
    const { liquidity, rule } = execution
    const { price, priceBeforeSlippage } = this.#pricesOf(order, execution, quantity, kline)
    const klineOpenTime = kline.openTime
    return { request, price, priceBeforeSlippage, quantity, liquidity, rule, klineOpenTime, isAmbiguous }
  }

  #entryOf(request: OrderRequest): EntryOnThisKline | undefined {
    const filling = this.#filling
    if (filling === undefined) return undefined
    // After the fill of another order, the time on the kline at which this one begins is unknown, as after a
    // market order inside it.
    const { atOpen, price } = filling
    if (request.protects === filling.request.clientOrderId) return { spec: filling.request.spec.type, atOpen }
    return { spec: 'market', atOpen, arrivedAt: price }
  }
}

/** True for the same resting exit with another quantity. */
function isRestOf(request: OrderRequest, before: OrderRequest): boolean {
  const isExit = request.purpose === 'exit' && before.purpose === 'exit' && request.side === before.side
  return isExit && bookOf(request) === bookOf(before) && isDeepStrictEqual(request.spec, before.spec)
}
