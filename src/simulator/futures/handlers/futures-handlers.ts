import type { EndpointKey } from '../../../exchange/endpoints.ts'
import type { EndpointHandler } from '../../incoming-call.ts'
import { futuresAccount } from './futures-account-handlers.ts'
import { contractsFeed, orderBookFeed } from './futures-feed-handlers.ts'
import {
  cancelAll,
  cancelFuturesOrder,
  newConditionOrder,
  placeFuturesOrder,
} from './futures-order-handlers.ts'
import {
  allTickers,
  contracts,
  futuresDepth,
  futuresIndex,
  futuresKlines,
  futuresPing,
  futuresTicker,
  futuresTime,
} from './futures-public-handlers.ts'
import {
  myFuturesTrades,
  openFuturesOrders,
  orderHistory,
  profitHistory,
  queryFuturesOrder,
} from './futures-record-handlers.ts'
import {
  editLeverage,
  editMarginModel,
  editPositionMargin,
  editPositionModel,
} from './futures-setting-handlers.ts'
import { userTransactions } from './transaction-handlers.ts'

/** The futures rows of the table of endpoints (interface sections 4.5 to 4.8). */
export const FUTURES_HANDLERS: Readonly<Partial<Record<EndpointKey, EndpointHandler>>> = {
  futuresPing,
  futuresTime,
  futuresContracts: contracts,
  futuresDepth,
  futuresTicker,
  futuresTickerAll: allTickers,
  futuresIndex,
  futuresKlines,
  futuresNewOrder: placeFuturesOrder,
  futuresConditionOrder: newConditionOrder,
  futuresCancel: cancelFuturesOrder,
  futuresCancelAll: cancelAll,
  futuresOrder: queryFuturesOrder,
  futuresOpenOrders: openFuturesOrders,
  futuresOrderHistorical: orderHistory,
  futuresProfitHistorical: profitHistory,
  futuresMyTrades: myFuturesTrades,
  futuresEditPositionModel: editPositionModel,
  futuresEditMarginModel: editMarginModel,
  futuresEditPositionMargin: editPositionMargin,
  futuresEditLever: editLeverage,
  futuresAccount,
  futuresTransactions: userTransactions,
  feedContracts: contractsFeed,
  feedContractBook: orderBookFeed,
}
