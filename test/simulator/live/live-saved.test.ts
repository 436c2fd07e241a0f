import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExchangeFile } from '../../../src/simulator/saved/exchange-file.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { ExchangeCaller, START } from '../exchange-caller.ts'

/** Opens the exchange in a new file, again and again. */
function exchangeIn(path: string): () => ExchangeCaller {
  const config = { listings: [{ symbol: 'BTC/USDT', market: { type: 'live' as const } }], keptInputs: 0 }
  return () => new ExchangeCaller(createSimulatedExchange(config, new ExchangeFile(path, { syncs: false })))
}

const newPath = () => join(mkdtempSync(join(tmpdir(), 'sluice-live-')), 'exchange')

test('an exchange that dies gives every order the latency again that it had, and so the same order book', () => {
  const opened = exchangeIn(newPath())
  const first = opened()
  const show = (ms: number, ask: string, roundTripMs?: number) => {
    first.now = START + ms
    const book = { time: START + ms, bids: [['99', '5']], asks: [[ask, '5']], levels: 20 }
    const observation = { symbol: 'BTC/USDT', kind: 'book', roundTripMs, book }
    first.exchange.observe(observation as never, first.now)
  }
  // The state is saved at the beginning; no order is on the market yet, and the one that comes takes 900 ms.
  show(0, '100')
  show(100, '100', 900)
  first.now = START + 200
  const order = first.order('BUY', 'LIMIT', '1', '110')
  show(500, '100')
  show(1200, '101')
  const filled = first.find(order).json
  expect(filled).toMatchObject({ status: 'FILLED', avgPrice: '101' })

  const second = opened()
  second.now = START + 2000
  expect(second.find(order).json).toEqual(filled)
  expect(second.balance('USDT')).toEqual(first.balance('USDT'))
})

test('an exchange that dies after a fill of which a user was told goes on with it, and with the queue', () => {
  const opened = exchangeIn(newPath())
  const observe = (caller: ExchangeCaller, ms: number, observation: object) => {
    caller.now = START + ms
    caller.exchange.observe({ symbol: 'BTC/USDT', ...observation } as never, caller.now)
  }
  const book = (ms: number) => ({
    ...{ kind: 'book', roundTripMs: 80 },
    book: { time: START + ms, bids: [['99', '5']], asks: [['100', '5']], levels: 20 },
  })
  const sale = (ms: number, quantity: string) => ({
    ...{
      kind: 'trades',
      trades: [{ id: String(ms), time: START + ms, price: '99', quantity, side: 'sell' }],
    },
  })
  const first = opened()
  observe(first, 0, book(0))
  const order = first.order('BUY', 'LIMIT', '4', '99')
  observe(first, 1000, book(1000))
  observe(first, 1500, sale(1500, '6'))
  // 5 were ahead: 1 is ours.
  expect(first.find(order).json.executedQty).toBe('1.00000')

  // Nothing is saved in order: the process is gone.
  const second = opened()
  second.now = START + 2000
  expect(second.find(order).json).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '1.00000' })
  expect(second.balance('USDT')).toEqual(first.balance('USDT'))
  observe(second, 2500, sale(2500, '2'))
  // Nothing is ahead any more.
  expect(second.find(order).json.executedQty).toBe('3.00000')
})
