import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { NOW } from './client-world.ts'
import type { TypedCall } from './typed-call.ts'

const order = { withdrawOrderId: 'w-1', asset: 'TUSDT', amount: '19.5', address: 'T1' } as const

const transfer = ({ account }: ExchangeCalls) =>
  account.transfer({ asset: 'USDT', amount: '1.5', from: 'spot', to: 'futures' })

/** Account (interface section 4.3). */
export const ACCOUNT_CALLS: readonly TypedCall[] = [
  {
    name: 'account.balances',
    before: ({ spot }) =>
      spot.placeOrder({ symbol: 'BTC/USDT', type: 'limit', side: 'buy', quantity: '1', price: '90' }),
    call: ({ account }) => account.balances(),
    becomes: [
      { asset: 'BTC', free: '10', locked: '0' },
      { asset: 'USDT', free: '9910', locked: '90' },
    ],
    answers: [
      '{"balances":[{"uid":10001,"asset":"BTC","free":"10.0000000000","locked":"0.0000000000"},{"uid":10001,"asset":"USDT","free":"9910.0000000000","locked":"90.0000000000"}]}',
    ],
  },
  {
    name: 'account.transfer',
    call: async calls => typeof (await transfer(calls)).transferId,
    becomes: 'string',
    answers: ['{"code":"0","msg":"SUCCESS","data":{"transferId":"1a9ec387-8b81-4789-a98e-bc6a606c8736"}}'],
  },
  {
    name: 'account.transfers',
    before: transfer,
    call: ({ account }) => account.transfers({ from: 'spot', to: 'futures' }),
    becomes: [{ asset: 'USDT', amount: '1.5', from: 'spot', to: 'futures', status: 'success', time: NOW }],
    answers: [
      `{"code":"0","msg":"SUCCESS","data":{"list":[{"transferId":"1a9ec387-8b81-4789-a98e-bc6a606c8736","fromAccount":"EXCHANGE","toAccount":"FUTURE","coinSymbol":"USDT","createTime":${NOW},"amount":"1.5","status":"SUCCESS"}]}}`,
    ],
  },
  {
    name: 'account.withdraw',
    call: ({ account }) => account.withdraw(order),
    becomes: { id: '700001' },
    answers: ['{"code":"0","msg":"sucess","data":{"id":700001}}'],
  },
  {
    name: 'account.withdrawals',
    before: ({ account }) => account.withdraw(order),
    call: ({ account }) => account.withdrawals({ withdrawOrderId: 'w-1' }),
    becomes: {
      count: 1,
      withdrawals: [
        {
          ...{ id: '700001', withdrawOrderId: 'w-1', asset: 'TUSDT', amount: '19.5', fee: '0' },
          ...{ address: 'T1', status: 'unapproved', time: NOW },
        },
      ],
    },
    answers: [
      `{"code":"0","msg":"成功","data":{"withdrawList":[{"symbol":"TUSDT","amount":19.5,"address":"T1","withdrawOrderId":"w-1","fee":0,"ctime":${NOW},"txId":"","id":700001,"applyTime":null,"status":0,"info":""}],"count":1}}`,
    ],
  },
]
