import { expect, it } from 'vitest'
import type { BotStatus } from '../../src/bot/log/bot-status.ts'
import { orderText } from '../../src/observe/telegram/telegram-views.ts'

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
