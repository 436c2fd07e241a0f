import type { Signal, Size } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, enterShort, exit, type Strategy } from '../../../src/strategy/index.ts'

/** What the fifth and the sixth kline of every seven are for. */
export interface TurningSteps {
  readonly fifth: (size: Size, isFlat: boolean) => Signal
  readonly sixth: (size: Size, close: number) => Signal
}

/** Long and short, at market, at limits and at stops, with protection and without, in and out: a round of seven klines, again and again. */
export function turningTrader(name: string, { fifth, sixth }: TurningSteps): Strategy {
  return defineStrategy({
    name,
    state: () => ({ row: 0 }),
    onKline: ({ close }, { state, position }): Signal | readonly Signal[] | undefined => {
      const step = state.row++ % 7
      const size = { base: 2 + step / 10 }
      switch (step) {
        case 0:
          return enterLong({ size, stopLoss: { fraction: 0.015 }, takeProfit: { fraction: 0.01 } })
        case 1:
          return enterShort({
            size,
            order: { type: 'limit', price: close * 1.004 },
            stopLoss: { fraction: 0.02 },
          })
        case 2:
          return position.direction === 'flat'
            ? enterShort({ size, trailingStop: { fraction: 0.01 } })
            : exit({ fraction: 0.5 })
        case 3:
          return enterLong({
            size,
            order: { type: 'stop', stopPrice: close * 1.003 },
            scaleIn: true,
            stopLoss: { fraction: 0.02 },
          })
        case 4:
          return fifth(size, position.direction === 'flat')
        case 5:
          return sixth(size, close)
        default:
          return undefined
      }
    },
  })
}
