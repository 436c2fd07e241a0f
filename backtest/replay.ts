import type { EngineEvent } from '../src/domain/engine-event.ts'
import type { EngineOutput, Notice } from '../src/domain/engine-output.ts'
import { feeOf } from '../src/domain/fee.ts'
import type { Liquidity } from '../src/domain/fill.ts'
import { roundToTicks, type Steps, type Ticks } from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../src/domain/interval.ts'
import type { Kline } from '../src/domain/kline.ts'
import type { Purpose } from '../src/domain/order-intent.ts'
import type { OrderRequest } from '../src/domain/order-request.ts'
import type { Engine } from '../src/engine/engine.ts'
import type { SizingReference } from '../src/engine/engine-options.ts'
import { affordable } from './affordable.ts'
import type { FillSettings } from './fill-settings.ts'
import { KlineFillModel } from './kline-fill-model.ts'

/** What a replay is made of. */
export interface ReplayOptions {
  readonly engine: Engine
  readonly instrument: Instrument
  readonly interval: Interval
  readonly fills: FillSettings
  readonly sizingReference: SizingReference
  /** Takes every notice of the engine, in order. */
  readonly onNotice: (notice: Notice) => void
}

/**
 * Shows klines to the engine by the rules that forbid look-ahead: orders decided earlier trade on a kline first, the
 * fills reach ledger and strategy, and only then is the kline closed and shown. A plain loop: no promises, no timers.
 */
export class Replay {
  readonly #options: ReplayOptions
  readonly #model: KlineFillModel
  /** Market time of what happens now, ms UTC. */
  #time = Number.NaN
  #fillCount = 0

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#model = new KlineFillModel(
      options.instrument,
      options.fills,
      (request, price, quantity, liquidity) => this.#execute(request, price, quantity, liquidity),
    )
  }

  /** Plays one kline: fills, then its close. */
  next(kline: Kline): void {
    if (!this.#model.isEmpty || this.#options.sizingReference === 'nextOpen') this.#trade(kline)
    const { engine, instrument, interval } = this.#options
    const outputs = engine.process({ type: 'klineClosed', symbol: instrument.symbol, interval, kline })
    if (outputs.length === 0) return
    this.#time = closeTimeOf(kline.openTime, interval)
    this.#carryOut(outputs)
  }

  /** Closes the position at `price` (quote per base), at the time of `kline`, and cancels everything else. */
  closePosition(kline: Kline, price: number, purpose: Purpose): void {
    this.#time = kline.openTime
    this.#process({
      type: 'flattenRequested',
      symbol: this.#options.instrument.symbol,
      purpose,
      time: this.#time,
    })
    this.#model.open({ ...kline, open: price, high: price, low: price, close: price })
  }

  #trade(kline: Kline): void {
    this.#time = kline.openTime
    this.#model.open(kline)
    if (this.#options.sizingReference === 'nextOpen') this.#sizeAtOpen(kline)
    this.#model.walk(kline)
  }

  #sizeAtOpen(kline: Kline): void {
    const { instrument } = this.#options
    const price = roundToTicks(instrument, kline.open, 'nearest')
    this.#process({ type: 'openingSeen', symbol: instrument.symbol, price, time: this.#time })
    this.#model.open(kline)
  }

  #process(event: EngineEvent): void {
    this.#carryOut(this.#options.engine.process(event))
  }

  #carryOut(outputs: readonly EngineOutput[]): void {
    for (const output of outputs) {
      switch (output.type) {
        case 'placeOrder':
          this.#place(output.request)
          break
        case 'cancelOrder':
          this.#model.cancel(output.clientOrderId)
          this.#process({
            type: 'orderUpdated',
            clientOrderId: output.clientOrderId,
            event: 'canceled',
            time: this.#time,
          })
          break
        case 'resizeOrder':
          this.#model.resize(output.clientOrderId, output.quantity)
          break
        default:
          this.#options.onNotice(output)
      }
    }
  }

  #place(request: OrderRequest): void {
    const { clientOrderId } = request
    this.#model.place(request)
    this.#process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time: this.#time })
    this.#process({ type: 'orderUpdated', clientOrderId, event: 'accepted', time: this.#time })
  }

  #execute(request: OrderRequest, price: Ticks, wanted: Steps, liquidity: Liquidity): void {
    const { engine, instrument } = this.#options
    const { clientOrderId, symbol, side } = request
    const quantity = affordable(engine.ledger, instrument, request, price, wanted)
    if (quantity > 0) {
      const id = `${++this.#fillCount}`
      const fee = feeOf(instrument, side, price, quantity, liquidity)
      const fill = { id, clientOrderId, symbol, side, price, quantity, liquidity, time: this.#time, ...fee }
      this.#process({ type: 'filled', fill })
    }
    if (quantity === wanted) return
    const reason = 'The balance did not cover the whole order at the price it traded at.'
    this.#process({ type: 'orderUpdated', clientOrderId, event: 'canceled', reason, time: this.#time })
  }
}
