import { z } from 'zod'
import { balancesResponse } from '../account/balance.ts'
import {
  transferQueryRequest,
  transferRequest,
  transferResponse,
  transfersResponse,
} from '../account/transfer.ts'
import {
  withdrawalsResponse,
  withdrawQueryRequest,
  withdrawRequest,
  withdrawResponse,
} from '../account/withdrawal.ts'
import { defineEndpoint } from './endpoint.ts'

/** The document says only that withdrawals are signed; they require the rights of USER_DATA. */
const account = { host: 'spot', security: 'USER_DATA', section: '4.3' } as const

/** Weight of both withdrawal endpoints, published by sibling hosts only. */
const WITHDRAWAL_WEIGHT = 100

/** Interface section 4.3: account, transfer and withdrawal. */
export const SPOT_ACCOUNT = {
  spotAccount: defineEndpoint({
    ...account,
    key: 'spotAccount',
    method: 'GET',
    path: '/sapi/v1/account',
    effect: 'read',
    weight: 1,
    request: z.object({}),
    response: balancesResponse,
    doc: 'Balances of every coin, zeros included.',
  }),
  assetTransfer: defineEndpoint({
    ...account,
    key: 'assetTransfer',
    method: 'POST',
    path: '/sapi/v1/asset/transfer',
    effect: 'write',
    weight: 5,
    request: transferRequest,
    response: transferResponse,
    doc: 'Moves money between the spot and the futures account.',
  }),
  assetTransferQuery: defineEndpoint({
    ...account,
    key: 'assetTransferQuery',
    method: 'POST',
    path: '/sapi/v1/asset/transferQuery',
    effect: 'read',
    weight: 5,
    historyMonths: 6,
    request: transferQueryRequest,
    response: transfersResponse,
    doc: 'Transfers by id or between two accounts.',
  }),
  withdrawApply: defineEndpoint({
    ...account,
    key: 'withdrawApply',
    method: 'POST',
    path: '/sapi/v1/withdraw/apply',
    effect: 'write',
    weight: WITHDRAWAL_WEIGHT,
    request: withdrawRequest,
    response: withdrawResponse,
    doc: 'Sends money to an address outside the exchange.',
  }),
  withdrawQuery: defineEndpoint({
    ...account,
    key: 'withdrawQuery',
    method: 'POST',
    path: '/sapi/v1/withdraw/query',
    effect: 'read',
    weight: WITHDRAWAL_WEIGHT,
    request: withdrawQueryRequest,
    response: withdrawalsResponse,
    doc: 'Withdrawals on record, a page at a time.',
  }),
} as const
