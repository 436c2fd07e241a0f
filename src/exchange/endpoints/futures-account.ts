import { z } from 'zod'
import { futuresAccountResponse } from '../futures/futures-balance.ts'
import { transactionsRequest, transactionsResponse } from '../futures/futures-transaction.ts'
import { defineEndpoint } from './endpoint.ts'

/** The document gives no futures endpoint a weight; 1 is the least any endpoint has. */
const account = { host: 'futures', security: 'USER_DATA', effect: 'read', weight: 1, section: '4.7' } as const

/** Interface section 4.7: futures account, signed. */
export const FUTURES_ACCOUNT = {
  futuresAccount: defineEndpoint({
    ...account,
    key: 'futuresAccount',
    method: 'GET',
    path: '/fapi/v1/account',
    request: z.object({}),
    response: futuresAccountResponse,
    doc: 'Balances by margin coin, each with its positions.',
  }),
  futuresTransactions: defineEndpoint({
    ...account,
    key: 'futuresTransactions',
    method: 'POST',
    path: '/fapi/v1/get_user_transaction',
    request: transactionsRequest,
    response: transactionsResponse,
    doc: 'What changed the balance of a margin coin, a page at a time.',
  }),
} as const
