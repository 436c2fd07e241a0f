import type { Side } from '../../../src/domain/orders/side.ts'
import type { EnterSignal, QuoteWish } from '../../../src/domain/signal.ts'
import { enterLong, keepQuotes } from '../../../src/strategy/index.ts'
import { lifetimeOf, type Move, near, type Random, sizeOf } from './chaos-move.ts'

/** What resting entries are told beside their price. */
function resting(random: Random): Pick<EnterSignal, 'size' | 'stopLoss' | 'scaleIn' | 'expiresAfter'> {
  return { ...sizeOf(random), scaleIn: true, ...lifetimeOf(random) }
}

function quoteOf(side: Side, price: number, random: Random): QuoteWish {
  const size = { base: Math.round((0.3 + random()) * 1000) / 1000 }
  return { side, price, size, postOnly: random() < 0.7, tag: side }
}

/** Every way into a position. */
export const ENTERING_MOVES = {
  market: (_price, random) => enterLong({ ...sizeOf(random), scaleIn: random() < 0.5 }),
  bracket: (_price, random) =>
    enterLong({
      ...sizeOf(random),
      scaleIn: random() < 0.5,
      stopLoss: { fraction: 0.004 + random() * 0.02 },
      takeProfit: { fraction: 0.004 + random() * 0.02 },
    }),
  trailing: (_price, random) =>
    enterLong({
      ...sizeOf(random),
      scaleIn: random() < 0.5,
      trailingStop: { fraction: 0.004 + random() * 0.015 },
      ...(random() < 0.5 && { stopLoss: { fraction: 0.03 } }),
    }),
  parts: (_price, random) =>
    enterLong({
      ...sizeOf(random),
      scaleIn: random() < 0.7,
      stopLoss: { fraction: 0.012 },
      takeProfit: [
        { at: { fraction: 0.003 }, fraction: 0.3 },
        { at: { fraction: 0.006 }, fraction: 0.3 },
        { at: { fraction: 0.01 }, fraction: random() < 0.5 ? 0.4 : 0.2 },
      ],
    }),
  limit: (price, random) =>
    enterLong({
      ...resting(random),
      order: { type: 'limit', price: near(price, 0.012, random) },
      ...(random() < 0.7 && { stopLoss: { fraction: 0.01 }, takeProfit: { fraction: 0.008 } }),
    }),
  ladder: (price, random) =>
    [0.997, 0.993, 0.988].map((step, index) =>
      enterLong({
        ...resting(random),
        order: { type: 'limit', price: price * step },
        tag: `rung ${index}`,
        ...(random() < 0.5 && { stopLoss: { fraction: 0.012 } }),
      }),
    ),
  kept: (price, random) =>
    enterLong({
      ...resting(random),
      keep: true,
      tag: random() < 0.5 ? 'low' : 'high',
      order: { type: 'limit', price: near(price, 0.01, random) },
      takeProfit: { fraction: 0.006 },
    }),
  maker: (price, random) =>
    enterLong({
      ...resting(random),
      order: { type: 'limit', price: near(price, 0.004, random), postOnly: true },
      ...(random() < 0.5 && { stopLoss: { fraction: 0.01 } }),
    }),
  atOnce: (price, random) =>
    enterLong({
      ...sizeOf(random),
      scaleIn: true,
      order: { type: 'limit', price: near(price, 0.003, random), timeInForce: 'IOC' },
      takeProfit: { fraction: 0.007 },
    }),
  wholeOrNot: (price, random) =>
    enterLong({
      ...sizeOf(random),
      scaleIn: true,
      order: { type: 'limit', price: near(price, 0.004, random), timeInForce: 'FOK' },
      trailingStop: { callbackRate: 0.008 },
    }),
  stopEntry: (price, random) =>
    enterLong({
      ...resting(random),
      order: { type: 'stop', stopPrice: price * (1 + random() * 0.01) },
      trailingStop: { callbackRate: 0.006, activation: { fraction: 0.002 } },
    }),
  stopLimitEntry: (price, random) =>
    enterLong({
      ...resting(random),
      order: { type: 'stopLimit', stopPrice: price * (1 + random() * 0.006), price: price * 1.008 },
      stopLoss: { fraction: 0.01 },
    }),
  touched: (price, random) =>
    enterLong({
      ...resting(random),
      order: { type: 'ifTouched', triggerPrice: price * (1 - random() * 0.008) },
      stopLoss: { fraction: 0.01 },
    }),
  pair: (price, random) => [
    enterLong({
      ...resting(random),
      oco: 'pair',
      order: { type: 'limit', price: price * (0.999 - random() * 0.006) },
      stopLoss: { fraction: 0.01 },
    }),
    enterLong({
      ...resting(random),
      oco: 'pair',
      keep: random() < 0.3,
      order: { type: 'stop', stopPrice: price * (1.001 + random() * 0.006) },
      trailingStop: { fraction: 0.008 },
    }),
  ],
  crowd: (price, random) => [
    ...[0.999, 0.996].map(step =>
      enterLong({ ...resting(random), oco: 'crowd', order: { type: 'limit', price: price * step } }),
    ),
    enterLong({
      ...resting(random),
      oco: 'crowd',
      order: { type: 'ifTouched', triggerPrice: price * 0.9975 },
      stopLoss: { fraction: 0.01 },
    }),
    enterLong({
      ...resting(random),
      oco: 'crowd',
      order: { type: 'stopLimit', stopPrice: price * 1.002, price: price * 1.004 },
      takeProfit: { fraction: 0.006 },
    }),
  ],
  quotes: (price, random) =>
    keepQuotes(
      [1, 2].flatMap(step => [
        quoteOf('buy', price * (1 - step * 0.002 - random() * 0.002), random),
        quoteOf('sell', price * (1 + step * 0.002 + random() * 0.002), random),
      ]),
      random() < 0.3 ? { name: 'wide' } : {},
    ),
  bids: (price, random) =>
    keepQuotes([quoteOf('buy', price * (1 - random() * 0.004), random)], { tolerance: 0.3 }),
  noQuotes: () => keepQuotes([]),
} satisfies Readonly<Record<string, Move>>
