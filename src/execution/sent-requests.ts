import type { OthersTrade } from '../domain/events/engine-event.ts'
import type { EngineOutput } from '../domain/events/engine-output.ts'
import type { Steps } from '../domain/numbers/grid.ts'
import type { CancelCause } from '../domain/orders/cancel-cause.ts'
import { wholeId } from '../domain/orders/order-parts.ts'

/** The order of a placement request. */
export interface SentOrder {
  /** Decimal text, in the instrument's own unit. */
  readonly quantity: string
  /** Decimal text; `undefined` at market. */
  readonly price?: string | undefined
}

/** Best prices that were known when a request left, quote per base. */
export interface SentQuote {
  readonly bid: number
  readonly ask: number
}

/** A placing or canceling request, recorded right before it is sent. */
export interface SentRequest {
  readonly action: 'place' | 'cancel'
  readonly clientOrderId: string
  readonly symbol: string
  /** Server time, ms UTC. */
  readonly timestamp: number
  /** Time after `timestamp` within which the exchange may accept it, ms. */
  readonly recvWindowMs: number
  /** Steps of this part of an order; absent for a whole order. */
  readonly quantity?: Steps
  /** Of a placement: its order. Absent in older journals. */
  readonly sent?: SentOrder | undefined
  /** Of a placement, for the comparison with a backtest. Absent before the first quote, and in older journals. */
  readonly quote?: SentQuote | undefined
}

/** All own trades of a symbol up to this id have been processed. */
export interface TradesSeen {
  readonly type: 'tradesSeen'
  readonly symbol: string
  readonly tradeId: string
  /**
   * Of a contract. `true`: others traded it, which may have changed the entry price of its position. `false`: the entry
   * prices of exchange and ledger agree again.
   */
  readonly othersTraded?: boolean
}

/** Transactions of a futures account covered by the ledger. */
export interface TransactionsSeen {
  readonly type: 'transactionsSeen'
  /** Start of the covered time, ms UTC; older transactions were in the opening balance. */
  readonly since: number
  /** Time at which ledger and account last agreed, ms UTC. */
  readonly until: number
  /** Ids of adopted transfers, as far as they may still be listed. */
  readonly moved: readonly string[]
}

/** A payment of funding that is booked. */
export interface BookedFunding {
  /** The exchange's id. */
  readonly id: string
  /** ms UTC. */
  readonly time: number
}

/** An order that the engine wants canceled, with the reason. */
export interface Unwanted {
  readonly clientOrderId: string
  readonly cause?: CancelCause | undefined
}

/** Pending requests, as plain data. */
export interface SentRequestsState {
  readonly placed: readonly SentRequest[]
  readonly unwanted: readonly Unwanted[]
  readonly tradesSeen: readonly (readonly [symbol: string, tradeId: string])[]
  /** Only of a margin account. */
  readonly othersTrades?: readonly OthersTrade[]
  /** Only of a futures account. */
  readonly transactionsSeen?: TransactionsSeen | undefined
  readonly fundings?: readonly BookedFunding[]
  /** Contracts that others traded since their entry prices agreed; absent without any. */
  readonly tradedByOthers?: readonly string[]
}

/** Largest delay of a payment's listing after its time, ms. */
export const LATE_LISTING_MS = 3_600_000

/**
 * State of execution beyond the ledger, for the restart after a crash: the orders that were sent, those to be
 * canceled, and the last processed own trade. A placement is on disk before it is sent, so an order not
 * listed here was never sent.
 */
export class SentRequests {
  readonly #placed = new Map<string, SentRequest>()
  readonly #unwanted = new Map<string, Unwanted>()
  readonly #tradesSeen = new Map<string, string>()
  #othersTrades: readonly OthersTrade[] = []
  readonly #tradedByOthers = new Set<string>()
  #transactionsSeen: TransactionsSeen | undefined
  #fundings: readonly BookedFunding[] = []

  /** The sent placements of an order, or of its parts. */
  placed(clientOrderId: string): readonly SentRequest[] {
    const whole = this.#placed.get(clientOrderId)
    if (whole !== undefined) return [whole]
    return [...this.#placed.values()].filter(
      sentRequest => wholeId(sentRequest.clientOrderId) === clientOrderId,
    )
  }

  /** The engine's request to cancel an order, if there was one. */
  unwanted(clientOrderId: string): Unwanted | undefined {
    return this.#unwanted.get(clientOrderId)
  }

  /** The last processed own trade of a symbol; `undefined` before any look. */
  lastTradeOf(symbol: string): string | undefined {
    return this.#tradesSeen.get(symbol)
  }

  /** Covered transactions of the futures account; `undefined` before any look. */
  get transactionsSeen(): TransactionsSeen | undefined {
    return this.#transactionsSeen
  }

  /** True if others traded a contract since exchange and ledger agreed on the entry price of its position. */
  wasTradedByOthers(symbol: string): boolean {
    return this.#tradedByOthers.has(symbol)
  }

  /** True if a funding payment is booked. */
  hasFunding(id: string): boolean {
    return this.#fundings.some(funding => funding.id === id)
  }

  /** True if a foreign trade is booked. */
  hasOthersTrade({ symbol, tradeId, orderId }: OthersTrade): boolean {
    return this.#othersTrades.some(
      one => one.tradeId === tradeId && one.symbol === symbol && one.orderId === orderId,
    )
  }

  /** Records a booked foreign trade. */
  noteOthersTrade(trade: OthersTrade): void {
    this.#othersTrades = [...this.#othersTrades, trade]
  }

  /** Records a booked funding payment. */
  noteFunding(funding: BookedFunding): void {
    this.#fundings = [...this.#fundings, funding]
  }

  /**
   * Records the processed transactions of the futures account; payments too old to be listed again are
   * dropped.
   */
  observeTransactions(seen: TransactionsSeen): void {
    this.#transactionsSeen = seen
    this.#fundings = this.#fundings.filter(({ time }) => time >= seen.until - LATE_LISTING_MS)
  }

  /** Records the cancels among the engine's commands. */
  observe(outputs: readonly EngineOutput[]): void {
    for (const output of outputs) {
      if (output.type !== 'cancelOrder') continue
      const { clientOrderId, cause } = output
      const known = this.#unwanted.get(clientOrderId)
      this.#unwanted.set(clientOrderId, { clientOrderId, cause: known?.cause ?? cause })
    }
  }

  /** Records a request before it is sent. */
  add(sentRequest: SentRequest): void {
    if (sentRequest.action === 'place') this.#placed.set(sentRequest.clientOrderId, sentRequest)
  }

  /** Records the processed own trades; foreign ones among them are not examined again. */
  observeTrades({ symbol, tradeId, othersTraded }: TradesSeen): void {
    this.#tradesSeen.set(symbol, tradeId)
    if (othersTraded === true) this.#tradedByOthers.add(symbol)
    if (othersTraded === false) this.#tradedByOthers.delete(symbol)
    if (this.#othersTrades.length > 0)
      this.#othersTrades = this.#othersTrades.filter(
        one => one.symbol !== symbol || BigInt(one.tradeId) > BigInt(tradeId),
      )
  }

  /** Drops all orders except those that may still work. */
  forgetOver(isWorking: (clientOrderId: string) => boolean): void {
    for (const id of this.#placed.keys()) if (!isWorking(wholeId(id))) this.#placed.delete(id)
    for (const id of this.#unwanted.keys()) if (!isWorking(id)) this.#unwanted.delete(id)
  }

  /** The state as plain data. */
  snapshot(): SentRequestsState {
    return {
      placed: [...this.#placed.values()],
      unwanted: [...this.#unwanted.values()],
      tradesSeen: [...this.#tradesSeen],
      ...(this.#othersTrades.length > 0 && { othersTrades: this.#othersTrades }),
      ...(this.#tradedByOthers.size > 0 && { tradedByOthers: [...this.#tradedByOthers] }),
      ...(this.#transactionsSeen !== undefined && {
        transactionsSeen: this.#transactionsSeen,
        fundings: this.#fundings,
      }),
    }
  }

  restore({ placed, unwanted, tradesSeen, ...state }: SentRequestsState): void {
    this.#transactionsSeen = state.transactionsSeen
    this.#fundings = state.fundings ?? []
    this.#othersTrades = state.othersTrades ?? []
    for (const symbol of state.tradedByOthers ?? []) this.#tradedByOthers.add(symbol)
    for (const sentRequest of placed) this.#placed.set(sentRequest.clientOrderId, sentRequest)
    for (const one of unwanted) this.#unwanted.set(one.clientOrderId, one)
    for (const [symbol, tradeId] of tradesSeen) this.#tradesSeen.set(symbol, tradeId)
  }
}
