import { expect, it } from 'vitest'
import { enterLong, exit, keepQuotes, protect, targetPosition } from '../../../src/strategy/index.ts'
import { mirrored } from './mirrored.ts'

it('turns each wish round, its prices as far on the other side', () => {
  const entry = enterLong({
    order: { type: 'stopLimit', stopPrice: 101, price: 102 },
    stopLoss: 95,
    takeProfit: [
      { at: 110, fraction: 0.5 },
      { at: { fraction: 0.2 }, fraction: 0.5 },
    ],
    trailingStop: { distance: 3 },
  })
  expect(mirrored(entry, 100)).toEqual({
    ...entry,
    direction: 'short',
    order: { type: 'stopLimit', stopPrice: 99, price: 98 },
    stopLoss: 105,
    takeProfit: [
      { at: 90, fraction: 0.5 },
      { at: { fraction: 0.2 }, fraction: 0.5 },
    ],
  })
  expect(mirrored(exit({ order: { type: 'limit', price: 104 } }), 100)).toEqual(
    exit({ order: { type: 'limit', price: 96 } }),
  )
  expect(mirrored(targetPosition({ base: 2 }, { stopLoss: 90 }), 100)).toEqual(
    targetPosition({ base: -2 }, { stopLoss: 110 }),
  )
  expect(mirrored(protect({ stopLoss: 99, takeProfit: 'none' }), 100)).toEqual(
    protect({ stopLoss: 101, takeProfit: 'none' }),
  )
  const quote = { side: 'buy', price: 99, size: { base: 1 } } as const
  expect(mirrored(keepQuotes([quote]), 100)).toEqual(keepQuotes([{ ...quote, side: 'sell', price: 101 }]))
})
