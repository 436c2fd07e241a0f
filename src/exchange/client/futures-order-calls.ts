import type { CallOptions, EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import type { PlacedConditionOrder } from '../futures/condition-order.ts'
import type { FuturesHistoryOrder } from '../futures/futures-history-order.ts'
import type { FuturesOrder } from '../futures/futures-order.ts'
import {
  type ConditionPlacement,
  conditionOrderFields,
  type FuturesPlacement,
  futuresOrderFields,
} from '../futures/futures-placement.ts'
import type { FuturesProfit } from '../futures/futures-profit.ts'
import type { FuturesTrade } from '../futures/futures-trade.ts'
import type { VolumeUnits } from '../futures/volume-unit.ts'
import { oldestFirst } from '../wire/oldest-first.ts'

/** Page of a list of one contract. */
interface FuturesPage {
  readonly contractName: string
  /** 1 to 500, default 100. */
  readonly limit?: number
  /** First id of the page. */
  readonly fromId?: string
}

/** Filter of the profit list; times in ms UTC, both or none (then of all time). */
type FuturesProfitQuery = Omit<FuturesPage, 'contractName'> & {
  /** Default: all contracts. */
  readonly contractName?: string
} & (
    | { readonly startTime: number; readonly endTime: number }
    | { readonly startTime?: undefined; readonly endTime?: undefined }
  )

/** Futures orders and own trades (interface section 4.6), signed. */
export interface FuturesOrderCalls {
  /**
   * Places an order; resolves with its id. Throws `UnknownOutcomeError` if the order may still exist,
   * `NotSentError` if it certainly does not, and `UnitNotReadError` for a volume that the host, by its profile,
   * reads in another unit, or perhaps does.
   */
  placeOrder(placement: FuturesPlacement, options?: CallOptions): Promise<{ readonly orderId: string }>
  /** Places an order that waits for a trigger price. Throws as `placeOrder` does. */
  placeConditionOrder(placement: ConditionPlacement): Promise<PlacedConditionOrder>
  /** Cancels an open order. At most 20 in 2 s. Throws as `placeOrder` does. */
  cancelOrder(
    reference: { readonly contractName: string; readonly orderId: string },
    options?: CallOptions,
  ): Promise<{ readonly orderId: string }>
  /** Cancels every open order of every contract. Throws as `placeOrder` does. */
  cancelAllOrders(): Promise<void>
  /**
   * Details of the orders of a contract, oldest first. The interface document lacks the ids, but sibling
   * hosts accept them; with `orderId` only its orders are returned.
   */
  orders(query: {
    readonly contractName: string
    readonly orderId?: string
    readonly clientOrderId?: string
  }): Promise<readonly FuturesOrder[]>
  /** Open orders of one contract or of all, oldest first. */
  openOrders(query?: { readonly contractName?: string }): Promise<readonly FuturesOrder[]>
  /** Orders in any state, oldest first. */
  historyOrders(query: FuturesPage): Promise<readonly FuturesHistoryOrder[]>
  /** Realized profits of positions, oldest first. */
  historyProfits(query?: FuturesProfitQuery): Promise<readonly FuturesProfit[]>
  /** Own trades, oldest first; of a self-trade, the side that was booked first comes first. */
  myTrades(query: FuturesPage): Promise<readonly FuturesTrade[]>
}

/** Trading methods over `call`, with volumes in the units that the host reads. */
export function futuresOrderCalls(call: EndpointCall, units: VolumeUnits): FuturesOrderCalls {
  return {
    placeOrder: async (placement, options) =>
      call(ENDPOINTS.futuresNewOrder, futuresOrderFields(placement, units), options),
    placeConditionOrder: async placement =>
      call(ENDPOINTS.futuresConditionOrder, conditionOrderFields(placement, units)),
    cancelOrder: async (reference, options) => {
      const canceled = await call(ENDPOINTS.futuresCancel, named(reference), options)
      return { orderId: canceled?.orderId ?? reference.orderId }
    },
    cancelAllOrders: async () => void (await call(ENDPOINTS.futuresCancelAll, {})),
    ...futuresLists(call),
  }
}

/** The lists of orders and trades over `call`. */
export function futuresLists(
  call: EndpointCall,
): Pick<FuturesOrderCalls, 'orders' | 'openOrders' | 'historyOrders' | 'historyProfits' | 'myTrades'> {
  return {
    orders: async query => {
      const orders = await call(ENDPOINTS.futuresOrder, named(query))
      const { orderId } = query
      const found = orderId === undefined ? orders : orders.filter(order => order.orderId === orderId)
      return ordered(found, query)
    },
    openOrders: async query => ordered(await call(ENDPOINTS.futuresOpenOrders, named({ ...query })), query),
    historyOrders: async query => ordered(await call(ENDPOINTS.futuresOrderHistorical, named(query)), query),
    historyProfits: async query => {
      const profits = await call(ENDPOINTS.futuresProfitHistorical, named({ ...query }))
      return oldestFirst(profits, ({ createdTime, id }) => ({ time: createdTime, id }))
    },
    myTrades: async query => {
      const fields = named(query)
      const { contractName } = fields
      const trades = await call(ENDPOINTS.futuresMyTrades, fields)
      // The two sides of a self-trade share time and id: only their place in the list (newest first) shows
      // the order of booking.
      return oldestFirst(
        trades.toReversed().map(trade => ({ ...trade, contractName })),
        ({ time, id }) => ({ time, id }),
      )
    },
  }
}

interface Ordered {
  readonly time: number
  readonly orderId: string
  readonly contractName: string
}

/** Orders, oldest first; one without a contract is of the requested one. */
function ordered<Order extends Ordered>(
  orders: readonly Order[],
  { contractName = '' }: { readonly contractName?: string } = {},
): readonly Order[] {
  const requested = contractName.toUpperCase()
  const complete = orders.map(order => ({ ...order, contractName: order.contractName || requested }))
  return oldestFirst(complete, ({ time, orderId }) => ({ time, id: orderId }))
}

/** The query with its contract in the exchange's spelling. */
function named<Query extends { readonly contractName?: string }>(query: Query): Query {
  const { contractName } = query
  return contractName === undefined ? query : { ...query, contractName: contractName.toUpperCase() }
}
