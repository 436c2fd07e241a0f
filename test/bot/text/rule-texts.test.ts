import { expect, it } from 'vitest'
import { protectionWord, ruleTexts } from '../../../src/bot/text/rule-texts.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'

it('tells limits and protections in words, with their units', () => {
  const rules = ruleTexts(
    {
      limits: {
        priceBandRate: rateOf('0.03'),
        maxNotional: amountOf('2500'),
        maxPosition: { base: amountOf('0.5') },
        maxOrders: { count: 1, perMs: 60_000 },
      },
      protections: {
        dailyLoss: { rate: rateOf('0.05'), mode: 'halted' },
        drawdown: { rate: rateOf('0.15'), mode: 'halted' },
        lossesInARow: { count: 4, pauseMs: 600_000, mode: 'reducing' },
      },
    },
    { base: 'BTC', quote: 'USDT' },
  )
  expect(rules.map(({ name, rule }) => `${name}: ${rule}`)).toEqual([
    'price band: 3% from the latest price',
    'maximum notional: 2,500.00 USDT',
    'maximum position: 0.5 BTC',
    'maximum number of orders: 1 order in 60 s',
    'daily loss: 5% of the equity of midnight; halted until the next',
    'drawdown: 15% of the highest equity; halted until an operator resumes',
    'losses in a row: 4 trades with a loss; reducing for 10 min',
  ])
  expect([protectionWord('lossesInARow'), protectionWord('operator')]).toEqual([
    'losses in a row',
    'operator',
  ])
})
