import { describe, expect, it } from 'vitest'
import { signalText } from '../../../src/bot/text/signal-text.ts'

const MARKET = { base: 'BTC', quote: 'USDT', pricePrecision: 2 }

describe('the text of a signal', () => {
  it.each([
    [
      {
        type: 'enter',
        direction: 'long',
        size: { quote: 1000.5 },
        stopLoss: 57999.123456,
        takeProfit: { fraction: 0.02 },
      },
      'enter long, size 1,000.50 USDT, stop-loss 57,999.12, take-profit 2% from the entry',
    ],
    [
      { type: 'enter', direction: 'short', order: { type: 'stopLimit', stopPrice: 58000, price: 57990.5 } },
      'enter short, stop-limit order at 58,000.00, limit 57,990.50',
    ],
    [{ type: 'target', size: { base: 0.1 + 0.2 } }, 'target position, size 0.3 BTC'],
    [{ type: 'target', size: { equityFraction: -0.25 } }, 'target position, size -25% of equity'],
    [{ type: 'exit', fraction: 0.5 }, 'exit, 50% of the position'],
    [
      {
        type: 'protect',
        takeProfit: [
          { at: 61000, fraction: 0.5 },
          { at: { fraction: 0.1 }, fraction: 0.5 },
        ],
      },
      'change protection, take-profit 61,000.00 (50% of the entry); 10% from the entry (50% of the entry)',
    ],
    [
      { type: 'protect', trailingStop: [{ distance: 1500 }, { callbackRate: 0.01, activation: 60000 }] },
      'change protection, trailing stop 1,500.00 behind the best price; 1% behind the best price, active from 60,000.00',
    ],
    [
      { type: 'quotes', quotes: [{ side: 'buy', price: 58999.999, size: { base: 0.1 } }] },
      // A bid is put down to the tick below.
      'quote, BUY 0.1 BTC at 58,999.99',
    ],
    [
      { type: 'enter', direction: 'long', stopLoss: 58222.34735, takeProfit: 59000.111 },
      // A stop never triggers earlier than asked, a target never earns less: below and above, for a long position.
      'enter long, stop-loss 58,222.34, take-profit 59,000.12',
    ],
    [
      {
        type: 'enter',
        direction: 'short',
        order: { type: 'limit', price: 58100.001 },
        stopLoss: 58222.34235,
      },
      'enter short, limit order at 58,100.01, stop-loss 58,222.35',
    ],
    [{ type: 'protect', stopLoss: 58222.34735 }, 'change protection, stop-loss 58,222.34735'],
  ])('%j has the assets and the precision of its market', (signal, text) => {
    expect(signalText(signal, MARKET)).toBe(text)
  })
})
