import * as fc from 'fast-check'
import {
  DEFAULT_FILL_SETTINGS,
  type FillSettings,
  type PathPolicy,
} from '../../../backtest/models/fill-settings.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'

/** Length of the klines of a case, ms. */
export const CASE_MINUTE = 60_000

/** An entry of a case, with distances of its protective orders; all prices are whole numbers. */
export interface CaseOrder {
  readonly id: string
  /** The kline before whose open it is placed. */
  readonly row: number
  readonly side: 'buy' | 'sell'
  readonly type: 'market' | 'limit' | 'stop' | 'stopLimit' | 'ifTouched'
  /** For limit orders. */
  readonly kind: 'ioc' | 'fok' | 'postOnly' | undefined
  /** So many decisions later it is taken back. */
  readonly lives: number | undefined
  /** Whether it is one of the entries of which only one may fill. */
  readonly isGrouped: boolean
  /** Of a stop, or of an order that trades if touched. */
  readonly stopPrice: number
  readonly price: number
  /** Steps. */
  readonly quantity: number
  readonly stopLoss: number | undefined
  readonly takeProfit: number | undefined
  /** Take-profits of parts instead: distance, and fraction of what was traded. */
  readonly parts: readonly CasePart[] | undefined
  readonly trailing: number | undefined
}

/** A take-profit of a part. */
export interface CasePart {
  readonly distance: number
  readonly fraction: number
}

/** Klines and orders, and the rules by which they are to trade. */
export interface FillCase {
  readonly klines: readonly Kline[]
  readonly orders: readonly CaseOrder[]
  readonly settings: FillSettings
}

/** A fill of a case in words: row, order, price, steps, liquidity. */
export function caseFillText(
  row: number,
  id: string,
  price: number,
  quantity: number,
  liquidity: string,
): string {
  return `${row}: ${id} ${quantity} at ${price} ${liquidity}`
}

const ROWS = 10
const anyPrice = fc.integer({ min: 92, max: 108 })
const anyDistance = fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined })
const anyKline = fc.tuple(anyPrice, anyPrice, anyPrice, anyPrice, fc.integer({ min: 0, max: 8 }))

/** Halves and quarters, whole or not: every sum of them is exact. */
const anyParts = fc
  .constantFrom([0.5, 0.5], [0.25, 0.75], [0.25, 0.25, 0.5], [0.5, 0.25], [0.25])
  .chain(fractions =>
    fc
      .array(fc.integer({ min: 1, max: 8 }), { minLength: 3, maxLength: 3 })
      .map(distances => fractions.map((fraction, index) => ({ fraction, distance: distances[index] ?? 1 }))),
  )

const anyOrder = fc.record({
  row: fc.integer({ min: 0, max: ROWS - 1 }),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('market', 'limit', 'limit', 'stop', 'stopLimit', 'ifTouched'),
  kind: fc.constantFrom(undefined, undefined, 'ioc', 'fok', 'postOnly'),
  lives: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  isGrouped: fc.boolean(),
  stopPrice: anyPrice,
  price: anyPrice,
  quantity: fc.integer({ min: 1, max: 4 }),
  stopLoss: anyDistance,
  takeProfit: anyDistance,
  parts: fc.option(anyParts, { nil: undefined, freq: 2 }),
  trailing: anyDistance,
})

const anyRules = fc.record({
  slippageRate: fc.constantFrom(0, 0.004),
  slippageTicks: fc.constantFrom(0, 2),
  spreadTicks: fc.constantFrom(0, 3),
  volumeImpact: fc.constantFrom(0, 0.1),
  latencyMs: fc.constantFrom(0, 0, 1, CASE_MINUTE, 1.5 * CASE_MINUTE),
  maxVolumeShare: fc.constantFrom(undefined, undefined, 0.5),
  limitFill: fc.constantFrom('touch', 'through'),
  gappedLimit: fc.constantFrom('atLimit', 'atOpen'),
} as const)

/** Any klines around 100 on a grid of whole numbers, so that touches, ties and gaps are common, with any orders. */
export function anyCase(path: PathPolicy): fc.Arbitrary<FillCase> {
  return fc
    .record({
      klines: fc.array(anyKline, { minLength: 1, maxLength: ROWS }),
      orders: fc.array(anyOrder, { minLength: 1, maxLength: 4 }),
      rules: anyRules,
    })
    .map(({ klines, orders, rules }) => ({
      klines: klines.map(klineOf),
      orders: consistent(orders).map((order, index) => ({ ...order, id: `order${index}` })),
      settings: { ...DEFAULT_FILL_SETTINGS, ...rules, path },
    }))
}

type Drawn = Omit<CaseOrder, 'id'>

/** What an order cannot be is taken from it; the orders of the group come together. */
function consistent(orders: readonly Drawn[]): readonly Drawn[] {
  const groupRow = orders.find(isOfGroup)?.row
  return orders.map(order => ({
    ...order,
    kind: order.type === 'limit' ? order.kind : undefined,
    isGrouped: isOfGroup(order),
    row: isOfGroup(order) && groupRow !== undefined ? groupRow : order.row,
    takeProfit: order.parts === undefined ? order.takeProfit : undefined,
  }))
}

function isOfGroup({ isGrouped, type }: Drawn): boolean {
  return isGrouped && type !== 'market'
}

function klineOf(
  [open, close, one, other, volume]: readonly [number, number, number, number, number],
  row: number,
) {
  const high = Math.max(open, close, one, other)
  const low = Math.min(open, close, one, other)
  return { openTime: row * CASE_MINUTE, open, high, low, close, volume }
}
