import type { DocumentedCalls } from './documented-call.ts'

/** Balances, transfers and withdrawals (interface section 4.3). */
export const ACCOUNT: DocumentedCalls = {
  account: [
    {
      endpoint: 'spotAccount',
      call: ({ account }) => account.balances(),
      becomes: [{ asset: 'BTC', free: '0', locked: '0', uid: '32556741' }],
    },
  ],
  asset_transfer: [
    {
      endpoint: 'assetTransfer',
      call: ({ account }) => account.transfer({ asset: 'USDT', amount: '1', from: 'spot', to: 'futures' }),
      becomes: { transferId: '1a9ec387-8b81-4789-a98e-bc6a606c8736' },
    },
  ],
  asset_transferQuery: [
    {
      endpoint: 'assetTransferQuery',
      call: ({ account }) => account.transfers({ transferId: '1a9ec387-8b81-4789-a98e-bc6a606c8736' }),
      becomes: [
        {
          transferId: '1a9ec387-8b81-4789-a98e-bc6a606c8736',
          asset: 'USDT',
          amount: '1',
          from: 'spot',
          to: 'futures',
          status: 'success',
          time: 1_742_369_830_000,
        },
      ],
    },
  ],
  withdraw_apply: [
    {
      endpoint: 'withdrawApply',
      call: ({ account }) =>
        account.withdraw({
          withdrawOrderId: 'abc123',
          asset: 'TUSDT',
          amount: '19.99999',
          address: 'TFFrjNfBAagmFWypE3Hnv6zPKAFhd3VcDf',
          label: '',
        }),
      becomes: { id: '518353' },
    },
  ],
  withdraw_query: [
    {
      endpoint: 'withdrawQuery',
      call: ({ account }) => account.withdrawals(),
      becomes: {
        count: 2,
        withdrawals: [
          {
            id: '749864',
            withdrawOrderId: 'abc123',
            asset: 'TUSDT',
            amount: '19.99999',
            fee: '0.00001',
            address: 'TFFrjNfBAagmFWypE3Hnv6zPKAFhd3VcDf',
            status: 'completed',
            transactionId: '749864_20201117115930',
            time: 1_605_585_397_000,
            appliedTime: 1_666_754_820_000,
          },
          {
            id: '764294',
            withdrawOrderId: 'abc456',
            asset: 'TUSDT',
            amount: '10.50999',
            fee: '0.00001',
            address: 'TYsTiVVDU5VmnUPufzGD52CD1hSbPATT3Q',
            status: 'completed',
            transactionId: '764294_20201204094130',
            time: 1_607_089_149_000,
            appliedTime: 1_666_754_820_000,
          },
        ],
      },
    },
  ],
}
