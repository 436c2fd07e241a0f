import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExchangeFile } from '../../../src/simulator/saved/exchange-file.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { ExchangeCaller, START } from '../exchange-caller.ts'

test('an exchange that dies after a fill of which a user was told goes on with it, and with the queue', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-live-')), 'exchange')
  const opened = () => {
    const config = { listings: [{ symbol: 'BTC/USDT', market: { type: 'live' as const } }], keptInputs: 0 }
    return new ExchangeCaller(createSimulatedExchange(config, new ExchangeFile(path, { syncs: false })))
  }
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
