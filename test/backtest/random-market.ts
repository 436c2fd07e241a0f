import * as fc from 'fast-check'
import type { FillSettings } from '../../backtest/models/fill-settings.ts'
import { seededRandom } from '../../src/domain/numbers/seeded-random.ts'
import type {
  EnterSignal,
  OrderWish,
  Protection,
  Signal,
  TakeProfitPart,
  TrailingStop,
} from '../../src/domain/signal.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  integer,
  protect,
  type Signals,
  type Strategy,
  targetPosition,
} from '../../src/strategy/index.ts'
import type { FillView } from '../../src/strategy/strategy-view.ts'
import type { Row } from './kline-table.ts'

/** Klines around 100 with gaps, touches and long wicks, on the grid of cents. */
export function randomRows(seed: number, count: number): Row[] {
  const random = seededRandom(seed).uniform
  const move = (size: number) => Math.round((random() - 0.5) * 2 * size * 100) / 100
  const rows: Row[] = []
  let before = 100
  for (let row = 0; row < count; row++) {
    const open = onGrid(before + (random() < 0.3 ? move(3) : 0))
    const close = onGrid(open + move(2))
    const high = onGrid(Math.max(open, close) + Math.max(0, move(2)))
    const low = onGrid(Math.min(open, close) - Math.max(0, move(2)))
    rows.push([open, high, low, close])
    before = close + (100 - close) * 0.05
  }
  return rows
}

function onGrid(price: number): number {
  return Math.round(price * 100) / 100
}

interface Seeded {
  readonly state: { readonly random: () => number }
}

/** What a strategy says, by a price and by chance. */
type SignalsAt = (price: number, random: () => number) => Signals

/** A strategy whose signals a seed decides; without `onFill` nobody tells it of fills. */
export function seededStrategy(name: string, onKline: SignalsAt, onFill?: SignalsAt): Strategy {
  return defineStrategy({
    name,
    parameters: { seed: integer({ default: 1, min: 0, max: 2 ** 31, description: 'Seed.' }) },
    state: ({ seed }) => ({ random: seededRandom(seed).uniform }),
    onKline: ({ close }, { state: { random } }) => onKline(close, random),
    ...(onFill !== undefined && {
      onFill: ({ price }: FillView, { state: { random } }: Seeded) => onFill(price, random),
    }),
  })
}

/** Says anything a strategy can say, at any time, on klines and on fills. */
export const randomSignals = seededStrategy(
  'random-signals',
  (close, random) => {
    if (random() < 0.5) return
    return random() < 0.7 ? signalAt(close, random) : [signalAt(close, random), signalAt(close, random)]
  },
  (price, random) => (random() < 0.2 ? signalAt(price, random) : undefined),
)

function signalAt(price: number, random: () => number): Signal {
  const kind = random()
  if (kind < 0.1) return exit({ fraction: random() < 0.5 ? 0.5 : 1 })
  if (kind < 0.15) return exit({ order: { type: 'limit', price: price * (0.98 + random() * 0.04) } })
  if (kind < 0.2) return cancelEntries()
  if (kind < 0.27) return changeOf(random)
  if (kind < 0.3) {
    return exit({
      order: { type: 'stop', stopPrice: price * (0.98 + random() * 0.04) },
      expiresAfter: { klines: 3 },
    })
  }
  const protection = protectionOf(random)
  if (kind < 0.4) return targetPosition({ base: Math.round((random() - 0.5) * 10_000) / 1000 }, protection)
  const enter = random() < 0.5 ? enterLong : enterShort
  const size = random() < 0.5 ? { base: 0.1 + random() * 3 } : { equityFraction: 0.05 + random() * 0.5 }
  const order = orderNear(price, random)
  return enter({ order, size, scaleIn: random() < 0.5, ...protection, ...termsOf(order, random) })
}

function changeOf(random: () => number): Signal {
  const { stopLoss = 'none', takeProfit = 'none' } = protectionOf(random)
  return random() < 0.5 ? protect({ stopLoss }) : protect({ stopLoss, takeProfit })
}

/** What an order that rests may be told. */
function termsOf(order: OrderWish, random: () => number): Pick<EnterSignal, 'expiresAfter' | 'oco' | 'keep'> {
  const rests = order.type !== 'market' && (order.type !== 'limit' || order.timeInForce === undefined)
  if (!rests || random() < 0.5) return {}
  if (random() < 0.4) return { expiresAfter: random() < 0.5 ? { klines: 2 } : { ms: 90_000 } }
  return random() < 0.5 ? { oco: 'pair' } : { keep: true, expiresAfter: { klines: 10 } }
}

function orderNear(price: number, random: () => number): OrderWish {
  const near = () => price * (0.98 + random() * 0.04)
  const kind = random()
  if (kind < 0.3) return { type: 'market' }
  if (kind < 0.45) return { type: 'limit', price: near() }
  if (kind < 0.5) return { type: 'limit', price: near(), timeInForce: 'IOC' }
  if (kind < 0.53) return { type: 'limit', price: near(), timeInForce: 'FOK' }
  if (kind < 0.58) return { type: 'limit', price: near(), postOnly: true }
  const triggerAtOnce = random() < 0.5
  if (kind < 0.65) return { type: 'ifTouched', triggerPrice: near(), triggerAtOnce }
  if (kind < 0.8) return { type: 'stop', stopPrice: near(), triggerAtOnce }
  return { type: 'stopLimit', stopPrice: near(), price: near(), triggerAtOnce }
}

/** Any form of a trailing stop. */
function trailingOf({ fraction }: { readonly fraction: number }, random: () => number): TrailingStop {
  if (random() < 0.3) return { fraction }
  const activation = random() < 0.5 ? { activation: { fraction: 0.002 + random() * 0.01 } } : {}
  return { callbackRate: fraction, ...activation }
}

function protectionOf(random: () => number): Protection {
  const fraction = () => ({ fraction: 0.002 + random() * 0.02 })
  return {
    ...(random() < 0.5 && { stopLoss: fraction() }),
    ...(random() < 0.5 && { takeProfit: random() < 0.5 ? fraction() : halves(fraction) }),
    ...(random() < 0.3 && { trailingStop: trailingOf(fraction(), random) }),
  }
}

function halves(fraction: () => { fraction: number }): readonly TakeProfitPart[] {
  return [
    { at: fraction(), fraction: 0.5 },
    { at: fraction(), fraction: 0.5 },
  ]
}

/** Any fill settings that keep fills inside their kline. */
export const anyFillSettings: fc.Arbitrary<FillSettings> = fc.record({
  path: fc.constant('pessimistic'),
  volumeImpact: fc.constant(0),
  spreadRate: fc.constant(0),
  spreadTicks: fc.constant(0),
  latencyMs: fc.constant(0),
  queue: fc.constant('shown'),
  slippageRate: fc.constantFrom(0, 0.0002, 0.003),
  slippageTicks: fc.constantFrom(0, 2),
  limitFill: fc.constantFrom('touch', 'through'),
  gappedLimit: fc.constantFrom('atLimit', 'atOpen'),
  entryKlineProtection: fc.constantFrom('all', 'marketEntries'),
  stopLossFirst: fc.constantFrom('unlessOpenPassedTakeProfit', 'always'),
  stopLimit: fc.constant('gapAware'),
})

/** Any seed. */
export const anySeed = fc.integer({ min: 0, max: 2 ** 31 - 1 })
