import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import type { Order } from '../../domain/orders/order.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { fillOf } from '../tracking/fill-of.ts'
import { UnbookableError } from '../tracking/unbookable-error.ts'
import { MarginAdoption } from './margin-adoption.ts'
import type { NamesakeWatch } from './namesake-watch.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'

/**
 * Processes each own trade of the account once: missed trades of own orders are booked, others are reported.
 */
export class TradeComparison {
  readonly #options: ReconcilerOptions
  readonly #namesake: NamesakeWatch
  readonly #tradesOfOthers: OwnTrade[] = []
  /** Number of `#tradesOfOthers` that were seen before the latest look. */
  #seenBefore = 0
  readonly #margin: MarginAdoption

  constructor(options: ReconcilerOptions, namesake: NamesakeWatch) {
    this.#options = options
    this.#namesake = namesake
    this.#margin = new MarginAdoption(options)
  }

  /** Assets that others traded since `forgetOthers`. */
  get tradedByOthers(): ReadonlySet<string> {
    const assets = this.#tradesOfOthers.flatMap(({ symbol, feeAsset }) => {
      const instrument = this.#options.instruments.get(symbol)
      return [instrument?.base, instrument?.quote, feeAsset]
    })
    return new Set(assets.filter(asset => asset !== undefined))
  }

  /** Trades of others since `forgetOthers`, oldest first of each symbol. */
  get tradesOfOthers(): readonly OwnTrade[] {
    return this.#tradesOfOthers
  }

  /**
   * Forgets the trades of others that the account read for the latest look certainly includes: those seen before it.
   * One made while the accounts were being read explains the difference that the next look finds.
   */
  forgetOthers(): void {
    this.#tradesOfOthers.splice(0, this.#seenBefore)
    this.#seenBefore = 0
  }

  /** Marks all trades up to now as seen. */
  async begin(): Promise<void> {
    for (const symbol of this.#options.instruments.keys()) {
      if (this.#options.sentRequests.lastTradeOf(symbol) !== undefined) continue
      const [newest] = await this.#options.trading.myTrades({ symbol, limit: 1 })
      this.#options.onTradesSeen({ type: 'tradesSeen', symbol, tradeId: newest?.id ?? '0' })
    }
  }

  /** Processes the trades since the last look; `false` if their owner cannot be determined yet. */
  async look(): Promise<boolean> {
    this.#seenBefore = this.#tradesOfOthers.length
    for (const instrument of this.#options.instruments.values())
      if (!(await this.#lookAt(instrument))) return false
    return true
  }

  /**
   * Processes trades up to one that cannot be booked; the later ones of its symbol cannot be booked either,
   * but other symbols continue.
   */
  #takeAll(instrument: Instrument, trades: readonly OwnTrade[], names: ReadonlyMap<string, string>): void {
    const { onTradesSeen, onUnbookable } = this.#options
    const { symbol } = instrument
    const known = this.#tradesOfOthers.length
    let newest: OwnTrade | undefined
    try {
      for (const trade of trades) {
        this.#take(trade, names.get(trade.orderId))
        newest = trade
      }
    } catch (error) {
      if (!(error instanceof UnbookableError)) throw error
      this.#tradesOfOthers.push(...trades)
      onUnbookable(error)
    }
    this.#margin.settle()
    const othersTraded = rulesOf(instrument).holdsContracts && this.#tradesOfOthers.length > known
    if (newest !== undefined)
      onTradesSeen({
        ...{ type: 'tradesSeen', symbol, tradeId: newest.id },
        ...(othersTraded && { othersTraded }),
      })
  }

  async #lookAt(instrument: Instrument): Promise<boolean> {
    const { trading, sentRequests, tracker } = this.#options
    const { symbol } = instrument
    const last = sentRequests.lastTradeOf(symbol) ?? '0'
    const trades: OwnTrade[] = []
    for await (const trade of trading.allMyTrades({ symbol, fromId: last }))
      if (BigInt(trade.id) > BigInt(last)) trades.push(trade)
    const names = await this.#namesAt(instrument, trades)
    if (tracker.orders.hasUnconfirmed(symbol)) return false
    this.#takeAll(instrument, trades, names)
    return true
  }

  /**
   * The clientOrderIds of margin orders with unknown exchange ids, such as one that counted as unplaced: no
   * balance would ever reveal that an own trade was mistaken for a foreign one.
   */
  async #namesAt(instrument: Instrument, trades: readonly OwnTrade[]): Promise<ReadonlyMap<string, string>> {
    const { trading, tracker } = this.#options
    const names = new Map<string, string>()
    if (rulesOf(instrument).comparedBy !== 'trades') return names
    const unknown = trades.filter(
      trade => !tracker.orders.hasAtExchange(trade.orderId) && this.#ownOf(trade) === undefined,
    )
    for (const orderId of new Set(unknown.map(trade => trade.orderId))) {
      try {
        const { clientOrderId } = await trading.order({ symbol: instrument.symbol, orderId })
        if (clientOrderId !== undefined) names.set(orderId, clientOrderId)
      } catch (error) {
        if (!isOrderNotFound(error)) throw error
      }
    }
    return names
  }

  /** The own order of a trade; `name` is its clientOrderId at the exchange, if it was queried. */
  #ownOf({ symbol, id, orderId }: OwnTrade, name?: string): Order | undefined {
    const { orders } = this.#options.ledger
    return orders.remembered.find(
      ({ request, exchangeOrderId }) =>
        request.symbol === symbol &&
        (exchangeOrderId === orderId ||
          (name !== undefined && wholeId(name) === request.clientOrderId) ||
          this.#isOfPart(request, id)),
    )
  }

  #take(trade: OwnTrade, name?: string): void {
    const { tracker, ledger, instruments, emit, onReport } = this.#options
    if (tracker.book(trade)) return
    const instrument = instruments.get(trade.symbol)
    const order = this.#ownOf(trade, name)
    if (order === undefined || instrument === undefined) {
      this.#tradesOfOthers.push(trade)
      onReport({ type: 'foreignTrade', trade })
      this.#namesake.suspect(trade)
      if (instrument && rulesOf(instrument).comparedBy === 'trades') this.#margin.adopt(trade, instrument)
    } else if (!ledger.orders.fillsOf(order.request.clientOrderId).includes(trade.id)) {
      emit({ type: 'filled', fill: fillOf({ request: order.request, instrument }, trade) })
    }
  }

  /** The exchange's id of a part is dropped at its end, but its trades are kept. */
  #isOfPart({ clientOrderId, symbol, quantity }: OrderRequest, tradeId: string): boolean {
    const { instruments, ledger } = this.#options
    const most = instruments.get(symbol)?.maxQuantity ?? quantity
    return quantity > most && ledger.orders.fillsOf(clientOrderId).includes(tradeId)
  }
}
