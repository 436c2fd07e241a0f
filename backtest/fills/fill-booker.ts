import { bookOf } from '../../src/domain/book-names.ts'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Notice } from '../../src/domain/events/engine-output.ts'
import { feeOf } from '../../src/domain/fee.ts'
import type { Fees, Instrument } from '../../src/domain/instrument.ts'
import { NO_STEPS, type Steps, type Ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { Lot } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { affordable } from './affordable.ts'
import type { ModelFill } from './model-fill.ts'
import type { UncostedFill } from './simulated-fill.ts'

/** Numbers fills from 1 on. */
export interface FillNumbers {
  /** The number of the latest fill. */
  latest: number
}

export interface FillBookerOptions {
  readonly ledger: Ledger
  readonly instrument: Instrument
  /** Fees of an order; default: those of the instrument. */
  readonly feesOf?: ((request: OrderRequest) => Fees) | undefined
  /** Source of fill ids. */
  readonly numbers: FillNumbers
  /** Takes every fill, just before it is booked. */
  readonly onFill: ((fill: UncostedFill) => void) | undefined
  /** Processes an event in the engine and executes its commands. */
  readonly process: (event: EngineEvent) => void
}

/** Turns fills of the model into fills that the account can pay for. Remembers the latest one. */
export class FillBooker {
  readonly #ledger: Ledger
  readonly #instrument: Instrument
  readonly #feesOf: FillBookerOptions['feesOf']
  readonly #numbers: FillNumbers
  readonly #onFill: ((fill: UncostedFill) => void) | undefined
  readonly #process: (event: EngineEvent) => void
  /** True while the latest booked fill depends on the path inside a kline. */
  #isAmbiguous = false
  /** Lots of the position before that fill. */
  #lots: readonly Lot[] = NO_LOTS

  constructor({ ledger, instrument, feesOf, numbers, onFill, process }: FillBookerOptions) {
    this.#ledger = ledger
    this.#instrument = instrument
    this.#feesOf = feesOf
    this.#numbers = numbers
    this.#onFill = onFill
    this.#process = process
  }

  /** Books the affordable part of a fill; returns true if that is all of it. `knownAt`: see `Filled`. */
  book(fill: ModelFill, time: number, knownAt: number | undefined): boolean {
    const quantity = this.#affordable(fill.request, fill.price, fill.quantity)
    if (quantity > 0) this.#process({ type: 'filled', fill: this.#beginFill(fill, quantity, time), knownAt })
    return quantity === fill.quantity
  }

  /** Books the fill of a liquidation by its id, and executes the engine's commands. */
  bookLiquidation(book: string, isAmbiguous: boolean, process: (fillId: string) => void): void {
    this.#begin(book, isAmbiguous)
    process(this.#nextId())
  }

  /** Emits the fill of a liquidation. Its price belongs to no order, and its slippage is zero. */
  tellLiquidation({ fill, order }: Extract<Notice, { type: 'fillBooked' }>, klineOpenTime: number): void {
    this.#onFill?.({
      ...fill,
      book: bookOf(order.request),
      ...{ rule: 'liquidated', klineOpenTime, priceBeforeSlippage: fill.price },
    })
  }

  /**
   * True if another path inside a kline would have changed the round trip being reported: its fill is
   * ambiguous, or its entry is one of `entries` (by clientOrderId).
   */
  isAmbiguous({ entryTime, entryPrice }: RoundTrip, entries: ReadonlySet<string>): boolean {
    if (this.#isAmbiguous || entries.size === 0) return this.#isAmbiguous
    return this.#lots.some(
      ({ clientOrderId, time, price }) =>
        time === entryTime && price === entryPrice && entries.has(clientOrderId),
    )
  }

  #beginFill(fill: ModelFill, quantity: Steps, time: number): UncostedFill {
    const simulated = this.#simulatedFill(fill, quantity, time)
    this.#onFill?.(simulated)
    this.#begin(bookOf(fill.request), fill.isAmbiguous)
    return simulated
  }

  #begin(book: string, isAmbiguous: boolean): void {
    this.#isAmbiguous = isAmbiguous
    this.#lots = this.#ledger.position(book)?.lots ?? NO_LOTS
  }

  #nextId(): string {
    return `${++this.#numbers.latest}`
  }

  /** The affordable part of a fill. A fill-or-kill order trades wholly or not at all. */
  #affordable(request: OrderRequest, price: Ticks, wanted: Steps): Steps {
    const quantity = affordable(this.#ledger, this.#instrument, request, price, wanted)
    const isWhole = request.spec.type === 'limit' && request.spec.kind === 'fok'
    return isWhole && quantity < wanted ? NO_STEPS : quantity
  }

  #simulatedFill(fill: ModelFill, quantity: Steps, time: number): UncostedFill {
    const { request, price, priceBeforeSlippage, liquidity, rule, klineOpenTime, evidence } = fill
    const { clientOrderId, symbol, side, tag } = request
    const charged =
      this.#feesOf === undefined ? this.#instrument : { ...this.#instrument, fees: this.#feesOf(request) }
    const { fee, feeAsset } = feeOf(charged, side, price, quantity, liquidity)
    return {
      id: this.#nextId(),
      clientOrderId,
      symbol,
      book: bookOf(request),
      side,
      price,
      quantity,
      fee,
      feeAsset,
      liquidity,
      time,
      rule,
      tag,
      klineOpenTime,
      priceBeforeSlippage,
      evidence,
    }
  }
}

const NO_LOTS: readonly Lot[] = []
