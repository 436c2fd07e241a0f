import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { contractFills, contractWith } from '../futures/contract-run.ts'
import { klinesOf, QUIET, type Row, runScript } from '../kline-table.ts'

// A second writing of the rules of liquidations, stop-losses and take-profits for one isolated position of one base, entered
// at 100 at the open of the second kline: in hundredths (the tick), for a long one; a short one is seen in a mirror. The mark
// price may have klines of its own. On a known path both prices go straight from corner to corner in the same time; where a
// path is looked for, the mark price is as far between its extremes as the price is between its own.

interface Case {
  readonly isLong: boolean
  readonly leverage: number
  /** Distances from 100. */
  readonly stop: number | undefined
  readonly target: number | undefined
  readonly rows: readonly Row[]
  /** Of the mark price, where that is another. */
  readonly marks: readonly Row[] | undefined
}

const CENTS = 100
const ENTRY = 100 * CENTS

/** A kline in cents, as the holder of a long position sees it. */
interface Seen {
  readonly open: number
  readonly top: number
  readonly bottom: number
  readonly close: number
}

function seenBy(sign: 1 | -1, row: Row): Seen {
  const [open, one, other, close] = row.map(price => sign * Math.round(price * CENTS)) as [
    number,
    number,
    number,
    number,
  ]
  return { open, top: Math.max(one, other), bottom: Math.min(one, other), close }
}

/** Levels that end a position, mirrored for a short one. */
interface Levels {
  /** Of the mark price. */
  readonly liquidation: number
  readonly stop: number
  readonly target: number
}

interface Exit {
  readonly price: number
  readonly how: '' | ' liquidated'
}

/** End of the position, in words; `undefined` if it stays open, `'a tie'` if two levels are so close that floats decide. */
function naiveExit(
  { isLong, leverage, stop, target, rows, marks = rows }: Case,
  { path = 'pessimistic', stopLossFirst }: Partial<FillSettings>,
): string | undefined {
  const sign = isLong ? 1 : -1
  const margin = new Decimal(100).div(leverage)
  const levels: Levels = {
    // Margin left at a price p: margin ± (p − 100); margin required: 1% of p.
    liquidation: isLong
      ? new Decimal(100).minus(margin).div('0.99').times(CENTS).floor().toNumber()
      : -new Decimal(100).plus(margin).div('1.01').times(CENTS).ceil().toNumber(),
    stop: stop === undefined ? Number.NEGATIVE_INFINITY : sign * ENTRY - stop * CENTS,
    target: target === undefined ? Number.POSITIVE_INFINITY : sign * ENTRY + target * CENTS,
  }
  // Nothing is left of the margin.
  const bankrupt = isLong
    ? new Decimal(100).minus(margin).times(CENTS).ceil().toNumber()
    : -new Decimal(100).plus(margin).times(CENTS).floor().toNumber()
  for (let row = 1; row < rows.length; row++) {
    const kline = seenBy(sign, rows[row] as Row)
    const mark = seenBy(sign, marks[row] as Row)
    const isPathless = stopLossFirst === 'always'
    const exit =
      exitAtOpen(kline, mark, levels, row === 1, isPathless) ??
      (path === 'ohlc' || path === 'olhc'
        ? // The mirror swaps high and low, so that the path of a short one starts the other way.
          exitAlong(kline, mark, levels, (path === 'ohlc') === isLong)
        : exitSomewhere(kline, mark, levels, { isPathless, isOptimistic: path === 'optimistic' }))
    if (exit === 'a tie') return exit
    if (exit === undefined) continue
    const price = exit.how === ' liquidated' ? Math.max(exit.price, bankrupt) : exit.price
    return `${row}: ${isLong ? 'sell' : 'buy'} 1 at ${Math.abs(price) / CENTS}${exit.how}`
  }
  return undefined
}

function exitAtOpen(
  { open, bottom }: Seen,
  mark: Seen,
  { liquidation, stop, target }: Levels,
  isEntered: boolean,
  isPathless: boolean,
): Exit | undefined {
  if (mark.open <= liquidation) return { price: mark.open, how: ' liquidated' }
  if (isEntered) return undefined
  if (open <= stop) return { price: open, how: '' }
  const waits = isPathless && bottom <= stop
  return open > target && !waits ? { price: target, how: '' } : undefined
}

/** On a known path: on each leg comes first what takes the least part of it. */
function exitAlong(kline: Seen, mark: Seen, levels: Levels, isUpFirst: boolean): Exit | 'a tie' | undefined {
  const cornersOf = ({ open, top, bottom, close }: Seen) =>
    isUpFirst ? [open, top, bottom, close] : [open, bottom, top, close]
  const [prices, marks] = [cornersOf(kline), cornersOf(mark)]
  for (const leg of [0, 1, 2]) {
    const [from, to] = [prices[leg] as number, prices[leg + 1] as number]
    const [markFrom, markTo] = [marks[leg] as number, marks[leg + 1] as number]
    const liquidated =
      markTo <= levels.liquidation ? (markFrom - levels.liquidation) / (markFrom - markTo) : Infinity
    const stopped = to <= levels.stop ? (from - levels.stop) / (from - to) : Infinity
    const taken = to > levels.target ? (levels.target - from) / (to - from) : Infinity
    const traded = Math.min(stopped, taken)
    if (liquidated === Infinity && traded === Infinity) continue
    if (liquidated !== traded && Math.abs(liquidated - traded) < NOISE) return 'a tie'
    if (liquidated <= traded) return { price: levels.liquidation, how: ' liquidated' }
    return stopped < taken ? { price: levels.stop, how: '' } : { price: levels.target, how: '' }
  }
  return undefined
}

/** On an unknown path: falling, the price comes first to the higher of stop-loss and liquidation. */
function exitSomewhere(
  { open, top, bottom }: Seen,
  mark: Seen,
  { liquidation, stop, target }: Levels,
  { isPathless, isOptimistic }: { readonly isPathless: boolean; readonly isOptimistic: boolean },
): Exit | 'a tie' | undefined {
  const isLiquidated = mark.bottom <= liquidation
  const gone: Exit = { price: liquidation, how: ' liquidated' }
  const hopes: Exit | undefined = top > target ? { price: target, how: '' } : undefined
  let liquidatedAt = liquidation
  if (!isPathless && isLiquidated) {
    // The price stands still while the mark price moves.
    if (top === bottom) return gone
    const isSame = mark.bottom === bottom && mark.top === top
    const beside = (part: number) => mark.bottom + part * (mark.top - mark.bottom)
    const first = isSame ? open : beside((open - bottom) / (top - bottom))
    if (Math.abs((Math.abs(first) % 1) - 0.5) < NOISE) return 'a tie'
    if (Math.round(first) <= liquidation) return { price: Math.round(first), how: ' liquidated' }
    if (!isSame)
      liquidatedAt = bottom + ((liquidation - mark.bottom) / (mark.top - mark.bottom)) * (top - bottom)
    if (liquidatedAt !== stop && Math.abs(liquidatedAt - stop) < NOISE) return 'a tie'
  }
  if (isOptimistic && hopes !== undefined) return hopes
  if (isLiquidated && liquidatedAt >= stop) return gone
  if (bottom <= stop) return { price: stop, how: '' }
  return isLiquidated ? gone : hopes
}

const NOISE = 1e-6

const anyPrice = fc.integer({ min: 84, max: 116 })
const anyDistance = fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined })
type Prices = readonly [number, number, number, number]
const anyRow = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anyPrice, anyPrice, anyPrice, anyPrice) },
  { weight: 1, arbitrary: anyPrice.map((price): Prices => [price, price, price, price]) },
)
const anyPrices = fc.array(anyRow, { minLength: 7, maxLength: 7 })
const rowOf = (open: number, [, one, other, close]: Prices): Row => [
  open,
  Math.max(open, one, other, close),
  Math.min(open, one, other, close),
  close,
]
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    isLong: fc.boolean(),
    leverage: fc.integer({ min: 5, max: 30 }),
    stop: anyDistance,
    target: anyDistance,
    length: fc.integer({ min: 2, max: 7 }),
    prices: anyPrices,
    markPrices: fc.option(anyPrices, { nil: undefined }),
  })
  .map(({ length, prices, markPrices, ...given }) => ({
    ...given,
    rows: [QUIET, ...prices.slice(0, length).map((row, index) => rowOf(index === 0 ? 100 : row[0], row))],
    marks: markPrices && [QUIET, ...markPrices.slice(0, length).map(row => rowOf(row[0], row))],
  }))

describe.each<Partial<FillSettings>>([
  { path: 'pessimistic' },
  { path: 'optimistic' },
  { path: 'ohlc' },
  { path: 'olhc' },
  { stopLossFirst: 'always' },
])('liquidations with %j', fills => {
  it('agree with a naive second writing of their rules', () => {
    const seen = { liquidated: 0, stopped: 0 }
    fc.assert(
      fc.property(anyCase, given => {
        const expected = naiveExit(given, fills)
        if (expected === 'a tie') return
        const { isLong, leverage, stop, target, rows, marks } = given
        const sign = isLong ? 1 : -1
        const enter = isLong ? enterLong : enterShort
        const signal = enter({
          ...(stop !== undefined && { stopLoss: 100 - sign * stop }),
          ...(target !== undefined && { takeProfit: 100 + sign * target }),
        })
        const result = runScript({ 0: signal }, rows, {
          ...{ instrument: contractWith({ leverage }), fills },
          ...(marks !== undefined && { futures: { mark: klinesOf(marks) } }),
        })
        const [entry, exit] = contractFills(result)
        expect(entry).toBe(`1: ${isLong ? 'buy' : 'sell'} 1 at 100`)
        expect(exit).toBe(expected)
        if (exit?.endsWith('liquidated')) seen.liquidated++
        else if (exit !== undefined) seen.stopped++
      }),
      { numRuns: 600 },
    )
    expect(Math.min(seen.liquidated, seen.stopped)).toBeGreaterThan(60)
  })
})
