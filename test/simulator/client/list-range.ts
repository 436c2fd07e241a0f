import type { EndpointKey } from '../../../src/exchange/endpoints.ts'
import type { ExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { type Entry, NOW, type Query } from '../../exchange/ranges/history-server.ts'
import { wireOrder, wireTrade, wireWithdrawal } from '../../exchange/ranges/wire-entries.ts'
import type { FuturesCaller } from '../futures/futures-caller.ts'

const [symbol, contractName] = ['BTC/USDT', 'E-BTC-USDT']
const DAY = 86_400_000
/** After everything the accounts begin with. */
const FROM = NOW - 171 * DAY

/** A list that the client reads whole, page by page. */
export interface ListRange {
  readonly name: string
  readonly endpoint: EndpointKey
  readonly read: (client: ExchangeClient) => AsyncIterable<unknown>
  /** Where an item has its id. */
  readonly id: string
  /** Brings one more entry about, at the caller's time. */
  readonly enter: (caller: FuturesCaller, index: number) => void
  /** A page of entries (oldest first) as an exchange without a state answers it. */
  readonly serve: (entries: readonly Entry[], query: Query) => unknown
}

/** The newest of a window, newest first. */
function inWindow(entries: readonly Entry[], { startTime, endTime, limit }: Query): readonly Entry[] {
  return entries
    .filter(({ time }) => time >= Number(startTime) && time <= Number(endTime))
    .toReversed()
    .slice(0, Number(limit ?? entries.length))
}

/** The oldest from an id on, newest first; without one the newest. */
function fromId(entries: readonly Entry[], { fromId, limit }: Query): readonly Entry[] {
  const count = Number(limit)
  if (fromId === undefined) return entries.slice(-count).toReversed()
  return entries
    .filter(({ id }) => id >= BigInt(fromId))
    .slice(0, count)
    .toReversed()
}

function page(entries: readonly Entry[], query: Query, length: number) {
  const { limit: _, ...window } = query
  const all = inWindow(entries, window)
  const first = (Number(query.page ?? 1) - 1) * length
  return { items: all.slice(first, first + length), count: all.length }
}

const enveloped = (data: unknown) => ({ code: '0', msg: 'SUCCESS', data })

const sell = (path: string) => (caller: FuturesCaller) =>
  void caller.post(path, { symbol, side: 'SELL', type: 'MARKET', volume: 0.2 })
const transfer = (caller: FuturesCaller) =>
  void caller.post('/sapi/v1/asset/transfer', {
    ...{ coinSymbol: 'USDT', amount: 1, fromAccount: 'EXCHANGE', toAccount: 'FUTURE' },
  })
const buyContracts = (caller: FuturesCaller) => void caller.order('BUY', 'OPEN', 'MARKET', 1)

const futuresOrder = ({ id, time }: Entry) => ({
  ...{ orderId: String(id), clientId: '0', ctimeMs: time, contractId: 1, contractName, side: 'BUY' },
  ...{ openOrClose: 'OPEN', positionType: 1, leverageLevel: 1, type: 2, status: 2, volume: 1 },
  ...{ dealVolume: 1, dealMoney: 1, avgPrice: 1, price: 0, openTakerFeeRate: 0, openMakerFeeRate: 0 },
  ...{ closeTakerFeeRate: 0, closeMakerFeeRate: 0 },
})
const futuresProfit = ({ id, time }: Entry) => ({
  ...{ id: String(id), contractId: 1, side: 'BUY', positionType: 1, leverageLevel: 1, volume: 1 },
  ...{ openPrice: 1, openEndPrice: 1, tradeFee: 0, capitalFee: 0, realizedAmount: 0, closeProfit: 0 },
  ...{ settleProfit: 0, shareAmount: 0, historyRealizedAmount: 0, ctime: time, mtime: time },
})
const futuresTrade = ({ id, time }: Entry) => ({
  ...{ tradeId: String(id), bidId: '1', askId: '2', price: 1, qty: 1, amount: 1, time, fee: 0 },
  ...{ side: 'BUY', contractName, isMaker: false, isBuyer: true, bidUserId: 1, askUserId: 2 },
})

/** Every range of the client but those of klines. */
export const LIST_RANGES: readonly ListRange[] = [
  {
    ...{ name: 'spot.allHistoryOrders', endpoint: 'spotHistoryOrders', id: 'orderId' },
    read: ({ spot }) => spot.allHistoryOrders({ symbol }),
    enter: sell('/sapi/v2/order'),
    serve: (entries, query) => inWindow(entries, query).map(wireOrder),
  },
  {
    ...{ name: 'spot.allHistoryTrades', endpoint: 'spotMyTradesV3', id: 'id' },
    read: ({ spot }) => spot.allHistoryTrades({ symbol }),
    enter: sell('/sapi/v2/order'),
    serve: (entries, query) => inWindow(entries, query).map(entry => wireTrade(entry)),
  },
  {
    ...{ name: 'spot.allMyTrades', endpoint: 'spotMyTradesV2', id: 'id' },
    read: ({ spot }) => spot.allMyTrades({ symbol }),
    enter: sell('/sapi/v2/order'),
    serve: (entries, query) => fromId(entries, query).map(entry => wireTrade(entry)),
  },
  {
    ...{ name: 'margin.allMyTrades', endpoint: 'marginMyTrades', id: 'id' },
    read: ({ margin }) => margin.allMyTrades({ symbol }),
    enter: sell('/sapi/v2/margin/order'),
    serve: (entries, query) => fromId(entries, query).map(entry => wireTrade(entry)),
  },
  {
    ...{ name: 'account.allTransfers', endpoint: 'assetTransferQuery', id: 'transferId' },
    read: ({ account }) => account.allTransfers({ from: 'spot', to: 'futures', startTime: FROM }),
    enter: transfer,
    serve: (entries, query) => {
      const list = page(entries, query, Number(query.limit)).items.map(({ id, time }) => ({
        ...{ transferId: String(id), fromAccount: 'EXCHANGE', toAccount: 'FUTURE', coinSymbol: 'USDT' },
        ...{ amount: '1', status: 'SUCCESS', createTime: time },
      }))
      return enveloped({ list })
    },
  },
  {
    ...{ name: 'account.allWithdrawals', endpoint: 'withdrawQuery', id: 'id' },
    read: ({ account }) => account.allWithdrawals({ from: FROM }),
    enter: (caller, index) =>
      void caller.post('/sapi/v1/withdraw/apply', {
        ...{ withdrawOrderId: `w${index}`, amount: '1', address: 'a', symbol: 'USDT' },
      }),
    serve: (entries, query) => {
      const { items, count } = page(entries, query, 100)
      return enveloped({ withdrawList: items.map(wireWithdrawal), count })
    },
  },
  {
    ...{ name: 'futures.allHistoryOrders', endpoint: 'futuresOrderHistorical', id: 'orderId' },
    read: ({ futures }) => futures.allHistoryOrders({ contractName }),
    enter: buyContracts,
    serve: (entries, query) => fromId(entries, query).map(futuresOrder),
  },
  {
    ...{ name: 'futures.allHistoryProfits', endpoint: 'futuresProfitHistorical', id: 'id' },
    read: ({ futures }) => futures.allHistoryProfits({ contractName }),
    enter: caller => {
      buyContracts(caller)
      caller.order('SELL', 'CLOSE', 'MARKET', 1)
    },
    serve: (entries, query) => fromId(entries, query).map(futuresProfit),
  },
  {
    ...{ name: 'futures.allMyTrades', endpoint: 'futuresMyTrades', id: 'id' },
    read: ({ futures }) => futures.allMyTrades({ contractName }),
    enter: buyContracts,
    serve: (entries, query) => fromId(entries, query).map(futuresTrade),
  },
  {
    ...{ name: 'futures.allTransactions', endpoint: 'futuresTransactions', id: 'id' },
    read: ({ futures }) => futures.allTransactions({ marginCoin: 'USDT', from: FROM, type: 'transferIn' }),
    enter: transfer,
    serve: (entries, { beginTime, ...query }) => {
      const { items, count } = page(entries, { ...query, startTime: beginTime }, Number(query.limit))
      const transList = items.map(({ id, time }) => ({
        ...{ id: String(id), type: 1, amount: '1', afterBalance: '1', ctimeMillis: time },
      }))
      return enveloped({ transList, count })
    },
  },
]
