import type { MarginMode } from '../../domain/futures-terms.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import { ExchangeError, isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import type { FuturesHistoryOrder } from '../../exchange/futures/futures-history-order.ts'
import type { FuturesOrder } from '../../exchange/futures/futures-order.ts'
import type { FuturesPlacement } from '../../exchange/futures/futures-placement.ts'
import type { FuturesTrade } from '../../exchange/futures/futures-trade.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import type { Likeness, Placement, TradingCalls } from './trading-calls.ts'

/** A traded contract and its margin mode. */
export interface TradedContract {
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  readonly quote: string
  readonly marginMode: MarginMode
}

/** Largest number of entries of a futures list (interface section 8). */
const LIST_LIMIT = 500

/**
 * Orders of contracts by the futures endpoints. An order without an answer to its placement is searched by
 * its clientOrderId in the order details and in the history. The interface's open orders carry no
 * clientOrderIds, so that a resting order is identified by its fields: two own orders with equal fields are
 * interchangeable.
 */
export class FuturesTrading implements TradingCalls {
  readonly #client: FuturesClient
  readonly #contracts: ReadonlyMap<string, TradedContract>
  readonly #symbols: ReadonlyMap<string, string>

  /** Contracts by symbol, `BASE/QUOTE`. */
  constructor(client: FuturesClient, contracts: ReadonlyMap<string, TradedContract>) {
    this.#client = client
    this.#contracts = contracts
    this.#symbols = new Map([...contracts].map(([symbol, { contractName }]) => [contractName, symbol]))
  }

  readonly placeOrder: TradingCalls['placeOrder'] = (placement, options) =>
    this.#client.placeOrder(futuresPlacementOf(this.#contractOf(placement.symbol), placement), options)

  readonly cancelOrder: TradingCalls['cancelOrder'] = ({ symbol, orderId }, options) =>
    this.#client.cancelOrder({ contractName: this.#contractOf(symbol).contractName, orderId }, options)

  readonly order: TradingCalls['order'] = async looked => {
    const { contractName } = this.#contractOf(looked.symbol)
    const found =
      'orderId' in looked
        ? await this.#byOrderId(contractName, looked.orderId)
        : await this.#byClientOrderId(contractName, looked.clientOrderId, looked.likeness)
    if (found !== undefined) return found
    throw new ExchangeError({
      endpoint: 'futuresOrder',
      httpStatus: 200,
      exchangeCode: NO_SUCH_ORDER,
      reason: 'No list of the contract has the order.',
    })
  }

  readonly openOrders: TradingCalls['openOrders'] = async ({ symbol }) => {
    const { contractName } = this.#contractOf(symbol)
    return (await this.#client.openOrders({ contractName })).map(order => this.#orderOf(order))
  }

  readonly allHistoryOrders: TradingCalls['allHistoryOrders'] = ({ symbol, from }) =>
    this.#historyOrders(this.#contractOf(symbol).contractName, from)

  readonly myTrades: TradingCalls['myTrades'] = async ({ symbol, limit = LIST_LIMIT, ...range }) => {
    const { contractName } = this.#contractOf(symbol)
    const page = { contractName, limit: Math.min(limit, LIST_LIMIT), ...range }
    return (await this.#client.myTrades(page)).map(trade => this.#tradeOf(trade))
  }

  readonly allMyTrades: TradingCalls['allMyTrades'] = ({ symbol, fromId }) =>
    this.#trades(this.#contractOf(symbol).contractName, 0, fromId)

  readonly allHistoryTrades: TradingCalls['allHistoryTrades'] = ({ symbol, from }) =>
    this.#trades(this.#contractOf(symbol).contractName, from)

  async #byOrderId(contractName: string, orderId: string): Promise<SpotOrder | undefined> {
    const [detailed] = await this.#details({ contractName, orderId })
    return detailed && this.#orderOf(detailed)
  }

  async #byClientOrderId(
    contractName: string,
    clientOrderId: string,
    likeness: Likeness,
  ): Promise<SpotOrder | undefined> {
    const isIt = (order: FuturesOrder | FuturesHistoryOrder) => order.clientOrderId === clientOrderId
    const detailed = (await this.#details({ contractName, clientOrderId })).find(isIt)
    if (detailed !== undefined) return this.#orderOf(detailed)
    const past = (await this.#past(contractName)).find(isIt)
    if (past !== undefined) return this.#orderOf(past)
    const alike = (await this.#client.openOrders({ contractName })).find(order => isLike(order, likeness))
    return alike && { ...this.#orderOf(alike), clientOrderId }
  }

  /** Past orders; none if the exchange does not list them, and an order is then searched by other evidence. */
  async #past(contractName: string): Promise<readonly FuturesHistoryOrder[]> {
    try {
      return await this.#client.historyOrders({ contractName, limit: LIST_LIMIT })
    } catch (error) {
      if (isNotOffered(error)) return []
      throw error
    }
  }

  /** Details of orders; some hosts answer with an error if they find none. */
  async #details(query: Parameters<FuturesClient['orders']>[0]): Promise<readonly FuturesOrder[]> {
    try {
      return await this.#client.orders(query)
    } catch (error) {
      if (isOrderNotFound(error)) return []
      throw error
    }
  }

  async *#historyOrders(contractName: string, from: number): AsyncGenerator<SpotOrder, void, undefined> {
    for await (const order of this.#client.allHistoryOrders({ contractName }))
      if (order.time >= from) yield this.#orderOf(order)
  }

  async *#trades(
    contractName: string,
    from: number,
    fromId?: string,
  ): AsyncGenerator<OwnTrade, void, undefined> {
    const range = { contractName, ...(fromId !== undefined && { fromId }) }
    for await (const trade of this.#client.allMyTrades(range))
      if (trade.time >= from) yield this.#tradeOf(trade)
  }

  #orderOf(order: FuturesOrder | FuturesHistoryOrder): SpotOrder {
    return {
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      symbol: this.#symbolOf(order.contractName),
      side: order.side,
      type: order.type,
      status: order.status,
      price: order.price,
      triggerPrice: undefined,
      ordered: { quantity: order.orderedVolume },
      executedQuantity: order.executedVolume,
      averagePrice: order.averagePrice,
      isWorking: undefined,
      time: order.time,
    }
  }

  /** Fees of contracts are paid in quote. */
  #tradeOf(trade: FuturesTrade): OwnTrade {
    const symbol = this.#symbolOf(trade.contractName)
    const { bidUserId, askUserId } = trade
    return {
      ...{ id: trade.id, orderId: trade.orderId, bidId: trade.bidId, askId: trade.askId, symbol },
      ...{ side: trade.side, liquidity: trade.liquidity, price: trade.price, quantity: trade.volume },
      ...{ fee: trade.fee, feeAsset: this.#contractOf(symbol).quote, time: trade.time, bidUserId, askUserId },
      isSelfTrade: bidUserId !== undefined && bidUserId === askUserId,
    }
  }

  #contractOf(symbol: string): TradedContract {
    const contract = this.#contracts.get(symbol)
    if (contract === undefined) throw new InvariantError(`No contract has the symbol ${symbol}.`)
    return contract
  }

  /** Contracts that are not traded keep their name. */
  #symbolOf(contractName: string): string {
    return this.#symbols.get(contractName) ?? contractName
  }
}

const NO_SUCH_ORDER = -2013

/** Placement of an entry or an exit; whole contracts. */
function futuresPlacementOf(
  { contractName, marginMode }: TradedContract,
  placement: Placement,
): FuturesPlacement {
  const { type, side, clientOrderId, reduceOnly } = placement
  if (type === 'stop' || !('quantity' in placement))
    throw new InvariantError(
      `An order of ${contractName} is sent as a limit order or a market order of contracts.`,
    )
  const common = {
    ...{ contractName, side, contracts: placement.quantity, positionType: marginMode },
    action: reduceOnly ? 'close' : 'open',
    ...(clientOrderId !== undefined && { clientOrderId }),
  } as const
  return type === 'market' ? { ...common, type } : { ...common, type, price: placement.price }
}

function isLike(
  order: FuturesOrder,
  { side, quantity, price, reduceOnly, since, isAnother }: Likeness,
): boolean {
  return (
    order.side === side &&
    order.orderedVolume.equals(quantity) &&
    price !== undefined &&
    order.price?.equals(price) === true &&
    order.action === (reduceOnly ? 'close' : 'open') &&
    order.clientOrderId === undefined &&
    order.time >= since - LIST_TIME_SLACK_MS &&
    !isAnother(order.orderId)
  )
}

/** Tolerance of times in the exchange's list before our estimate, ms. */
const LIST_TIME_SLACK_MS = 1000
