import { expect, it } from 'vitest'
import type { BotStatus } from '../../src/bot/log/bot-status.ts'
import { orderText, viewText } from '../../src/observe/telegram/telegram-views.ts'

const STOP: BotStatus['orders'][number] = {
  ...{ symbol: 'BTC/USDT', side: 'sell', purpose: 'stopLoss', type: 'stop', clientOrderId: 'abc' },
  ...{ quantity: '0.1', filled: '0', unit: 'BTC', prices: [58_000], status: 'open', strategy: 'holder' },
} as BotStatus['orders'][number]

it('says of a stop that was never sent that the bot watches it, and of one at the exchange its status', () => {
  expect(orderText({ ...STOP, watchedBy: 'bot' })).toMatch(
    /^BTC\/USDT: SELL 0\.1 BTC stop .+, stop-loss, watched by the bot, not at the exchange yet$/,
  )
  expect(orderText(STOP)).toMatch(/, stop-loss, open$/)
})

it('separates the thousands of a quantity', () => {
  expect(orderText({ ...STOP, quantity: '1123', unit: 'contracts' })).toContain(' SELL 1,123 contracts ')
})

it('begins a status with the order that is lacking, since when, and with an account that has nothing left', async () => {
  const lack = { book: 'BTC/USDT', symbol: 'BTC/USDT', purpose: 'stopLoss', cause: 'price', why: 'Wait.' }
  const status = {
    ...{ bot: 'test', time: '2026-01-01T00:01:00.000Z', strategies: [], held: [] },
    unprotected: [{ ...lack, since: '2026-01-01T00:00:00.000Z' }],
    ...{ nothingLeft: 'Nothing is left.', line: { failedCalls: 0 }, equity: { USDT: '0' } },
  } as unknown as BotStatus // what the view reads
  const text = await viewText('status', {
    operate: async () => ({ ok: true, message: 'Trading is active.', status }),
    ...{ latest: () => [], result: () => '' },
  })
  expect(text.split('\n').slice(1, 3)).toEqual([
    'BTC/USDT IS NOT PROTECTED: its stop-loss waits here for its price, and no price has come since 2026-01-01 00:00:00Z. Wait.',
    'Nothing is left.',
  ])
})
