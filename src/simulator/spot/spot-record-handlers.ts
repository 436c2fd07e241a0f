import type { Instrument } from '../../domain/instrument.ts'
import { type EndpointHandler, type IncomingCall, userOf } from '../incoming-call.ts'
import { isInside, orderWindow } from '../markets/history-window.ts'
import { orderIdOf } from './find-order.ts'
import type { OrderHistory } from './order-history.ts'
import type { SimulatedOwnTrade } from './own-trade.ts'
import type { SimulatedSpotOrder } from './spot-order.ts'
import { listedOrder, tradeEntry, tradeUsers } from './wire-order.ts'

/** GET /sapi/v2/openOrders, newest first; without a symbol those of all. */
export const openOrders: EndpointHandler = call =>
  chosenOpenOrders(call, userOf(call).history).map(listedOrder)

/** GET /sapi/v3/historyOrders: every order that was placed in the window, open ones included, newest first. */
export const historyOrders: EndpointHandler = call => {
  const { parameters, now } = call
  const window = orderWindow(parameters, now)
  const instrument = optionalInstrument(call)
  return userOf(call)
    .history.orders.filter(order => instrument === undefined || order.instrument === instrument)
    .filter(({ time }) => isInside(window, time))
    .slice(0, parameters.limit(50, 100))
    .map(listedOrder)
}

/** GET /sapi/v2/myTrades, newest first; with `fromId` the first `limit` trades from that id on. */
export const myTrades: EndpointHandler = call =>
  chosenTrades(call, userOf(call).history).map(trade => ({ ...tradeEntry(trade), ...tradeUsers(trade) }))

/** GET /sapi/v3/myTrades: the trades of the window, newest first; their symbol is BASE/QUOTE. */
export const historyTrades: EndpointHandler = call => {
  const { parameters, now } = call
  const window = orderWindow(parameters, now)
  const instrument = optionalInstrument(call)
  return userOf(call)
    .history.trades()
    .filter(({ order }) => instrument === undefined || order.instrument === instrument)
    .filter(({ execution }) => isInside(window, execution.time))
    .take(parameters.limit(50, 100))
    .map(trade => ({
      ...tradeEntry(trade),
      ...tradeUsers(trade),
      symbol: trade.order.instrument.symbol,
    }))
    .toArray()
}

/** The open orders selected by a call. */
export function chosenOpenOrders(call: IncomingCall, history: OrderHistory): readonly SimulatedSpotOrder[] {
  const instrument = optionalInstrument(call)
  return history.openOrders
    .filter(order => instrument === undefined || order.instrument === instrument)
    .slice(0, call.parameters.limit(100, 1000))
}

/** The own trades of one market selected by a call. */
export function chosenTrades(
  { exchange, parameters }: IncomingCall,
  history: OrderHistory,
): SimulatedOwnTrade[] {
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const limit = parameters.limit(100, 1000)
  const fromText = parameters.text('fromId')
  const all = history.trades().filter(({ order }) => order.instrument === instrument)
  if (fromText === undefined) return all.take(limit).toArray()
  const fromId = orderIdOf(fromText, 'fromId')
  return all
    .filter(({ execution }) => BigInt(execution.id) >= fromId)
    .toArray()
    .slice(-limit)
}

function optionalInstrument({ exchange, parameters }: IncomingCall): Instrument | undefined {
  const symbol = parameters.text('symbol')
  return symbol === undefined ? undefined : exchange.marketOf(symbol).instrument
}
