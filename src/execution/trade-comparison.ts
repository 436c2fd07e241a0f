import type { Instrument } from '../domain/instrument.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import type { OwnTrade } from '../exchange/own-trade.ts'
import { fillOf } from './fill-of.ts'
import { MarginTakeover } from './margin-takeover.ts'
import type { ReconcilerOptions } from './reconciler.ts'

/** Goes through all own trades, each once: what is ours and was missed is booked, what is not is reported. */
export class TradeComparison {
  readonly #options: ReconcilerOptions
  readonly #tradedByOthers = new Set<string>()
  readonly #symbolsOfOthers = new Set<string>()
  readonly #margin: MarginTakeover

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#margin = new MarginTakeover(options)
  }

  /** Assets that others traded since `forgetOthers`. */
  get tradedByOthers(): ReadonlySet<string> {
    return this.#tradedByOthers
  }

  /** Symbols that others traded since `forgetOthers`. */
  get symbolsOfOthers(): ReadonlySet<string> {
    return this.#symbolsOfOthers
  }

  forgetOthers(): void {
    this.#tradedByOthers.clear()
    this.#symbolsOfOthers.clear()
  }

  /** Takes all trades up to now as seen. */
  async begin(): Promise<void> {
    for (const symbol of this.#options.instruments.keys()) {
      if (this.#options.dispatches.lastTradeOf(symbol) !== undefined) continue
      const [newest] = await this.#options.trading.myTrades({ symbol, limit: 1 })
      this.#options.onTradesSeen({ type: 'tradesSeen', symbol, tradeId: newest?.id ?? '0' })
    }
  }

  /** Goes through the trades since the last look; `false` where it cannot be told yet whose they are. */
  async look(): Promise<boolean> {
    for (const symbol of this.#options.instruments.keys()) if (!(await this.#lookAt(symbol))) return false
    return true
  }

  async #lookAt(symbol: string): Promise<boolean> {
    const { trading, dispatches, tracker, onTradesSeen } = this.#options
    const last = dispatches.lastTradeOf(symbol) ?? '0'
    const trades: OwnTrade[] = []
    for await (const trade of trading.allMyTrades({ symbol, fromId: last }))
      if (BigInt(trade.id) > BigInt(last)) trades.push(trade)
    if (tracker.hasUnconfirmed(symbol)) return false
    for (const trade of trades) this.#take(trade)
    const newest = trades.at(-1)
    if (newest !== undefined) onTradesSeen({ type: 'tradesSeen', symbol, tradeId: newest.id })
    return true
  }

  #take(trade: OwnTrade): void {
    const { tracker, ledger, instruments, emit, onReport } = this.#options
    if (tracker.book(trade)) return
    const instrument = instruments.get(trade.symbol)
    const order = ledger.orders.remembered.find(
      ({ request, exchangeOrderId }) =>
        request.symbol === trade.symbol &&
        (exchangeOrderId === trade.orderId || this.#isOfPart(request, trade.id)),
    )
    if (order === undefined || instrument === undefined) {
      this.#noteOthers(trade, instrument)
      onReport({ type: 'foreignTrade', trade })
      if (instrument?.accountType === 'margin') this.#margin.take(trade, instrument)
    } else if (!ledger.orders.fillsOf(order.request.clientOrderId).includes(trade.id)) {
      emit({ type: 'filled', fill: fillOf({ request: order.request, instrument }, trade) })
    }
  }

  #noteOthers({ symbol, feeAsset }: OwnTrade, instrument: Instrument | undefined): void {
    this.#symbolsOfOthers.add(symbol)
    for (const asset of [instrument?.base, instrument?.quote, feeAsset])
      if (asset !== undefined) this.#tradedByOthers.add(asset)
  }

  /** The exchange's id of a part is known to nobody after its end, but its trades are. */
  #isOfPart({ clientOrderId, symbol, quantity }: OrderRequest, tradeId: string): boolean {
    const { instruments, ledger } = this.#options
    const most = instruments.get(symbol)?.maxQuantity ?? quantity
    return quantity > most && ledger.orders.fillsOf(clientOrderId).includes(tradeId)
  }
}
