import { expect, it } from 'vitest'
import { enterLong } from '../../../src/strategy/index.ts'
import { QUIET, runScript } from '../kline-table.ts'

it('a path is found in time among dozens of entries that one kline reaches with all their exits', () => {
  const ladder = Array.from({ length: 30 }, (_, index) =>
    enterLong({
      order: { type: 'limit', price: 99 - index },
      stopLoss: 60 - index,
      takeProfit: { fraction: 0.02 },
      trailingStop: { fraction: 0.01 + index / 1000 },
      scaleIn: true,
      size: { base: 0.1 },
    }),
  )
  for (const path of ['pessimistic', 'optimistic'] as const) {
    const { fills } = runScript({ 0: ladder }, [QUIET, [100, 101, 20, 100]], { fills: { path } })
    expect(fills.length).toBe(60)
  }
}, 60_000)
