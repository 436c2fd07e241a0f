import type { EndpointHandler } from '../../incoming-call.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { RequestParameters } from '../../protocol/request-parameters.ts'
import { TRANSACTION_CODES, type Transaction } from '../transaction.ts'
import { accountOf } from './futures-call.ts'
import { done, exactNumberOf, otherName, wireTime } from './wire-value.ts'

/** Largest and usual page. */
const PAGE = 200

/** POST /fapi/v1/get_user_transaction: newest first; only the main account exists (assetType 0). */
export const userTransactions: EndpointHandler = call => {
  const { parameters } = call
  const [from, to] = [requiredTime(parameters, 'beginTime'), requiredTime(parameters, 'endTime')]
  const coin = parameters.required('symbol').toUpperCase()
  const [page, limit] = [Math.max(1, parameters.integer('page') ?? 1), parameters.limit(PAGE, PAGE)]
  const type = parameters.text('type')
  const found = accountOf(call)
    .transactions.newestFirst()
    .filter(({ time }) => time >= from && time <= to)
    .filter(transaction => transaction.coin === coin && (parameters.integer('assetType') ?? 0) === 0)
    .filter(transaction => type === undefined || String(TRANSACTION_CODES[transaction.type]) === type)
    .toArray()
  const transList = found.slice((page - 1) * limit, page * limit).map(transactionEntry)
  return done({ page, limit, count: found.length, transList })
}

function requiredTime(parameters: RequestParameters, name: string): number {
  const time = parameters.integer(name)
  if (time === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return time
}

function transactionEntry(transaction: Transaction) {
  const { id, type, contract, time, amount, afterBalance } = transaction
  return {
    id,
    contractOtherName: contract === undefined ? '' : otherName(contract),
    ctimeMillis: time,
    type: String(TRANSACTION_CODES[type]),
    ctime: wireTime(time),
    amount: exactNumberOf(amount),
    afterBalance: exactNumberOf(afterBalance),
    scene: TRANSACTION_CODES[type],
  }
}
