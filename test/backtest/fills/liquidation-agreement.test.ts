import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { contractFills, contractWith } from '../futures/contract-run.ts'
import { QUIET, type Row, runScript } from '../kline-table.ts'

// A second writing of the rules of liquidations, stop-losses and take-profits for one isolated position of one base, entered
// at 100 at the open of the second kline: in hundredths (the tick), for a long one; a short one is seen in a mirror.

interface Case {
  readonly isLong: boolean
  readonly leverage: number
  /** Distances from 100. */
  readonly stop: number | undefined
  readonly target: number | undefined
  readonly rows: readonly Row[]
}

const CENTS = 100
const ENTRY = 100 * CENTS

/** What happens to the position, in words; `undefined` where it stays open. */
function naiveExit({ isLong, leverage, stop, target, rows }: Case, path: PathPolicy): string | undefined {
  const sign = isLong ? 1 : -1
  const seen = (price: number) => sign * Math.round(price * CENTS)
  const margin = new Decimal(100).div(leverage)
  // What is left once the price is p: margin ± (p − 100); what must be left: 1 % of p.
  const level = isLong
    ? new Decimal(100).minus(margin).div('0.99').times(CENTS).floor().toNumber()
    : -new Decimal(100).plus(margin).div('1.01').times(CENTS).ceil().toNumber()
  // Nothing is left of the margin.
  const bankrupt = isLong
    ? new Decimal(100).minus(margin).times(CENTS).ceil().toNumber()
    : -new Decimal(100).plus(margin).times(CENTS).floor().toNumber()
  const stopAt = stop === undefined ? undefined : sign * ENTRY - stop * CENTS
  const targetAt = target === undefined ? undefined : sign * ENTRY + target * CENTS
  const say = (row: number, price: number, how: string) =>
    `${row}: ${isLong ? 'sell' : 'buy'} 1 at ${Math.abs(price) / CENTS}${how}`
  for (let row = 1; row < rows.length; row++) {
    const [open, high, low, close] = (rows[row] as Row).map(seen) as [number, number, number, number]
    const [top, bottom] = [Math.max(high, low), Math.min(high, low)]
    const gone = (price: number) => say(row, Math.max(price, bankrupt), ' liquidated')
    if (open <= level) return gone(open)
    if (row > 1 && stopAt !== undefined && open <= stopAt) return say(row, open, '')
    if (row > 1 && targetAt !== undefined && open > targetAt) return say(row, targetAt, ' maker')
    if (path === 'ohlc' || path === 'olhc') {
      // The mirror swaps high and low, so that the path of a short one starts the other way.
      const first = (path === 'ohlc') === isLong ? top : bottom
      let at = open
      for (const to of [first, first === top ? bottom : top, close]) {
        for (; at !== to; at += Math.sign(to - at)) {
          if (at <= level) return gone(at)
          if (stopAt !== undefined && at <= stopAt) return say(row, stopAt, '')
          if (targetAt !== undefined && at > targetAt) return say(row, targetAt, ' maker')
        }
        if (at <= level) return gone(at)
        if (stopAt !== undefined && at <= stopAt) return say(row, stopAt, '')
      }
      continue
    }
    const hopes = targetAt !== undefined && top > targetAt ? say(row, targetAt, ' maker') : undefined
    if (path === 'optimistic' && hopes !== undefined) return hopes
    const isLiquidatedFirst = stopAt === undefined || stopAt <= level
    if (isLiquidatedFirst && bottom <= level) return gone(level)
    if (stopAt !== undefined && bottom <= stopAt) return say(row, stopAt, '')
    if (hopes !== undefined) return hopes
  }
  return undefined
}

const anyPrice = fc.integer({ min: 84, max: 116 })
const anyDistance = fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined })
const anyCase = fc.record({
  isLong: fc.boolean(),
  leverage: fc.integer({ min: 5, max: 30 }),
  stop: anyDistance,
  target: anyDistance,
  rows: fc.array(fc.tuple(anyPrice, anyPrice, anyPrice, anyPrice), { minLength: 2, maxLength: 8 }).map(list =>
    [QUIET, ...list].map(([a, b, c, d], row): Row => {
      const open = row === 1 ? 100 : a
      return [open, Math.max(open, b, c, d), Math.min(open, b, c, d), d]
    }),
  ),
})

describe.each<PathPolicy>(['pessimistic', 'optimistic', 'ohlc', 'olhc'])(
  'liquidations with the path %s',
  path => {
    it('agree with a naive second writing of their rules', () => {
      const seen = { liquidated: 0, stopped: 0 }
      fc.assert(
        fc.property(anyCase, given => {
          const { isLong, leverage, stop, target, rows } = given
          const sign = isLong ? 1 : -1
          const enter = isLong ? enterLong : enterShort
          const signal = enter({
            ...(stop !== undefined && { stopLoss: 100 - sign * stop }),
            ...(target !== undefined && { takeProfit: 100 + sign * target }),
          })
          const result = runScript({ 0: signal }, rows, {
            ...{ instrument: contractWith({ leverage }), fills: { path } },
          })
          const [entry, exit] = contractFills(result)
          expect(entry).toBe(`1: ${isLong ? 'buy' : 'sell'} 1 at 100`)
          expect(exit).toBe(naiveExit(given, path))
          if (exit?.endsWith('liquidated')) seen.liquidated++
          else if (exit !== undefined) seen.stopped++
        }),
        { numRuns: 1000 },
      )
      expect(Math.min(seen.liquidated, seen.stopped)).toBeGreaterThan(100)
    })
  },
)
