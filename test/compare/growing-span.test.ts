import { describe, expect, it } from 'vitest'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { hasShared } from '../shared-data.ts'
import { comparedAsItGrows, partsOf } from './compared-bot.ts'

/** Always holds something that a target or a trailing stop near by closes inside a kline. */
const targets = defineStrategy({
  name: 'targets',
  state: () => ({ entries: 0 }),
  onKline({ close }, { position, state }) {
    if (position.direction !== 'flat') return
    state.entries++
    return state.entries % 2 === 0
      ? enterLong({ stopLoss: close * 0.99, takeProfit: { fraction: 0.0004 } })
      : enterLong({ stopLoss: close * 0.99, trailingStop: { callbackRate: 0.001 } })
  },
})

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))(
  'a comparison that goes on while the bot trades',
  () => {
    it('calls no exit inside a kline unexplained, neither before that kline has closed nor after', async () => {
      const comparisons = await comparedAsItGrows({
        strategies: [{ strategy: targets, size: { quote: 1000 } }],
        minutes: 12,
      })
      const exits = comparisons
        .at(-1)
        ?.orders.filter(({ live }) => live?.request.protects !== undefined && live.fills.length > 0)
      expect(exits?.length).toBeGreaterThan(1)
      expect(comparisons.filter(({ parts }) => parts.unexplained !== 0n).map(partsOf)).toEqual([])
      expect(comparisons.map(({ verdict }) => verdict)).not.toContain('unexplained')
    })
  },
)
