import type { AnswerShape } from './answer-shape.ts'
import type { Dialect } from './dialect.ts'

/** The spot host answers the calls of the second version as the first. */
const SPOT_VERSION_ONE = { 'sapi/v2': ['sapi/v1'] }
/** It has none of the third version either: no order history, and own trades of one version only. */
const SPOT_VERSION_ONE_ONLY = { ...SPOT_VERSION_ONE, 'sapi/v3': [] }
const EVERY_FUTURES_INTERVAL = ['1min', '5min', '15min', '30min', '1h', '1day', '1week', '1month']

/** A contract list of 15 keys. */
const SHORT_CONTRACTS: AnswerShape = {
  without: [
    ...['minLever', 'maxLever', 'marginCoin'],
    ...['openTakerFee', 'openMakerFee', 'closeTakerFee', 'closeMakerFee'],
  ],
}
/** A symbol list without names, fee rates and least amount. */
const SHORT_SYMBOLS: AnswerShape = {
  without: [
    ...['baseAssetName', 'quoteAssetName', 'SymbolName'],
    ...['feeRateMaker', 'feeRateTaker', 'limitAmountMin'],
  ],
}
/** The index answer of siblings of this interface: the mark price is `tagPrice`, its moment is missing. */
const SIBLING_INDEX: AnswerShape = { without: ['markPrice', 'lastFundingRate', 'contractName', 'time'] }
const NO_TIME: AnswerShape = { nulls: ['time'] }
const LISTED: AnswerShape = { list: 'list' }
const BARE: AnswerShape = { list: 'bare' }
const ENVELOPED: AnswerShape = { list: 'data' }
/** Words for the status numbers of the platform (supplement, section 4). */
const STATUS_WORDS: AnswerShape = {
  words: { status: { 0: 'NEW', 1: 'NEW', 2: 'FILLED', 3: 'PARTIALLY_FILLED', 4: 'CANCELED', 6: 'EXPIRED' } },
}

/** Two futures hosts with the same names of contracts; nothing is known of their spot side. */
const NUMBERED_CONTRACTS = {
  onlyHost: 'futures',
  contractPrefix: 'USDT1802',
  answers: { futuresIndex: SIBLING_INDEX, futuresProfitHistorical: { without: ['settleProfit'] } },
} as const satisfies Dialect

/**
 * The hosts of this interface, as of 2026-11: their public clients, SDKs, documentation and recorded answers. None was tried.
 * Differences that any host may have (the answer to an unknown path, the status and text of refusals, the form of ids, of
 * lists and of missing optional keys) are spread over them, so that each is met.
 */
export const DIALECTS = {
  document: {},
  koinbay: {
    versions: SPOT_VERSION_ONE_ONLY,
    missing: ['futuresTransactions'],
    limitAndMarketOnly: true,
    cancelDelayMs: 700,
    emptyFuturesKlines: ['1h'],
    answers: {
      spotOpenOrders: LISTED,
      spotMyTradesV2: LISTED,
      futuresContracts: { values: { minLever: 0 } },
    },
    refusesWithOk: true,
  },
  zke: { versions: { 'sapi/v2': ['sapi/v2', 'sapi/v1'] }, refusesWithOk: true },
  gcbex: { onlyHost: 'spot', versions: { 'sapi/v3': [] }, notFound: 'spring' },
  xme: {
    versions: SPOT_VERSION_ONE_ONLY,
    missing: ['futuresTickerAll'],
    notFound: 'spring',
    answers: {
      futuresContracts: SHORT_CONTRACTS,
      spotDepth: NO_TIME,
      futuresDepth: NO_TIME,
      futuresOpenOrders: ENVELOPED,
      futuresTransactions: { list: 'data.list' },
    },
    refusesWithOk: true,
  },
  fameex: {
    versions: SPOT_VERSION_ONE,
    missing: ['futuresConditionOrder'],
    emptyFuturesKlines: EVERY_FUTURES_INTERVAL,
    answers: {
      spotTime: { names: { serverTime: 'server_time' } },
      futuresOpenOrders: ENVELOPED,
    },
    refusesWithOk: true,
    refusalText: 'chinese',
    successText: '成功',
  },
  bitbaby: {
    prefixes: { spot: '/spot/open', futures: '/futures/open' },
    versions: SPOT_VERSION_ONE_ONLY,
    notFound: 'html',
    marketOpensByValue: true,
    ids: 'number',
    answers: { futuresContracts: SHORT_CONTRACTS, spotSymbols: SHORT_SYMBOLS },
  },
  odyssey: {
    versions: SPOT_VERSION_ONE,
    ids: 'text',
    answers: {
      spotTrades: BARE,
      futuresTransactions: BARE,
      futuresIndex: SIBLING_INDEX,
      spotNewOrder: STATUS_WORDS,
      futuresOrderHistorical: STATUS_WORDS,
    },
    successText: '成功',
    refusalText: 'chinese',
  },
  gaiaex: { ...NUMBERED_CONTRACTS, refusalText: 'empty', refusesWithOk: true },
  darkex: { ...NUMBERED_CONTRACTS, refusalText: 'empty', notFound: 'html' },
  bitrue: {
    onlyHost: 'futures',
    versions: { 'fapi/v1': { public: ['fapi/v1', 'fapi/v2'], signed: ['fapi/v2'] } },
    envelopsFutures: true,
    ignoresVersionHeader: true,
    marketOpensByValue: true,
    refusesWithOk: true,
  },
} as const satisfies Readonly<Record<string, Dialect>>

/** Name of a dialect. */
export type DialectName = keyof typeof DIALECTS

/** Names of all dialects; `document` is the interface document itself. */
export const DIALECT_NAMES = Object.keys(DIALECTS) as [DialectName, ...DialectName[]] // of the table alone

/** The dialect of a name. */
export function dialectOf(name: DialectName): Dialect {
  return DIALECTS[name]
}
