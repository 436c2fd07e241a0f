import { START } from '../exchange-caller.ts'
import { NOW } from './client-world.ts'
import type { TypedCall } from './typed-call.ts'

const symbol = 'BTC/USDT'
const tickerId = 'E-BTC-USDT'
const anyone = { canWithdraw: true, canDeposit: true }

/** Aggregator feeds (interface section 4.8). */
export const FEEDS_CALLS: readonly TypedCall[] = [
  {
    name: 'feeds.summary',
    call: ({ feeds }) => feeds.summary(),
    becomes: {
      pairs: [
        {
          ...{ symbol, id: '1', isFrozen: false, last: '100', high: '100', low: '100' },
          ...{ quoteVolume: '400', baseVolume: '4', percentChange: '0' },
          ...{ lowestAsk: '100.01', highestBid: '99.99' },
        },
      ],
      coins: [
        { asset: 'BTC', ...anyone },
        { asset: 'USDT', ...anyone },
      ],
    },
    answers: [
      '{"msg":"success","code":"200","data":{"BTC_USDT":{"high24hr":"100","percentChange":"0","last":"100","highestBid":"99.99","id":1,"quoteVolume":"400","isFrozen":"0","baseVolume":"4","lowestAsk":"100.01","low24hr":"100"}},"coins":{"BTC":{"withdrew":"ON","name":"BTC","deposit":"ON"},"USDT":{"withdrew":"ON","name":"USDT","deposit":"ON"}}}',
    ],
  },
  {
    name: 'feeds.assets',
    call: ({ feeds }) => feeds.assets(),
    becomes: [
      { asset: 'BTC', unifiedId: '1', ...anyone, makerFeeRate: '0.001', takerFeeRate: '0.001' },
      { asset: 'USDT', unifiedId: '2', ...anyone, makerFeeRate: '0.001', takerFeeRate: '0.001' },
    ],
    answers: [
      '{"BTC":{"name":"Bitcoin","unified_cryptoasset_id":1,"can_withdraw":1,"can_deposit":1,"min_withdraw":0.2,"max_withdraw":120,"maker_fee":0.001,"taker_fee":0.001},"USDT":{"name":"Tether","unified_cryptoasset_id":2,"can_withdraw":1,"can_deposit":1,"min_withdraw":50,"max_withdraw":100000,"maker_fee":0.001,"taker_fee":0.001}}',
    ],
  },
  {
    name: 'feeds.quotes',
    call: ({ feeds }) => feeds.quotes(),
    becomes: [
      {
        ...{ symbol, baseId: '1', quoteId: '2', last: '100', baseVolume: '1', quoteVolume: '100' },
        ...{ baseVolume24h: '4', quoteVolume24h: '400' },
      },
    ],
    answers: [
      '{"BTC_USDT":{"24_base_volume":"4.0000","base_id":1,"quote_volume":100.0000000000000000,"quote_id":2,"base_volume":1.0000000000000000,"24_quote_volume":"400.0000","last_price":100.0000000000000000}}',
    ],
  },
  {
    name: 'feeds.orderBook',
    call: ({ feeds }) => feeds.orderBook({ symbol, bids: 1, asks: 1 }),
    becomes: {
      bids: [{ price: '99.99', quantity: '20.002' }],
      asks: [{ price: '100.01', quantity: '19.998' }],
      time: NOW,
    },
    answers: [`{"date":${NOW},"asks":[[100.01,19.998]],"bids":[[99.99,20.002]]}`],
  },
  {
    name: 'feeds.trades',
    call: ({ feeds }) => feeds.trades({ base: 'BTC', quote: 'USDT', limit: 1 }),
    becomes: [{ id: '4', price: '100', quantity: '1', quoteAmount: '100', time: START + 45_000 }],
    answers: [
      `[{"trade_id":4,"price":100.0000000000000000,"quote_volume":100.00,"base_volume":1.00,"type":"BUY","timestamp":${START + 45_000}}]`,
    ],
  },
  {
    name: 'feeds.contracts',
    call: ({ feeds }) => feeds.contracts({ tickerId }),
    becomes: [
      {
        ...{ tickerId, base: 'BTC', quote: 'USDT', productType: 'perpetual', last: '100' },
        ...{ bid: '99.99', ask: '100.01', high: '100', low: '100', indexPrice: '100' },
        ...{ openInterest: '0', fundingRate: '0.0001', openTakerFeeRate: '0.001' },
      },
    ],
    answers: [
      `{"code":"0","msg":"success","data":{"contracts":[{"ticker_id":"E-BTC-USDT","base_currency":"BTC","quote_currency":"USDT","last_price":"100","base_volume":"4","quote_volume":"400","volume_usd":"400","bid":"99.99","ask":"100.01","high":"100","low":"100","product_type":"Perpetual","open_interest":"0","open_interest_usd":"0","index_price":"100","contract_type":"Vanilla","contract_price":"100","contract_price_currency":"USDT","funding_rate":"0.0001","next_funding_rate":"0.0001","open_maker_fee":"0.0005","open_taker_fee":"0.001","close_maker_fee":"0.0005","close_taker_fee":"0.001","creation_timestamp":0,"expiry_timestamp":0,"next_funding_rate_timestamp":1704096000000,"timestamp":${NOW}}]}}`,
    ],
  },
  {
    name: 'feeds.contractBook',
    call: ({ feeds }) => feeds.contractBook({ tickerId }),
    // In BTC: 200 and 300 contracts, 199 and 299.
    becomes: {
      tickerId,
      bids: [
        { price: '99.99', quantity: '20' },
        { price: '99.98', quantity: '30' },
      ],
      asks: [
        { price: '100.01', quantity: '19.9' },
        { price: '100.02', quantity: '29.9' },
      ],
      time: NOW,
    },
    answers: [
      `{"code":"0","msg":"success","data":{"orderbook":{"bids":[{"price":"99.99","size":"20"},{"price":"99.98","size":"30"}],"asks":[{"price":"100.01","size":"19.9"},{"price":"100.02","size":"29.9"}]},"ticker_id":"E-BTC-USDT","timestamp":${NOW}}}`,
    ],
  },
]
