import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { defineStrategy, ema, enterLong, exit } from '../../../src/strategy/index.ts'
import { klinesOf } from '../../simulator/exchange-caller.ts'

/** Klines around 100 that move by up to some percent each, so that stops and limits are reached often. */
export function busyKlines(count: number, seed: number): readonly Kline[] {
  const random = seededRandom(seed).uniform
  let close = 100
  return klinesOf(
    ...Array.from({ length: count }, () => {
      const open = close
      close = cents(Math.max(80, Math.min(125, open * (1 + (random() - 0.5) * 0.04))))
      const high = cents(Math.max(open, close) * (1 + random() * 0.01))
      const low = cents(Math.min(open, close) * (1 - random() * 0.01))
      return [open, high, low, close, 40] as const
    }),
  )
}

function cents(price: number): number {
  return Math.round(price * 100) / 100
}

/** Uses everything that can be asked for: market, limit and stop entries, brackets, trailing stops, partial exits, scaling in. */
export const busyStrategy = defineStrategy({
  name: 'busy',
  indicators: () => ({ average: ema(4) }),
  state: () => ({ row: 0, fills: new Map<string, number>() }),
  onKline: ({ close }, { state, position, indicators }): Signal | readonly Signal[] | undefined => {
    const step = state.row++ % 8
    const size = { base: 2 + step / 10 }
    const isLong = position.direction === 'long'
    switch (step) {
      case 0:
        return enterLong({ size, stopLoss: { fraction: 0.012 }, takeProfit: { fraction: 0.015 } })
      case 1:
        return enterLong({
          size,
          order: { type: 'limit', price: close * 0.995 },
          stopLoss: { fraction: 0.02 },
          scaleIn: true,
        })
      case 2:
        return isLong ? exit({ fraction: 0.5 }) : enterLong({ size, trailingStop: { fraction: 0.008 } })
      case 3:
        return [
          enterLong({ size, order: { type: 'limit', price: close * 0.99 }, scaleIn: true, tag: 'deep' }),
          enterLong({
            size,
            order: { type: 'stop', stopPrice: close * 1.004 },
            scaleIn: true,
            takeProfit: { fraction: 0.01 },
          }),
        ]
      case 4:
        return isLong ? exit({ order: { type: 'limit', price: close * 1.004 } }) : undefined
      case 5:
        return close > indicators.average.value
          ? exit()
          : enterLong({ size, scaleIn: true, trailingStop: { fraction: 0.01 }, stopLoss: { fraction: 0.03 } })
      case 6:
        return enterLong({
          size,
          order: { type: 'limit', price: close * 1.01 },
          scaleIn: true,
          stopLoss: { fraction: 0.015 },
        })
      default:
        return undefined
    }
  },
  onFill: ({ purpose, quantity }, { state }) => {
    state.fills.set(purpose, (state.fills.get(purpose) ?? 0) + quantity)
    return undefined
  },
  onOrder: ({ status, purpose }, { position }) =>
    status === 'rejected' && purpose === 'exit' && position.direction === 'long' ? exit() : undefined,
})
