import { amountToText } from '../../domain/numbers/amount.ts'
import { type EndpointHandler, userOf } from '../incoming-call.ts'
import { isInside, transferWindow } from '../markets/history-window.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { JsonValue } from '../protocol/json-text.ts'
import { readPositiveAmount } from '../protocol/positive-amount.ts'
import type { RequestParameters } from '../protocol/request-parameters.ts'
import { type SimulatedTransferAccount, TRANSFER_ACCOUNTS } from './transfer-account.ts'
import type { SimulatedTransfer } from './transfers.ts'

/** POST /sapi/v1/asset/transfer */
export const transfer: EndpointHandler = call => {
  const { parameters, transfers, exchange } = call
  const coin = parameters.required('coinSymbol').toUpperCase()
  const amount = readPositiveAmount(parameters, 'amount')
  const from = readAccount(parameters, 'fromAccount')
  const to = readAccount(parameters, 'toAccount')
  if (from === to) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'toAccount')
  if (!transfers.accepts(coin)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'coinSymbol')
  const { id } = transfers.move(userOf(call).account, { from, to, coin, amount }, exchange.now)
  return success({ transferId: id })
}

/** POST /sapi/v1/asset/transferQuery: by id, else between two accounts in a window; newest first, a page at a time. */
export const transferQuery: EndpointHandler = call => {
  const { parameters } = call
  const page = Math.max(1, parameters.integer('page') ?? 1)
  const limit = parameters.limit(20, 100)
  const isMeant = readFilter(parameters, call.now)
  const coin = parameters.text('coinSymbol')?.toUpperCase()
  const found = [...call.transfers.of(userOf(call).account.uid)].filter(
    record => isMeant(record) && (coin === undefined || record.coin === coin),
  )
  return success({ list: found.slice((page - 1) * limit, page * limit).map(entryOf) })
}

function readFilter(parameters: RequestParameters, now: number): (transfer: SimulatedTransfer) => boolean {
  const transferId = parameters.text('transferId')
  if (transferId !== undefined) return ({ id }) => id === transferId
  const from = readAccount(parameters, 'fromAccount')
  const to = readAccount(parameters, 'toAccount')
  const window = transferWindow(parameters, now)
  return record => record.from === from && record.to === to && isInside(window, record.time)
}

function readAccount(parameters: RequestParameters, name: string): SimulatedTransferAccount {
  const text = parameters.required(name).toUpperCase()
  const account = TRANSFER_ACCOUNTS.find(known => known === text)
  if (account === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return account
}

function entryOf({ id, from, to, coin, amount, time, status }: SimulatedTransfer): JsonValue {
  return {
    transferId: id,
    fromAccount: from,
    toAccount: to,
    coinSymbol: coin,
    createTime: time,
    amount: amountToText(amount),
    status,
  }
}

function success(data: JsonValue): JsonValue {
  return { code: '0', msg: 'SUCCESS', data }
}
