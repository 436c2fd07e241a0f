import { rulesOf } from '../../src/domain/account-rules.ts'
import { bookOf, wholeBook } from '../../src/domain/book-names.ts'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { CancelOrder, EngineOutput, Notice } from '../../src/domain/events/engine-output.ts'
import type { Liquidation } from '../../src/domain/events/liquidation.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { roundToTicks } from '../../src/domain/numbers/grid.ts'
import { type Cancellation, cancellationFor } from '../../src/domain/orders/cancel-cause.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import { isWorking } from '../../src/domain/orders/order-status.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { ContractWatch } from '../futures/contract-watch.ts'
import type { FuturesData } from '../futures/futures-data.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import type { SharedVolume } from '../models/shared-volume.ts'
import type { DetailKlines } from './detail-klines.ts'
import { FillBooker, type FillBookerOptions, type FillNumbers } from './fill-booker.ts'
import type { FillModel } from './fill-model.ts'
import { KlineFillModel } from './kline-fill-model.ts'
import type { ModelFill, OnModelEnd } from './model-fill.ts'
import { ObservedFillModel, type TickRules } from './observed-fill-model.ts'
import { ENDING_REASONS, type OrderEnding } from './order-ending.ts'
import type { UncostedFill } from './simulated-fill.ts'

export interface SimulatedMarketOptions {
  readonly engine: Engine
  readonly instrument: Instrument
  /** Book of the orders to play. */
  readonly book: string
  readonly interval: Interval
  readonly fills: FillSettings
  /** Finer klines that give the path inside the played ones. */
  readonly detail?: DetailKlines | undefined
  /** If recorded ticks are played instead of klines. */
  readonly ticks?: TickRules | undefined
  /** Takes every notice of the engine, in order. */
  readonly onNotice: (notice: Notice) => void
  /** Called for every placed order except protective ones. */
  readonly onOrder?: (() => void) | undefined
  /** Takes every fill, just before it is booked. */
  readonly onFill?: ((fill: UncostedFill) => void) | undefined
  /** Takes every order that the market ends before all of it has traded, just before that end is booked. */
  readonly onCut?: ((order: Order, ending: OrderEnding) => void) | undefined
  /** See `FillBookerOptions`. */
  readonly feesOf?: FillBookerOptions['feesOf']
  /** Source of fill ids, shared if several replays play one account. */
  readonly fillNumbers?: FillNumbers | undefined
  /** On a futures account: data of the contract besides its klines. */
  readonly futures?: FuturesData | undefined
  /** See `FillModelOptions`. */
  readonly volume?: SharedVolume | undefined
  /** All markets of the account, once they are made; this one adds itself. */
  readonly peers: SimulatedMarket[]
}

/**
 * The market of one instrument in a backtest: executes the commands of the engine, and reports the results to
 * it. Commands for another instrument of the account go to the market of that instrument.
 */
export class SimulatedMarket {
  readonly model: FillModel
  /** The same, where klines are played; otherwise `undefined`. */
  readonly klineModel: KlineFillModel | undefined
  /** The same, where recorded ticks are played; otherwise `undefined`. */
  readonly tickModel: ObservedFillModel | undefined
  readonly booker: FillBooker
  /** On a futures account. */
  readonly watch: ContractWatch | undefined
  /** Present market time, ms UTC. */
  time = Number.NaN
  /** Progress of the current kline, if other markets are played between its parts. */
  phase: 'over' | 'opened' | 'walking' = 'over'
  readonly #engine: Engine
  readonly #book: string
  readonly #onOrder: (() => void) | undefined
  readonly #onCut: SimulatedMarketOptions['onCut']
  readonly #onNotice: (notice: Notice) => void
  readonly #peers: readonly SimulatedMarket[]
  /** True if events of other markets have placed orders here. */
  #hasOrdersOfOthers = false
  /** Length of the klines that are traded on. */
  readonly #interval: Interval
  /** Close time of the kline that is traded on, between its open and its close. */
  #knownAt: number | undefined
  /** The kline that is traded on. */
  #kline: Kline | undefined

  constructor(options: SimulatedMarketOptions) {
    const { engine, instrument, book, interval, detail, fills, peers } = options
    this.#engine = engine
    this.#book = book
    this.#onOrder = options.onOrder
    this.#onCut = options.onCut
    this.#onNotice = options.onNotice
    const process = (event: EngineEvent) => this.process(event)
    this.booker = new FillBooker({
      ...{ ledger: engine.ledger, instrument, feesOf: options.feesOf, onFill: options.onFill, process },
      numbers: options.fillNumbers ?? { latest: 0 },
    })
    const traded = detail?.interval ?? interval
    this.#interval = traded
    this.watch = rulesOf(instrument).holdsContracts ? this.#contractWatch(options, traded) : undefined
    const onEnd: OnModelEnd = ({ clientOrderId }, ending) => this.#cut(clientOrderId, ending)
    const common = {
      ...{ instrument, onEnd, onFill: (fill: ModelFill) => this.#execute(fill) },
      onTrail: ({ clientOrderId }: Pick<OrderRequest, 'clientOrderId'>, best: number) =>
        engine.ledger.orders.trail(clientOrderId, roundToTicks(instrument, best, 'nearest')),
      isHeldByExit: (request: OrderRequest) => engine.isHeldByExit(request),
    }
    if (options.ticks === undefined)
      this.klineModel = new KlineFillModel({
        ...{ ...common, interval: traded, settings: fills, watch: this.watch, volume: options.volume },
        positions: () => engine.ledger.positionsOf(instrument.symbol),
      })
    else this.tickModel = new ObservedFillModel({ ...common, rules: options.ticks })
    this.model = (this.klineModel ?? this.tickModel) as FillModel // one of the two was made
    this.#peers = peers
    peers.push(this)
  }

  /**
   * Lets orders trade at the open of a kline; `then` runs before funding and liquidations due at the open of
   * a contract.
   */
  open(kline: Kline, then?: () => void): void {
    this.time = kline.openTime
    this.#kline = kline
    this.watch?.open(kline, this.time)
    this.klineModel?.open(kline)
    then?.()
    this.watch?.settleAfterOpen(kline)
  }

  /** Lets orders trade between the open and the close of a kline. */
  walk(kline: Kline): void {
    this.#kline = kline
    this.#knownAt = closeTimeOf(kline.openTime, this.#interval)
    this.klineModel?.walk(kline)
    this.watch?.close(this.time)
    this.#knownAt = undefined
  }

  /**
   * Lets orders meet a recorded row at a time, ms UTC. `price` is that by which a contract counts, quote per base; NaN
   * while none is known.
   */
  tick(at: number, price: number, row: number, meet: (row: number, at: number) => void): void {
    this.time = at
    const { watch } = this
    if (watch === undefined || Number.isNaN(price)) {
      meet(row, at)
      return
    }
    const moment = momentAt(at, price)
    this.#kline = moment
    watch.open(moment, at)
    meet(row, at)
    watch.settleAfterOpen(moment)
    watch.close(at)
  }

  /** Processes an event in the engine, and executes its commands. */
  process(event: EngineEvent): void {
    this.applyOutputs(this.#engine.process(event))
  }

  /** Executes the commands of an event at a time (ms UTC) that is not about the klines played here. */
  applyOutputsAt(outputs: readonly EngineOutput[], time: number): void {
    if (outputs.length === 0) return
    this.time = time
    this.#hasOrdersOfOthers = true
    this.applyOutputs(outputs)
  }

  /** Executes commands, and passes notices on. */
  applyOutputs(outputs: readonly EngineOutput[]): void {
    for (const output of outputs) {
      switch (output.type) {
        case 'placeOrder':
          this.place(output.request, output.followsOn)
          break
        case 'cancelOrder':
          this.#cancel(output)
          break
        case 'resizeOrder':
          this.#ownerOf(this.#bookOf(output.clientOrderId)).model.resize(
            output.clientOrderId,
            output.quantity,
          )
          break
        default:
          this.#onNotice(output)
      }
    }
  }

  /** Accepts an order of the ledger. `followsOn`: it waited only for other orders of its decision. */
  place(request: OrderRequest, followsOn = false): void {
    const { clientOrderId } = request
    if (request.protects === undefined) this.#onOrder?.()
    const owner = this.#ownerOf(bookOf(request))
    if (owner === this) this.model.place(request, this.time, followsOn)
    else owner.#admit(request, this)
    if (this.#engine.acknowledge(request, this.time)) return
    owner.process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time: this.time })
    owner.process({ type: 'orderUpdated', clientOrderId, event: 'accepted', time: this.time })
  }

  /** True if events of other markets have placed orders here since the last call. */
  consumeOrdersOfOthers(): boolean {
    const hasOrdersOfOthers = this.#hasOrdersOfOthers
    this.#hasOrdersOfOthers = false
    return hasOrdersOfOthers
  }

  #contractWatch(
    { engine, instrument, detail, ticks, futures = {} }: SimulatedMarketOptions,
    interval: Interval,
  ) {
    return new ContractWatch({
      instrument,
      interval,
      ticks,
      ledger: engine.ledger,
      data: futures,
      isDetailed: detail !== undefined,
      owns: book => this.#owns(book),
      mark: price => engine.mark(instrument.symbol, price),
      process: event => this.process(event),
      liquidate: liquidation => this.#liquidate(liquidation),
    })
  }

  /** A consequence of an earlier output may already have ended the order. */
  #cancel({ clientOrderId, cause }: CancelOrder): void {
    const order = this.#engine.ledger.orders.get(clientOrderId)
    if (order === undefined || !isWorking(order.status)) return
    const { event, reason } = cancellationFor(cause)
    const owner = this.#ownerOf(bookOf(order.request))
    owner.time = this.time
    owner.model.requestCancel(clientOrderId, this.time, () => owner.#end(clientOrderId, event, reason))
  }

  #end(clientOrderId: string, event: Cancellation['event'], reason: string | undefined): void {
    const { time } = this
    if (reason === undefined) this.process({ type: 'orderUpdated', clientOrderId, event, time })
    else this.process({ type: 'orderUpdated', clientOrderId, event, reason, time })
  }

  /**
   * See `Filled`. An order at an open trades after it, if only by a moment: a pause that it begins still holds at the close
   * one pause later.
   */
  get #fillKnownAt(): number | undefined {
    return this.#knownAt ?? (this.klineModel === undefined ? undefined : this.time + 1)
  }

  #execute(fill: ModelFill): void {
    if (this.booker.book(fill, this.time, this.#fillKnownAt)) return
    const { clientOrderId } = fill.request
    this.model.remove(clientOrderId)
    this.#cut(clientOrderId, 'balance')
  }

  /** The market cancels what is left of an order. */
  #cut(clientOrderId: string, ending: OrderEnding): void {
    const order = this.#engine.ledger.orders.get(clientOrderId)
    if (order !== undefined) this.#onCut?.(order, ending)
    this.#end(clientOrderId, 'canceled', ENDING_REASONS[ending])
  }

  #liquidate(liquidation: Liquidation): void {
    const kline = this.#kline as Kline // nothing is liquidated before a kline is traded on
    const isAmbiguous = this.model.isAmbiguousLiquidation(kline)
    const owner = this.#ownerOf(liquidation.book)
    owner.time = this.time
    owner.#bookLiquidation(liquidation, isAmbiguous, kline.openTime, this.#fillKnownAt)
  }

  #bookLiquidation(
    liquidation: Liquidation,
    isAmbiguous: boolean,
    klineOpenTime: number,
    knownAt: number | undefined,
  ): void {
    this.booker.bookLiquidation(liquidation.book, isAmbiguous, fillId => {
      const { time } = this
      const outputs = this.#engine.process({ type: 'liquidated', liquidation, fillId, time, knownAt })
      for (const output of outputs) {
        if (output.type === 'fillBooked') this.booker.tellLiquidation(output, klineOpenTime)
        if (output.type !== 'cancelOrder') continue
        for (const peer of this.#peers) peer.model.remove(output.clientOrderId)
      }
      this.applyOutputs(outputs)
    })
  }

  /** Accepts an order that an event of another market caused. */
  #admit(request: OrderRequest, from: SimulatedMarket): void {
    this.time = from.time
    this.#hasOrdersOfOthers = true
    const { klineModel } = this
    if (klineModel !== undefined && from.phase === 'walking' && this.phase === 'opened')
      klineModel.placeLater(request)
    else this.model.place(request, request.decidedAt, false)
  }

  /** The market of a book's orders: a strategy with several markets may decide in one about another. */
  #ownerOf(book: string): SimulatedMarket {
    if (book === this.#book || this.#peers.length === 1 || this.#owns(book)) return this
    return this.#peers.find(peer => peer.#owns(book)) ?? this
  }

  #owns(book: string): boolean {
    return wholeBook(book) === this.#book
  }

  #bookOf(clientOrderId: string): string {
    const order = this.#engine.ledger.orders.get(clientOrderId)
    return order === undefined ? this.#book : bookOf(order.request)
  }
}

/** A kline that ends as soon as it begins. */
function momentAt(openTime: number, price: number): Kline {
  return { openTime, open: price, high: price, low: price, close: price, volume: 0 }
}
