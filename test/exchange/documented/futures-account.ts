import type { DocumentedCalls } from './documented-call.ts'

const contractName = 'E-BTC-USDT'

const position = {
  id: '13603',
  uid: '10023',
  contractId: '1',
  brokerId: '21',
  direction: 'long',
  positionType: 'isolated',
  leverage: '24',
  isEffective: true,
  lock: 'none',
  volume: '69642',
  closedVolume: '40502',
  pendingCloseVolume: '0',
  openPrice: '11840.2394',
  averagePrice: '11840.3095',
  closePrice: '12155.3005',
  liquidationPrice: '9740.8083',
  markPrice: '12151.1175',
  margin: '7014.2111',
  value: '82458.2839',
  unrealizedPnl: '2164.5289',
  openUnrealizedPnl: '2165.0173',
  realizedPnl: '8115.9125',
  historyRealizedPnl: '1865.3985',
  closePnl: '8117.6903',
  settledPnl: '0.4883',
  fee: '-432.0072',
  fundingFee: '2891.2281',
  sharedLoss: '0.1112',
  marginRate: '0.2097',
  maintenanceRate: '0.005',
  returnRate: '0.3086',
  maxFeeRate: '0.0025',
  createdAt: '2020-12-11T17:42:10',
  updatedAt: '2020-12-18T20:35:43',
}

/** Futures account and its settings (interface sections 4.6 and 4.7). */
export const FUTURES_ACCOUNT: DocumentedCalls = {
  fapi_account: [
    {
      endpoint: 'futuresAccount',
      call: ({ futures }) => futures.account(),
      becomes: [
        {
          marginCoin: 'USDT',
          balance: '999.5606',
          orderMargin: '23799.5017',
          isolatedMargin: '9110.7294',
          crossMargin: '0',
          realizedPnl: '4156.5072',
          unrealizedPnl: '650.6385',
          crossMarginRate: '0',
          crossEquity: '99964804.56',
          isolatedEquity: '13917.8753',
          crossCost: '0',
          marginRate: '873.4608',
          contracts: [{ contractId: '1', contractName, contractSymbol: 'BTC-USDT', positions: [position] }],
        },
      ],
    },
  ],
  fapi_get_user_transaction: [
    {
      endpoint: 'futuresTransactions',
      call: ({ futures }) =>
        futures.transactions({
          marginCoin: 'USDT',
          startTime: 1_735_721_190_000,
          endTime: 1_735_807_590_000,
          page: 1,
          limit: 200,
          assetType: 'main',
          language: 'en_US',
          type: 'fundingFee',
        }),
      becomes: {
        count: 1,
        transactions: [
          {
            id: '1',
            contractDisplayName: 'BTCUSDT',
            type: 'fundingFee',
            typeCode: 5,
            amount: '-0.12',
            balanceAfter: '100.5',
            scene: '5',
            time: 1_735_721_190_000,
          },
        ],
      },
    },
  ],
  fapi_edit_user_position_model: [
    {
      endpoint: 'futuresEditPositionModel',
      call: ({ futures }) => futures.setPositionModel({ contractName, positionModel: 'twoWay' }),
      becomes: undefined,
    },
  ],
  fapi_edit_user_margin_model: [
    {
      endpoint: 'futuresEditMarginModel',
      call: ({ futures }) => futures.setMarginModel({ contractName, marginModel: 'cross' }),
      becomes: undefined,
    },
  ],
  fapi_edit_position_margin: [
    {
      endpoint: 'futuresEditPositionMargin',
      call: ({ futures }) => futures.adjustPositionMargin({ positionId: '13603', amount: '5' }),
      becomes: undefined,
    },
  ],
  fapi_edit_lever: [
    {
      endpoint: 'futuresEditLever',
      call: ({ futures }) => futures.setLeverage({ contractName, leverage: 50 }),
      becomes: undefined,
    },
  ],
}
