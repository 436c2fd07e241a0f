import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { jsonText } from '../../../src/simulator/protocol/json-text.ts'
import { ExchangeFile } from '../../../src/simulator/saved/exchange-file.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { readSnapshot } from '../../../src/simulator/snapshot/snapshot.ts'
import { ExchangeCaller, START } from '../exchange-caller.ts'
import { dialectConfig } from './dialect-host.ts'

const LIMIT = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' }

/** Places an order by the paths of koinbay and asks for its end, which comes 700 ms later. */
function placeAndCancel(exchange: SimulatedExchange): string {
  const caller = new ExchangeCaller(exchange)
  const orderId: string = caller.post('/sapi/v1/order', LIMIT).json.orderIdString
  expect(caller.post('/sapi/v1/cancel', { symbol: 'BTC/USDT', orderId }).json.status).toBe('PENDING_CANCEL')
  return orderId
}

function statusAt(exchange: SimulatedExchange, orderId: string, time: number): string {
  const caller = new ExchangeCaller(exchange)
  caller.now = time
  return caller.get(`/sapi/v1/order?symbol=BTC/USDT&orderId=${orderId}`).json.status
}

describe('an exchange with a dialect', () => {
  it('goes on from a snapshot with its dialect, also with a cancel that is on its way', () => {
    const original = createSimulatedExchange(dialectConfig('koinbay'))
    const orderId = placeAndCancel(original)
    const copy = readSnapshot(JSON.parse(jsonText(original.snapshot() as never)))
    const restored = createSimulatedExchange()
    restored.restore(copy)
    expect(restored.stateHash).toBe(original.stateHash)
    expect(statusAt(restored, orderId, START + 699)).toBe('PENDING_CANCEL')
    expect(statusAt(restored, orderId, START + 700)).toBe('CANCELED')
  })

  it('goes on from its file, and from one of an exchange without a dialect', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-dialect-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const live = (dialect: 'document' | 'koinbay') => {
      const file = new ExchangeFile(join(folder, 'bot.exchange'), { syncs: false })
      onTestFinished(() => file.close())
      return createSimulatedExchange(dialectConfig(dialect), file)
    }
    const { orderIdString: early } = new ExchangeCaller(live('document')).post('/sapi/v2/order', LIMIT).json
    const orderId = placeAndCancel(live('koinbay'))
    const last = live('koinbay')
    expect(statusAt(last, early, START + 10)).toBe('NEW')
    expect(statusAt(last, orderId, START + 700)).toBe('CANCELED')
  })

  it('has the faults of the calls that its paths stand for', () => {
    const faults: FaultRuleInput[] = [
      { fault: 'serverError', endpoint: 'spotNewOrder', calls: [1] },
      { fault: 'truncatedJson', endpoint: 'spotOpenOrders', calls: [1], afterBytes: 1 },
      { fault: 'staleRead', endpoint: 'spotOpenOrders', calls: [2], lagMs: 5000 },
      { fault: 'pendingCancel', endpoint: 'spotCancel', calls: [1], delayMs: 900 },
    ]
    const caller = ExchangeCaller.open(dialectConfig('koinbay', { faults }))
    caller.now = START + 10_000
    expect(caller.post('/sapi/v1/order', LIMIT).status).toBe(500)
    const orderId = caller.post('/sapi/v1/order', LIMIT).json.orderIdString
    expect(() => caller.get('/sapi/v1/openOrders')).toThrow(SyntaxError)
    expect(caller.get('/sapi/v1/openOrders').json).toEqual({ list: [] })
    expect(caller.get('/sapi/v1/openOrders').json.list).toHaveLength(1)
    caller.post('/sapi/v1/cancel', { symbol: 'BTC/USDT', orderId })
    expect(statusAt(caller.exchange, orderId, START + 10_899)).toBe('PENDING_CANCEL')
    expect(statusAt(caller.exchange, orderId, START + 10_900)).toBe('CANCELED')
  })

  it('may fill between the answer to a cancel and its execution', () => {
    const caller = ExchangeCaller.open(dialectConfig('koinbay'))
    const orderId = placeAndCancel(caller.exchange)
    caller.exchange.stage({ type: 'shock', time: START + 300, symbol: 'BTC/USDT', price: '80' })
    expect(statusAt(caller.exchange, orderId, START + 699)).toBe('FILLED')
    expect(statusAt(caller.exchange, orderId, START + 700)).toBe('FILLED')
  })

  it('counts requests for paths that it has not', () => {
    const limits = { ipWeightPerMinute: 2 }
    const caller = ExchangeCaller.open(dialectConfig('koinbay', { limits }))
    const statuses = [1, 2, 3].map(() => caller.get('/sapi/v2/time').status)
    expect(statuses).toEqual([200, 200, 429])
  })
})
