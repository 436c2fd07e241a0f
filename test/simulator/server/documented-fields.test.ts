import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { flatMarket, MINUTE } from '../exchange-caller.ts'
import { FuturesCaller } from '../futures/futures-caller.ts'

const hasDocument = hasShared('spec', 'exchange-interface.md')

interface Field {
  readonly name: string
  readonly type: string
}

/** The field tables of section 2 by the number of their section. */
function tablesOf(document: string): ReadonlyMap<string, readonly Field[]> {
  const tables = new Map<string, Field[]>()
  let section = ''
  for (const line of document.split('\n')) {
    section = /^###? (\d+\.?\d*)/.exec(line)?.[1] ?? section
    const [, name, type] = /^\| ([\w.<>]+) \| (\w+)/.exec(line) ?? []
    if (!section.startsWith('2.') || name === undefined || type === undefined || name === 'Field') continue
    tables.set(section, [...(tables.get(section) ?? []), { name, type }])
  }
  return tables
}

/** Numbers may be written as text (interface section 1). */
function isOfType(value: unknown, type: string): boolean {
  if (type === 'string') return typeof value === 'string'
  if (type.startsWith('bool')) return typeof value === 'boolean'
  return (
    typeof value === 'number' || (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)))
  )
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

const FUTURES = { contractName: 'E-BTC-USDT' }
const SYMBOL = 'symbol=BTC/USDT'

/** A caller with orders, trades, a completed withdrawal and a futures position. */
function busy(): FuturesCaller {
  const balances = { USDT: '10000', BTC: '10' }
  const caller = new FuturesCaller(
    createSimulatedExchange({
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100) } }],
      accounts: [{ ...TEST_ACCOUNT, balances, futuresBalances: balances }],
    }),
  )
  caller.post('/sapi/v1/withdraw/apply', { withdrawOrderId: 'a', amount: '1', address: 'b' })
  caller.pass(10 * MINUTE)
  spotOrder(caller, { type: 'MARKET', side: 'SELL' })
  spotOrder(caller, { type: 'STOP', side: 'SELL', price: 80, triggerPrice: 85 })
  caller.order('BUY', 'OPEN', 'MARKET', 1000)
  caller.order('SELL', 'CLOSE', 'MARKET', 400)
  caller.order('BUY', 'OPEN', 'LIMIT', 1, 96)
  return caller
}

function spotOrder(caller: FuturesCaller, fields: object) {
  return caller.post('/sapi/v2/order', { symbol: 'BTC/USDT', volume: 1, ...fields }).json
}

/** What the exchange answers, by the section that describes it. */
const ENTRIES: Readonly<Record<string, (caller: FuturesCaller) => Json>> = {
  '2.1': caller => caller.get('/sapi/v2/symbols').json.symbols[0],
  '2.3': caller => caller.get(`/sapi/v2/ticker?${SYMBOL}`).json,
  '2.4': caller => caller.get(`/sapi/v2/trades?${SYMBOL}`).json.list[0],
  '2.5': caller => caller.get(`/sapi/v2/klines?${SYMBOL}&interval=1min`).json[0],
  '2.6': caller => spotOrder(caller, { type: 'LIMIT', side: 'BUY', price: 90 }),
  '2.7': caller => caller.get(`/sapi/v2/myTrades?${SYMBOL}`).json[0],
  '2.8': caller => caller.post('/sapi/v1/withdraw/query', {}).json.data.withdrawList[0],
  '2.10': caller => caller.get('/fapi/v1/contracts').json[0],
  '2.13': caller => caller.get(`/fapi/v1/order?contractName=E-BTC-USDT`).json[0],
  '2.16': caller => caller.get(`/fapi/v1/myTrades?contractName=E-BTC-USDT`).json[0],
  '2.18': caller => caller.get('/v2/pub/summary').json.data.BTC_USDT,
}

/** Fields that the document has in running text rather than in a table. */
const LISTED: readonly (readonly [string, string, (caller: FuturesCaller) => Json])[] = [
  [
    '2.6, order query',
    'orderId clientOrderId symbol price origQty executedQty avgPrice type side status transactTime',
    caller => caller.get(`/sapi/v2/order?${SYMBOL}&orderId=1900000000000000001`).json,
  ],
  [
    '2.6, open orders',
    'orderId orderIdString clientOrderId symbol price origQty executedQty avgPrice type side status time stopPrice isWorking',
    caller => caller.get('/sapi/v2/openOrders').json[0],
  ],
  [
    '2.6, order history',
    'orderId orderIdString clientOrderId symbol price origQty executedQty avgPrice type side status time stopPrice isWorking',
    caller => caller.get('/sapi/v3/historyOrders').json[0],
  ],
  [
    '2.6, cancel',
    'orderId clientOrderId symbol status',
    caller => caller.post('/sapi/v2/cancel', { symbol: 'BTC/USDT', orderId: '1900000000000000002' }).json,
  ],
  ['2.11', 'time high low last vol rose', caller => caller.get('/fapi/v1/ticker_all').json.e_btcusdt],
  [
    '2.12',
    'indexPrice markPrice contractName lastFundingRate time',
    caller => caller.get('/fapi/v1/index?contractName=E-BTC-USDT').json,
  ],
  [
    '2.14',
    'side clientId ctimeMs positionType orderId avgPrice openOrClose leverageLevel type closeTakerFeeRate volume openMakerFeeRate dealVolume price closeMakerFeeRate contractId ctime contractName openTakerFeeRate dealMoney status',
    caller => caller.post('/fapi/v1/orderHistorical', FUTURES).json[0],
  ],
  [
    '2.15',
    'side positionType tradeFee realizedAmount leverageLevel openPrice settleProfit mtime shareAmount openEndPrice closeProfit volume contractId historyRealizedAmount ctime id capitalFee',
    caller => {
      caller.order('SELL', 'CLOSE', 'MARKET', 600)
      return caller.post('/fapi/v1/profitHistorical', FUTURES).json[0]
    },
  ],
  [
    '2.17, account',
    'marginCoin accountNormal accountLock partPositionNormal totalPositionNormal achievedAmount unrealizedAmount totalMarginRate totalEquity partEquity totalCost sumMarginRate positionVos',
    caller => caller.wallet(),
  ],
  [
    '2.17, positionVos',
    'contractId contractName contractSymbol positions',
    caller => caller.wallet().positionVos[0],
  ],
  [
    '2.17, positions',
    'id uid contractId positionType side volume openPrice avgPrice closePrice leverageLevel holdAmount closeVolume pendingCloseVolume realizedAmount historyRealizedAmount tradeFee capitalFee closeProfit shareAmount freezeLock status ctime mtime brokerId marginRate reducePrice returnRate unRealizedAmount openRealizedAmount positionBalance settleProfit indexPrice keepRate maxFeeRate',
    caller => caller.positions()[0],
  ],
  ['2.18, currencies', 'name withdrew deposit', caller => caller.get('/v2/pub/summary').json.coins.BTC],
  [
    '2.18, currency list',
    'name unified_cryptoasset_id can_withdraw can_deposit min_withdraw max_withdraw maker_fee taker_fee',
    caller => caller.get('/v2/pub/asset').json.BTC,
  ],
  [
    '2.18, coin quotes',
    'base_id quote_id last_price base_volume quote_volume 24_base_volume 24_quote_volume',
    caller => caller.get('/v2/pub/ticker').json.BTC_USDT,
  ],
  ['2.18, order book', 'date bids asks', caller => caller.get(`/v2/pub/orderbook?${SYMBOL}`).json],
  [
    '2.18, deals',
    'trade_id price type timestamp base_volume quote_volume',
    caller => caller.get(`/v2/pub/trades?${SYMBOL}`).json[0],
  ],
  [
    '2.18, futures contracts',
    'ticker_id base_currency quote_currency last_price base_volume quote_volume volume_usd bid ask high low product_type open_interest open_interest_usd index_price contract_type contract_price contract_price_currency funding_rate next_funding_rate open_maker_fee open_taker_fee close_maker_fee close_taker_fee creation_timestamp expiry_timestamp next_funding_rate_timestamp timestamp',
    caller => caller.get('/pub/contracts').json.data.contracts[0],
  ],
  [
    '2.18, futures order book',
    'orderbook ticker_id timestamp',
    caller => caller.get('/pub/orderbook?ticker_id=E-BTC-USDT').json.data,
  ],
]

describe('the fields of an answer', () => {
  it.each(LISTED)('are those of section %s', (_section, names, entryOf) => {
    const entry = entryOf(busy())
    expect(names.split(' ').filter(name => entry[name] === undefined || entry[name] === null)).toEqual([])
  })
})

describe.skipIf(!hasDocument)('the field tables of the document', () => {
  const tables = hasDocument
    ? tablesOf(readFileSync(sharedPath('spec', 'exchange-interface.md'), 'utf8'))
    : new Map<string, readonly Field[]>()

  it('are all tried', () => {
    expect([...tables.keys()].toSorted()).toEqual(Object.keys(ENTRIES).toSorted())
  })

  it.each([...tables])('of section %s name nothing that is missing or of another type', (section, fields) => {
    const entry = ENTRIES[section]?.(busy())
    const own = fields.filter(({ name }) => !name.startsWith('coins.'))
    expect(own.length).toBeGreaterThan(5)
    expect(own.filter(({ name, type }) => !isOfType(entry[name], type))).toEqual([])
  })
})
