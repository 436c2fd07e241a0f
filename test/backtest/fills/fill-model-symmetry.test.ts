import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { anyCase, type CaseOrder, type FillCase } from './fill-case.ts'
import { gainOfFills } from './fill-case-gain.ts'
import { modelCaseFills } from './model-case-fills.ts'

const PATHLESS: readonly Partial<FillSettings>[] = [
  { stopLossFirst: 'always' },
  { entryKlineProtection: 'marketEntries' },
  { stopLimit: 'atStopPrice' },
]

/** The price that lies as far on the other side of 100. */
function mirror(price: number): number {
  return 200 - price
}

function mirrored({ klines, orders, settings }: FillCase): FillCase {
  const path = { ohlc: 'olhc', olhc: 'ohlc' } as Readonly<Record<string, FillSettings['path']>>
  return {
    klines: klines.map(({ open, high, low, close, ...rest }) => ({
      ...{ ...rest, open: mirror(open), high: mirror(low), low: mirror(high), close: mirror(close) },
    })),
    orders: orders.map(
      (order): CaseOrder => ({
        ...order,
        side: order.side === 'buy' ? 'sell' : 'buy',
        stopPrice: mirror(order.stopPrice),
        price: mirror(order.price),
      }),
    ),
    settings: { ...settings, path: path[settings.path] ?? settings.path },
  }
}

function mirroredFill(text: string): string {
  return text.replace(/(?<= at )\S+/, price => `${mirror(Number(price))}`)
}

/** Losses that are a part of the price are larger where prices are higher, so that a mirror would change them. */
function withoutRates(given: FillCase, rules: Partial<FillSettings> = {}): FillCase {
  return { ...given, settings: { ...given.settings, slippageRate: 0, volumeImpact: 0, ...rules } }
}

describe('who sells is treated as who buys', () => {
  const rules: readonly Partial<FillSettings>[] = [{ path: 'ohlc' }, ...PATHLESS]
  it.each(rules)('with %j', given => {
    let fills = 0
    fc.assert(
      fc.property(anyCase('pessimistic'), drawn => {
        const fillCase = withoutRates(drawn, given)
        const expected = modelCaseFills(fillCase).map(mirroredFill)
        fills += expected.length
        expect(modelCaseFills(mirrored(fillCase)).toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 300 },
    )
    expect(fills).toBeGreaterThan(100)
  })
})

/** A case of one kline on which all its orders are live. */
const anyKlineCase = anyCase('pessimistic')
  .map(
    ({ klines: [kline], orders, settings }): FillCase | undefined =>
      kline && {
        klines: [kline],
        orders: orders.map(order => ({ ...order, row: 0 })),
        settings: { ...settings, slippageRate: 0, volumeImpact: 0, latencyMs: 0 },
      },
  )
  .filter(given => given !== undefined)

/** An order without whatever these rules cannot know without the path: of protection, fixed exits of an entry at the open, or one trailing stop. */
function plain(order: CaseOrder): CaseOrder {
  const { type, stopLoss, takeProfit, parts, trailing } = order
  const fixed = { stopLoss, takeProfit, parts }
  const hasFixed = Object.values(fixed).some(exit => exit !== undefined)
  return {
    ...order,
    type: type === 'stopLimit' ? 'stop' : type,
    ...{ stopLoss: undefined, takeProfit: undefined, parts: undefined, trailing: undefined },
    ...(type === 'market' && (hasFixed ? fixed : { trailing })),
  }
}

const gainBy = (given: FillCase, rules: Partial<FillSettings>) => {
  const ruled = { ...given, settings: { ...given.settings, ...rules } }
  return gainOfFills(ruled, modelCaseFills(ruled))
}

describe('on a kline of unknown path', () => {
  it('rules that do not look at the path make what all paths make, where that is the same', () => {
    let alike = 0
    fc.assert(
      fc.property(anyKlineCase, drawn => {
        const [order] = drawn.orders
        if (order === undefined) return
        const given = withoutRates(
          { ...drawn, orders: [plain(order)] },
          { slippageTicks: 0, spreadTicks: 0, maxVolumeShare: undefined },
        )
        const gain = gainBy(given, { path: 'pessimistic' })
        if (gain !== gainBy(given, { path: 'optimistic' })) return
        for (const rules of PATHLESS) expect(gainBy(given, rules)).toBe(gain)
        if (gain !== 0) alike++
      }),
      { numRuns: 1500 },
    )
    expect(alike).toBeGreaterThan(100)
  })
})
