import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import { feeOf } from '../../../src/domain/fee.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { type Amount, amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf, steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { openQuantityOf } from '../../../src/domain/orders/order.ts'
import type { OrderRequest } from '../../../src/domain/orders/order-request.ts'
import type { Side } from '../../../src/domain/orders/side.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { defineStrategy, targetPosition } from '../../../src/strategy/index.ts'

/** A market of the account under test. */
export interface TargetMarket {
  /** Latest price, ticks of 0.01 USDT. */
  readonly price: number
  readonly quantityPrecision: number
}

/** What all markets of the account have in common. */
export interface TargetTerms {
  readonly feeRate: string
  readonly paidIn: 'received' | 'quote'
  /** Smallest order, quote. */
  readonly minNotional: string
}

/** An order that the account placed. */
export interface PlacedOrder {
  readonly market: number
  readonly side: Side
  readonly clientOrderId: string
}

/** A spot account of 10,000 USDT with one strategy a market, each of which declares the fraction of equity it is told. Prices never move. */
export class TargetAccount {
  readonly ledger: Ledger
  readonly denials: string[] = []
  readonly #engine: Engine
  readonly #instruments: readonly Instrument[]
  readonly #markets: readonly TargetMarket[]
  readonly #fractions: number[]
  #time = 0
  #fills = 0
  #open: PlacedOrder[] = []

  constructor(markets: readonly TargetMarket[], { feeRate, paidIn, minNotional }: TargetTerms) {
    const rate = rateOf(feeRate)
    this.#markets = markets
    this.#fractions = markets.map(() => 0)
    this.#instruments = markets.map(({ quantityPrecision }, index) => ({
      symbol: `C${index}/USDT`,
      base: `C${index}`,
      quote: 'USDT',
      pricePrecision: 2,
      quantityPrecision,
      minPrice: ticks(1),
      minQuantity: steps(1),
      maxQuantity: steps(1e12),
      minNotional: amountOf(minNotional),
      leverage: { min: 1, max: 1 },
      accountType: 'spot',
      fees: { maker: rate, taker: rate, paidIn },
    }))
    this.ledger = new Ledger(this.#instruments, [['USDT', amountOf('10000')]])
    const strategies = this.#instruments.map(({ symbol }, index) => ({
      symbol,
      interval: '1m' as const,
      size: { base: 1 },
      parameters: {},
      strategy: defineStrategy({
        name: `targets${index}`,
        onKline: () => targetPosition({ equityFraction: this.#fractions[index] ?? 0 }),
      }),
    }))
    this.#engine = new Engine({ bot: 'test', ledger: this.ledger, strategies })
    for (const [index] of markets.entries()) this.#mark(index)
  }

  /** Declares a fraction in every market, in order; returns the orders that follow. */
  declare(fractions: readonly number[]): readonly PlacedOrder[] {
    const before = this.#open.length
    for (const [index, { symbol }] of this.#instruments.entries()) {
      this.#fractions[index] = fractions[index] ?? 0
      const price = this.#priceOf(index)
      const kline = { openTime: this.#time, open: price, high: price, low: price, close: price, volume: 1 }
      this.#process({ type: 'klineClosed', symbol, interval: '1m', kline })
    }
    this.#time += 60_000
    return this.#open.slice(before)
  }

  /** Fills a part of what is open of every order: sales first, as no purchase could be paid otherwise. */
  fill(part = 1): void {
    const sellsFirst = [...this.#open].sort((one, other) => (one.side < other.side ? 1 : -1))
    for (const order of sellsFirst) this.#fill(order, part)
    if (part === 1) this.#open = []
  }

  /** Base owned of a market, in quote at its price. */
  heldIn(index: number): number {
    const { base } = this.#instruments[index] as Instrument
    return (Number(this.ledger.balances.of(base)) / 1e18) * this.#priceOf(index)
  }

  /** Quote. */
  get equity(): number {
    return Number(this.ledger.equity('USDT')) / 1e18
  }

  /** Quote that is not spent. */
  get cash(): Amount {
    return this.ledger.balances.of('USDT')
  }

  /** One step of a market, in quote at its price. */
  stepIn(index: number): number {
    return this.#priceOf(index) / 10 ** (this.#markets[index]?.quantityPrecision ?? 0)
  }

  #priceOf(index: number): number {
    return priceOf(this.#instruments[index] as Instrument, ticks(this.#markets[index]?.price ?? 0))
  }

  #mark(index: number): void {
    const instrument = this.#instruments[index] as Instrument
    this.ledger.mark(instrument, ticks(this.#markets[index]?.price ?? 0))
  }

  #fill({ market, side, clientOrderId }: PlacedOrder, part: number): void {
    const instrument = this.#instruments[market] as Instrument
    const order = this.ledger.orders.get(clientOrderId)
    const quantity = steps(Math.floor((order === undefined ? 0 : openQuantityOf(order)) * part))
    if (quantity === 0) return
    const price = ticks(this.#markets[market]?.price ?? 0)
    const fee = feeOf(instrument, side, price, quantity, 'taker')
    const { symbol } = instrument
    const id = `${++this.#fills}`
    const fill = { id, clientOrderId, symbol, side, price, quantity, ...fee, time: this.#time }
    this.#process({ type: 'filled', fill: { ...fill, liquidity: 'taker' } })
  }

  #process(event: EngineEvent): void {
    for (const output of this.#engine.process(event)) {
      if (output.type === 'denied') this.denials.push(output.denial.message)
      if (output.type === 'strategyFailed') throw output.error
      if (output.type === 'placeOrder') this.#acknowledge(output.request)
    }
  }

  #acknowledge({ clientOrderId, symbol, side }: OrderRequest): void {
    const market = this.#instruments.findIndex(instrument => instrument.symbol === symbol)
    this.#open.push({ market, side, clientOrderId })
    for (const event of ['submitted', 'accepted'] as const)
      this.#process({ type: 'orderUpdated', clientOrderId, event, time: this.#time })
  }
}
