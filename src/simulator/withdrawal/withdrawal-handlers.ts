import { utcText } from '../../domain/market-data/civil-date.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { type EndpointHandler, type IncomingCall, userOf } from '../incoming-call.ts'
import { isInside, withdrawalWindow } from '../markets/history-window.ts'
import { ApiError } from '../protocol/api-error.ts'
import { exactJsonNumber, type JsonValue } from '../protocol/json-text.ts'
import { readPositiveAmount } from '../protocol/positive-amount.ts'
import { type SimulatedWithdrawal, type SimulatedWithdrawalOrder, WITHDRAWAL_STATES } from './withdrawal.ts'

/** The interface has pages of undocumented length. */
const PAGE_LENGTH = 100

/** POST /sapi/v1/withdraw/apply */
export const withdrawApply: EndpointHandler = call => {
  const order = readOrder(call)
  const { id } = call.withdrawals.apply(userOf(call).account, order, call.exchange.now)
  return { code: '0', msg: 'success', data: { id } }
}

/** POST /sapi/v1/withdraw/query: newest first, a page at a time; `count` is of all pages. */
export const withdrawQuery: EndpointHandler = call => {
  const { parameters, withdrawals } = call
  const window = withdrawalWindow(parameters, call.now)
  const page = Math.max(1, parameters.integer('page') ?? 1)
  const symbol = parameters.text('symbol')?.toUpperCase()
  const [id, orderId] = [parameters.text('withdrawId'), parameters.text('withdrawOrderId')]
  const found = [...withdrawals.of(userOf(call).account.uid)].filter(
    record =>
      isInside(window, record.time) &&
      (symbol === undefined || record.symbol === symbol || record.asset === symbol) &&
      (id === undefined || String(record.id) === id) &&
      (orderId === undefined || record.orderId === orderId),
  )
  const withdrawList = found.slice((page - 1) * PAGE_LENGTH, page * PAGE_LENGTH).map(entryOf)
  return { code: '0', msg: 'success', data: { withdrawList, count: found.length } }
}

/** The optional `label`, a second part of the address, is ignored. */
function readOrder({ parameters, withdrawals, exchange }: IncomingCall): SimulatedWithdrawalOrder {
  const { settings } = withdrawals
  const orderId = parameters.required('withdrawOrderId')
  const amount = readPositiveAmount(parameters, 'amount')
  const address = parameters.required('address')
  const symbol = (parameters.text('symbol') ?? settings.defaultSymbol).toUpperCase()
  const asset = settings.chains[symbol] ?? symbol
  const isKnown = exchange.markets.some(
    ({ instrument: { base, quote } }) => asset === base || asset === quote,
  )
  if (!isKnown) throw new ApiError('BAD_SYMBOL')
  const [least, most] = [settings.minima[asset], settings.maxima[asset]]
  if (least !== undefined && amount < least) {
    throw new ApiError('ORDER_QUANTITY_TOO_SMALL', amountToText(least))
  }
  if (most !== undefined && amount > most) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'amount')
  return { orderId, symbol, asset, amount, fee: withdrawals.feeOf(asset), address }
}

function entryOf(withdrawal: SimulatedWithdrawal): JsonValue {
  const { symbol, amount, address, orderId, fee, time, id, paidAt, status, info } = withdrawal
  return {
    symbol,
    amount: exactJsonNumber(amountToText(amount)),
    address,
    withdrawOrderId: orderId,
    fee: exactJsonNumber(amountToText(fee)),
    ctime: time,
    txId: paidAt === undefined ? '' : `${id}_${utcText(paidAt).replace(/\D/g, '').slice(0, 14)}`,
    id,
    applyTime: paidAt ?? null,
    status: WITHDRAWAL_STATES.indexOf(status),
    info,
  }
}
