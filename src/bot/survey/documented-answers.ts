import type { EndpointKey } from '../../exchange/endpoints.ts'
import type { Wrapping } from './json-entries.ts'

/** Form of an answer in the interface document: its wrapping, and the keys of an entry of its list, or of the answer. */
export interface DocumentedAnswer {
  readonly wrapping: Wrapping
  readonly keys: readonly string[]
}

const answer = (wrapping: Wrapping, keys: string): DocumentedAnswer => ({ wrapping, keys: keys.split(' ') })

const TIME = answer('bare', 'timezone serverTime')
const BOOK = answer('bare', 'time bids asks')
const KLINES = answer('bare', 'idx open close high low vol')
const ORDERS = answer(
  'bare',
  'orderId clientOrderId symbol price origQty executedQty avgPrice type side status time',
)
const TRADES = answer('bare', 'symbol id bidId askId price qty time isBuyer isMaker feeCoin fee')

/** Answers to reads, from section 2 of the interface document; an order of a made-up id has none. */
export const DOCUMENTED_ANSWERS: Readonly<Partial<Record<EndpointKey, DocumentedAnswer>>> = {
  spotTime: TIME,
  spotSymbols: answer(
    '{ symbols }',
    'symbol baseAsset quoteAsset pricePrecision quantityPrecision limitAmountMin limitPriceMin limitVolumeMin baseAssetName quoteAssetName SymbolName feeRateMaker feeRateTaker',
  ),
  spotDepth: BOOK,
  spotTicker: answer(
    'bare',
    'time high low open last vol rose symbol amount askPrice askVolume bidPrice bidVolume',
  ),
  spotTrades: answer('{ list }', 'price time qty side id symbol'),
  spotKlines: KLINES,
  spotAccount: answer('{ balances }', 'asset free locked'),
  spotOpenOrders: ORDERS,
  spotHistoryOrders: ORDERS,
  spotMyTradesV2: TRADES,
  spotMyTradesV3: TRADES,
  marginOpenOrders: answer('bare', 'orderId symbol price origQty executedQty avgPrice status type side time'),
  marginMyTrades: TRADES,
  futuresTime: TIME,
  futuresContracts: answer(
    'bare',
    'symbol status type side multiplier multiplierCoin pricePrecision minOrderVolume minOrderMoney maxMarketVolume maxMarketMoney maxLimitVolume maxLimitMoney maxValidOrder minLever maxLever openTakerFee openMakerFee closeTakerFee closeMakerFee',
  ),
  futuresDepth: BOOK,
  futuresTicker: answer('bare', 'time high low last vol rose'),
  futuresIndex: answer('bare', 'indexPrice markPrice contractName lastFundingRate time'),
  futuresKlines: KLINES,
  futuresAccount: answer('{ account }', 'marginCoin accountNormal accountLock positionVos'),
  futuresOpenOrders: answer(
    'bare',
    'orderId contractName price origQty executedQty avgPrice type side status action transactTime',
  ),
  futuresMyTrades: answer(
    'bare',
    'symbol bidId askId price qty amount time fee side contractName isMaker isBuyer',
  ),
}
