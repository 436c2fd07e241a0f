import { expect } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { priceText, quantityText, steps, type Ticks, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderSpec } from '../../../src/domain/orders/order-request.ts'
import type { Side } from '../../../src/domain/orders/side.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { BalanceComparison } from '../../../src/execution/reconciliation/balance-comparison.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import type { TradeComparison } from '../../../src/execution/reconciliation/trade-comparison.ts'
import { type TrackedOrder, trackedOrder } from '../../../src/execution/tracking/tracked-order.ts'
import { TrackedOrders } from '../../../src/execution/tracking/tracked-orders.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { OWN_FUNDS_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'

/** Time of a look, ms UTC. */
export const NOW = 5000

const NO_PARTIES = {
  ...{ bidId: undefined, askId: undefined, isSelfTrade: false },
  ...{ bidUserId: undefined, askUserId: undefined },
}
const named = (instrument: Instrument, symbol: string, base = 'BTC', quote = 'USDT'): Instrument => ({
  ...instrument,
  ...{ symbol, base, quote },
})
const INSTRUMENTS = [
  SPOT_BTC,
  named(SPOT_BTC, 'BTC/EUR', 'BTC', 'EUR'),
  named(SPOT_BTC, 'BTC/USDC', 'BTC', 'USDC'),
  named(SPOT_BTC, 'BTC/GBP', 'BTC', 'GBP'),
  named(SPOT_BTC, 'ETH/USDT', 'ETH'),
  named(OWN_FUNDS_BTC, 'BTC/USDT@margin'),
]

/** Steps of a quantity in BTC. */
const stepsOfText = (quantity: string) => steps(Math.round(Number(quantity) * 1000))

/** An order of the bot; its quantities in BTC. */
interface OwnSale extends Record<'symbol' | 'quantity' | 'booked', string> {
  readonly spec: OrderSpec
}

/** A spot account of 1000 USDT, 1000 EUR, 3 BTC and 2 ETH, and a ledger of it that is compared with what the exchange is made to say. */
export class SpotBooks {
  readonly ledger = new Ledger(INSTRUMENTS, {
    spot: Object.entries({ USDT: '1000', EUR: '1000', BTC: '3', ETH: '2' }).map(([asset, text]) => [
      asset,
      amountOf(text),
    ]),
  })
  readonly orders = new TrackedOrders()
  readonly events: EngineEvent[] = []
  readonly reports: ReconciliationReport[] = []
  readonly tradedByOthers = new Set<string>()
  readonly tradesOfOthers: OwnTrade[] = []
  /** Books that are being closed. */
  readonly closing = new Set<string>()
  latest: Ticks | undefined
  /** ms UTC. */
  now = NOW
  /** Free and locked by asset, as text. */
  there: Readonly<Record<string, readonly [free: string, locked: string]>> = {}
  readonly comparison: BalanceComparison

  constructor() {
    const options: Pick<
      ReconcilerOptions,
      'account' | 'instruments' | 'ledger' | 'emit' | 'closingOf' | 'onReport' | 'serverNow'
    > & { readonly tracker: Pick<ReconcilerOptions['tracker'], 'orders'> } = {
      tracker: { orders: this.orders },
      account: {
        balances: async () =>
          Object.entries(this.there).map(([asset, [free, locked]]) => ({
            ...{ asset, free: new Decimal(free), locked: new Decimal(locked) },
          })),
      },
      instruments: new Map(INSTRUMENTS.map(instrument => [instrument.symbol, instrument])),
      ledger: this.ledger,
      emit: event => this.#take(event),
      closingOf: symbol => {
        const books = new Set([...this.closing].filter(book => book.split('#')[0] === symbol))
        return books.size === 0 ? undefined : { books, price: this.latest }
      },
      onReport: report => this.reports.push(report),
      serverNow: () => this.now,
    }
    this.comparison = new BalanceComparison(
      options as unknown as ReconcilerOptions, // all that it reads
      {
        tradedByOthers: this.tradedByOthers,
        tradesOfOthers: this.tradesOfOthers,
      } as unknown as TradeComparison, // all that is asked of it
    )
  }

  /** A position of so many base units, traded at 10 without a fee. */
  hold(symbol: string, side: 'buy' | 'sell', quantity: string, book = symbol): void {
    this.#trade(book, { symbol, book, side, quantity, price: '10' })
  }

  #trade(
    id: string,
    {
      symbol,
      book,
      side,
      quantity,
      price,
    }: Record<'symbol' | 'book' | 'quantity' | 'price', string> & {
      side: Side
    },
  ): void {
    const request = requestOf({
      ...{ clientOrderId: id, symbol, book, side },
      quantity: stepsOfText(quantity),
    })
    this.ledger.orders.add(request)
    for (const event of ['submitted', 'accepted'] as const) this.ledger.orders.update(id, event)
    this.ledger.book({ ...fillOf(request, { price, quantity }), id })
  }

  /** Books what the comparison says, but for fees. */
  #take(event: EngineEvent): void {
    this.events.push(event)
    if (event.type === 'balancesReported')
      for (const [asset, amount] of event.balances) this.ledger.setBalance(asset, amount, 'spot')
    if (event.type !== 'liquidated') return
    const { symbol, book, quantity, price } = event.liquidation
    const instrument = this.ledger.instrument(symbol)
    const terms = { quantity: quantityText(instrument, quantity), price: priceText(instrument, price) }
    this.#trade(event.fillId, { symbol, book, side: 'sell', ...terms })
  }

  /** A sale of others, at a price and with a fee of 0.1% in quote. */
  sell(symbol: string, id: string, quantity: string, price: string, feeAsset = 'USDT'): void {
    const [size, at] = [new Decimal(quantity), new Decimal(price)]
    this.tradesOfOthers.push({
      ...{
        symbol,
        id,
        orderId: `9${id}`,
        side: 'sell',
        quantity: size,
        price: at,
        feeAsset,
        time: NOW - 100,
      },
      ...{ fee: size.times(at).times('0.001'), liquidity: 'taker', ...NO_PARTIES },
    })
  }

  /** Book, size in BTC, price, fee, and id of the fill of each close. */
  get closes(): readonly (readonly string[])[] {
    return this.events.flatMap(event => {
      if (event.type !== 'liquidated') return []
      const { book, quantity, price, fee, by } = event.liquidation
      const instrument = this.ledger.instrument(book.split('#')[0] ?? book)
      const terms = [quantityText(instrument, quantity), priceText(instrument, price), amountToText(fee)]
      return [[book, ...terms, `${event.fillId} ${by}`]]
    })
  }

  /** A sale of the bot that has executed, and of which no more is listed than `listed`; both in BTC. */
  executeUnlisted(symbol: string, sold: string, listed: string): void {
    const order = this.#sale({ symbol, quantity: sold, booked: listed, spec: { type: 'market' } })
    order.unlisted = { since: NOW, executed: order.request.quantity, isLasting: false }
  }

  /** A sale of the bot that rests at 20, and of which a part is executed and listed; both in BTC. */
  offer(symbol: string, quantity: string, booked: string): void {
    this.#sale({ symbol, quantity, booked, spec: { type: 'limit', price: ticks(2000) } })
  }

  #sale({ symbol, quantity, booked, spec }: OwnSale): TrackedOrder {
    const request = requestOf({
      ...{ clientOrderId: 'sale', symbol, spec, side: 'sell' },
      quantity: stepsOfText(quantity),
    })
    const known = { booked: stepsOfText(booked), exchangeOrderId: '1' }
    const order = trackedOrder(this.ledger.instrument(symbol), request, NOW, known)
    this.orders.add(order)
    return order
  }

  /** Reads the account without coming to a verdict. */
  async glance(there: SpotBooks['there']): Promise<string | undefined> {
    this.there = there
    await this.comparison.read()
    this.comparison.noteSellable()
    const sellable = this.comparison.sellableOf('BTC/USDT')
    return sellable && amountToText(sellable)
  }

  async look(): Promise<string> {
    await this.comparison.read()
    return this.comparison.compare()
  }

  /** Looks once more when no sale is expected to be listed any more. */
  async outwait(): Promise<void> {
    this.now = NOW + 90_000
    await this.look()
    expect(await this.look()).toBe('agreed')
  }

  owned(asset: string): Amount {
    return this.ledger.balances.in('spot').of(asset)
  }

  get halted(): readonly string[] {
    return this.events.flatMap(event => (event.type === 'instrumentHalted' ? [event.symbol] : []))
  }
}
