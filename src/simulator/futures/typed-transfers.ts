import { amountToText } from '../../domain/numbers/amount.ts'
import { type EndpointHandler, userOf } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import { exactJsonNumber, type JsonValue } from '../protocol/json-text.ts'
import { readPositiveAmount } from '../protocol/positive-amount.ts'
import type { RequestParameters } from '../protocol/request-parameters.ts'
import type { SimulatedTransferAccount } from '../transfer/transfer-account.ts'
import type { SimulatedTransfer } from '../transfer/transfers.ts'
import { done } from './handlers/wire-value.ts'

/** Transfers with their direction as one word. */
const ENDS_OF_TYPE = {
  wallet_to_contract: ['EXCHANGE', 'FUTURE'],
  contract_to_wallet: ['FUTURE', 'EXCHANGE'],
} as const satisfies Record<string, readonly [from: SimulatedTransferAccount, to: SimulatedTransferAccount]>

/** Moves money between the spot and the futures account, in the direction that `transferType` names. */
export const moveByType: EndpointHandler = call => {
  const { parameters, transfers, exchange } = call
  const [from, to] = readEnds(parameters)
  const coin = parameters.required('coinSymbol').toUpperCase()
  const amount = readPositiveAmount(parameters, 'amount')
  if (!transfers.accepts(coin)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'coinSymbol')
  transfers.move(userOf(call).account, { from, to, coin, amount }, exchange.now)
  return done()
}

/** The transfers of a user, newest first, a page at a time; of one direction, one coin and a window where they are named. */
export const movesByType: EndpointHandler = call => {
  const { parameters } = call
  const ends = parameters.text('transferType') === undefined ? undefined : readEnds(parameters)
  const coin = parameters.text('coinSymbol')?.toUpperCase()
  const since = parameters.integer('beginTime') ?? Number.NEGATIVE_INFINITY
  const until = parameters.integer('endTime') ?? Number.POSITIVE_INFINITY
  const [page, limit] = [Math.max(1, parameters.integer('page') ?? 1), parameters.limit(10, 200)]
  return [...call.transfers.of(userOf(call).account.uid)]
    .filter(({ from }) => ends === undefined || from === ends[0])
    .filter(transfer => coin === undefined || transfer.coin === coin)
    .filter(({ time }) => time >= since && time <= until)
    .slice((page - 1) * limit, page * limit)
    .map(entryOf)
}

function readEnds(
  parameters: RequestParameters,
): readonly [SimulatedTransferAccount, SimulatedTransferAccount] {
  const type = parameters.required('transferType').toLowerCase()
  if (type === 'wallet_to_contract' || type === 'contract_to_wallet') return ENDS_OF_TYPE[type]
  throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'transferType')
}

function entryOf({ from, coin, amount, time }: SimulatedTransfer): JsonValue {
  return {
    transferType: from === 'EXCHANGE' ? 'wallet_to_contract' : 'contract_to_wallet',
    symbol: coin,
    amount: exactJsonNumber(amountToText(amount)),
    status: 1,
    ctime: time,
  }
}
