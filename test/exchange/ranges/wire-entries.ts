import type { Entry } from './history-server.ts'

/** A spot order of the v3 list. */
export function wireOrder({ id, time }: Entry) {
  return {
    orderId: String(id),
    symbol: 'BTCUSDT',
    price: '1',
    origQty: '2',
    executedQty: '0',
    avgPrice: '0',
    type: 'LIMIT',
    side: 'BUY',
    status: 'NEW',
    time: String(time),
  }
}

/** An own trade on spot or margin. */
export function wireTrade({ id, time }: Entry, isBuyer = true) {
  return {
    symbol: 'BTCUSDT',
    id: String(id),
    bidId: '1',
    askId: '2',
    price: '1',
    qty: '2',
    time,
    isBuyer,
    isMaker: false,
    feeCoin: 'USDT',
    fee: '0.1',
  }
}

/** A withdrawal on record. */
export function wireWithdrawal({ id, time }: Entry) {
  return {
    id: String(id),
    symbol: 'TUSDT',
    amount: '1',
    fee: '0',
    address: 'a',
    status: 5,
    ctime: time,
  }
}

/** A kline. */
export function wireKline(openTime: number) {
  return { idx: openTime, open: '1', high: '1', low: '1', close: '1', vol: '1' }
}
