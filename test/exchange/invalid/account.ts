import { NOW } from '../call/scripted-exchange.ts'
import { type InvalidCall, untyped } from './invalid-call.ts'

const DAY = 86_400_000
const withdrawal = { withdrawOrderId: 'w', asset: 'BTC', amount: '1', address: 'a' }

/** Rules of interface section 4.3. */
export const ACCOUNT: readonly InvalidCall[] = [
  [
    'a transfer of less than nothing',
    ({ account }) => account.transfer({ asset: 'USDT', amount: '-1', from: 'spot', to: 'futures' }),
    'amount',
    'must be above 0',
    '4.3',
  ],
  [
    'a transfer to nowhere',
    ({ account }) => account.transfer(untyped({ asset: 'USDT', amount: '1', from: 'spot' })),
    'toAccount',
    'must be one of EXCHANGE, FUTURE',
    '4.3',
  ],
  [
    'transfers from nowhere',
    ({ account }) => account.transfers(untyped({ to: 'spot' })),
    'fromAccount',
    'is required unless transferId is given',
    '4.3',
  ],
  [
    'transfers to nowhere',
    ({ account }) => account.transfers(untyped({ from: 'spot' })),
    'toAccount',
    'is required unless transferId is given',
    '4.3',
  ],
  [
    '101 transfers',
    ({ account }) => account.transfers({ transferId: 'a', limit: 101 }),
    'limit',
    'must be a whole number from 1 to 100',
    '4.3',
  ],
  [
    'transfers of 187 days ago',
    ({ account }) => account.transfers({ from: 'spot', to: 'futures', startTime: NOW - 187 * DAY }),
    'startTime',
    'must lie in the last 6 months',
    '4.3',
  ],
  [
    'a withdrawal to nowhere',
    ({ account }) => account.withdraw({ ...withdrawal, address: '' }),
    'address',
    'must not be empty',
    '4.3',
  ],
  [
    'a withdrawal without an id of its own',
    ({ account }) => account.withdraw(untyped({ ...withdrawal, withdrawOrderId: undefined })),
    'withdrawOrderId',
    'is required, as text',
    '4.3',
  ],
  [
    'a withdrawal of nothing',
    ({ account }) => account.withdraw({ ...withdrawal, amount: '0' }),
    'amount',
    'must be above 0',
    '4.3',
  ],
  [
    'page 0 of the withdrawals',
    ({ account }) => account.withdrawals({ page: 0 }),
    'page',
    'must be a whole number of at least 1',
    '4.3',
  ],
  [
    'withdrawals that end first',
    ({ account }) => account.withdrawals({ startTime: 10, endTime: 9 }),
    'endTime',
    'must not be before the start of the window',
    '4.3',
  ],
]
