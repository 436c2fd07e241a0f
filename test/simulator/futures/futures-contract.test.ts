import { describe, expect, it } from 'vitest'
import { ENDPOINTS, type EndpointKey } from '../../../src/exchange/endpoints.ts'
import { parseLossless } from '../../../src/exchange/wire/lossless-json.ts'
import { type Answer, flatMarket, START } from '../exchange-caller.ts'
import { FuturesCaller, futuresOf } from './futures-caller.ts'

/** A caller with an isolated position, a closed one, an open order and a waiting condition; and the id of the open order. */
function busy(): { caller: FuturesCaller; orderId: string; positionId: number } {
  const caller = FuturesCaller.open(futuresOf(flatMarket(100)))
  caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, { positionType: 2 })
  caller.order('SELL', 'CLOSE', 'MARKET', 10)
  caller.order('SELL', 'OPEN', 'MARKET', 7)
  caller.post('/fapi/v1/conditionOrder', CONDITION)
  const { orderId } = caller.order('BUY', 'OPEN', 'LIMIT', 3, 90, { clientOrderId: 'mine' }).json
  return { caller, orderId, positionId: caller.positions()[0].id }
}

const CONTRACT = { contractName: 'E-BTC-USDT' }
const ORDER = { ...CONTRACT, side: 'BUY', open: 'OPEN', type: 'LIMIT', volume: 1, price: 90 }
const CONDITION = { ...ORDER, triggerType: '4DOWN', triggerPrice: '95' }
const NAMED = '?contractName=E-BTC-USDT'
const PERIOD = { beginTime: '0', endTime: String(START + 1), symbol: 'USDT' }

type Busy = ReturnType<typeof busy>
const CALLS: Readonly<Partial<Record<EndpointKey, (busy: Busy, path: string) => Answer>>> = {
  futuresPing: ({ caller }, path) => caller.get(path),
  futuresTime: ({ caller }, path) => caller.get(path),
  futuresContracts: ({ caller }, path) => caller.get(path),
  futuresDepth: ({ caller }, path) => caller.get(path + NAMED),
  futuresTicker: ({ caller }, path) => caller.get(path + NAMED),
  futuresTickerAll: ({ caller }, path) => caller.get(path),
  futuresIndex: ({ caller }, path) => caller.get(path + NAMED),
  futuresKlines: ({ caller }, path) => caller.get(`${path + NAMED}&interval=1h`),
  futuresNewOrder: ({ caller }, path) => caller.post(path, ORDER),
  futuresConditionOrder: ({ caller }, path) => caller.post(path, CONDITION),
  futuresCancel: ({ caller, orderId }, path) => caller.post(path, { ...CONTRACT, orderId }),
  futuresCancelAll: ({ caller }, path) => caller.post(path),
  futuresOrder: ({ caller }, path) => caller.get(path + NAMED),
  futuresOpenOrders: ({ caller }, path) => caller.get(path),
  futuresOrderHistorical: ({ caller }, path) => caller.post(path, CONTRACT),
  futuresProfitHistorical: ({ caller }, path) => caller.post(path, CONTRACT),
  futuresMyTrades: ({ caller }, path) => caller.get(path + NAMED),
  futuresEditPositionModel: ({ caller }, path) => caller.post(path, { ...CONTRACT, positionModel: 2 }),
  futuresEditMarginModel: ({ caller }, path) => caller.post(path, { ...CONTRACT, marginModel: 2 }),
  futuresEditPositionMargin: ({ caller, positionId }, path) => caller.post(path, { positionId, amount: 5 }),
  futuresEditLever: ({ caller }, path) => caller.post(path, { ...CONTRACT, nowLevel: 10 }),
  futuresAccount: ({ caller }, path) => caller.get(path),
  futuresTransactions: ({ caller }, path) => caller.post(path, PERIOD),
  feedContracts: ({ caller }, path) => caller.get(path),
  feedContractBook: ({ caller }, path) => caller.get(`${path}?ticker_id=E-BTC-USDT`),
}

const rows = Object.values(ENDPOINTS).filter(({ host }) => host === 'futures')

describe('the table of endpoints', () => {
  it.each(rows.map(row => [row.key, row] as const))(
    'describes what the exchange answers to %s',
    (key, row) => {
      const call = CALLS[key as EndpointKey] // the table's own keys
      if (call === undefined) throw new Error(`Nobody calls ${key}.`)
      const { status, text } = call(busy(), row.path)
      const json = parseLossless(text)
      const keepsEnvelope = 'keepsEnvelope' in row && row.keepsEnvelope === true
      const isEnvelope = typeof json === 'object' && json !== null && 'code' in json && 'data' in json
      const content = isEnvelope && !keepsEnvelope ? (json as { data: unknown }).data : json // just seen
      expect([status, row.response.safeParse(content).error]).toEqual([200, undefined])
      expect(text).not.toBe('[]')
    },
  )
})
