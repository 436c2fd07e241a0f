import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SimulatedFill } from '../../../backtest/fills/simulated-fill.ts'
import type { FillRule } from '../../../backtest/models/fill-rule.ts'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { Notice } from '../../../src/domain/events/engine-output.ts'
import { amountToNumber } from '../../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf, priceOf } from '../../../src/domain/numbers/grid.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { type Row, run } from '../kline-table.ts'
import { anyFillSettings, anySeed, randomRows, randomSignals } from '../random-market.ts'
import { replayedRows } from './replayed-rows.ts'

const ROWS = 100
const course = fc.record({ klines: anySeed, signals: anySeed, fills: anyFillSettings })
const FEES = { ...MARGIN.fees, maker: SPOT.fees.maker, taker: SPOT.fees.taker }
/** Rules of limits and take-profits that waited, at their own price. */
const RULES_AT_LIMIT: readonly FillRule[] = ['limitPassedByOpen', 'limitInside', 'stopLimitPullback']
/** Like `MARGIN`, with fees in quote. */
const WITH_FEES = { ...MARGIN, fees: FEES }

/** Random signals on random klines; `check` gets every fill with its kline, and says how much it looked at. */
function forEveryFill(check: (fill: SimulatedFill, row: Row, settings: FillSettings) => void): number {
  let seen = 0
  fc.assert(
    fc.property(course, ({ klines, signals, fills }) => {
      const rows = randomRows(klines, ROWS)
      for (const fill of run(randomSignals, rows, { parameters: { seed: signals }, fills }).fills) {
        check(fill, rows[fill.time / 60_000] ?? [Number.NaN, Number.NaN, Number.NaN, Number.NaN], fills)
        seen++
      }
    }),
    { numRuns: 100 },
  )
  return seen
}

describe('every fill of any strategy', () => {
  it('is never better than its kline', () => {
    const seen = forEveryFill(({ side, price }, [, high, low]) => {
      if (side === 'buy') expect(priceOf(MARGIN, price)).toBeGreaterThanOrEqual(low)
      else expect(priceOf(MARGIN, price)).toBeLessThanOrEqual(high)
    })
    expect(seen).toBeGreaterThan(1000)
  })

  it('lies within its kline and the slippage, but for limits and take-profits that the open jumped over', () => {
    forEveryFill(({ side, price, rule }, [, high, low], { slippageRate, slippageTicks, gappedLimit }) => {
      if (RULES_AT_LIMIT.includes(rule) && gappedLimit === 'atLimit') return
      const ticks = slippageTicks * 0.01 + 0.01
      if (side === 'buy') expect(priceOf(MARGIN, price)).toBeLessThan(high * (1 + slippageRate) + ticks)
      else expect(priceOf(MARGIN, price)).toBeGreaterThan(low * (1 - slippageRate) - ticks)
    })
  })

  it('is on the grid', () => {
    forEveryFill(({ price, quantity }) => {
      expect(Number.isSafeInteger(price) && Number.isSafeInteger(quantity)).toBe(true)
      expect(quantity).toBeGreaterThan(0)
    })
  })

  it('comes on a later kline than the decision of its order, unless the order protects', () => {
    let seen = 0
    fc.assert(
      fc.property(course, ({ klines, signals, fills }) => {
        const options = { strategy: randomSignals, parameters: { seed: signals }, instrument: MARGIN, fills }
        const placedOn = new Map<string, number>()
        for (const [row, { notices }] of replayedRows(randomRows(klines, ROWS), options).entries()) {
          for (const notice of notices) seen += expectLater(notice, row, placedOn)
        }
      }),
      { numRuns: 100 },
    )
    expect(seen).toBeGreaterThan(1000)
  })
})

/** Notes on which row an order came, and compares that with the row of its fills. */
function expectLater(notice: Notice, row: number, placedOn: Map<string, number>): number {
  if (notice.type === 'orderChanged' && notice.order.status === 'submitted') {
    placedOn.set(notice.order.request.clientOrderId, row)
  }
  if (notice.type !== 'fillBooked') return 0
  const placed = placedOn.get(notice.fill.clientOrderId)
  expect(placed).toBeLessThanOrEqual(row)
  // An order that waited for others of its list is placed on the kline on which these trade; it was decided before that opened.
  const { protects, decidedAt } = notice.order.request
  if (protects === undefined) expect(decidedAt).toBeLessThanOrEqual(row * 60_000)
  return 1
}

describe('the books of any strategy', () => {
  it('close: what was traded is twice the round trips and once the open position', () => {
    fc.assert(
      fc.property(course, ({ klines, signals, fills }) => {
        const result = run(randomSignals, randomRows(klines, ROWS), { parameters: { seed: signals }, fills })
        const sum = (list: readonly { readonly quantity: number }[]) =>
          list.reduce((total, { quantity }) => total + quantity, 0)
        const net =
          sum(result.fills.filter(({ side }) => side === 'buy')) -
          sum(result.fills.filter(({ side }) => side === 'sell'))
        expect(sum(result.fills)).toBe(2 * sum(result.roundTrips) + (result.openPositions[0]?.quantity ?? 0))
        expect(Math.abs(net)).toBe(result.openPositions[0]?.quantity ?? 0)
      }),
    )
  })

  it('give the curve: quote less what was bought, plus what was sold, less fees, plus base at the close', () => {
    fc.assert(
      fc.property(course, ({ klines, signals, fills }) => {
        const rows = randomRows(klines, ROWS)
        const result = run(randomSignals, rows, {
          instrument: WITH_FEES,
          parameters: { seed: signals },
          fills,
        })
        let [quote, base] = [10_000n * 10n ** 18n, 0n]
        for (const [row, [, , , close]] of rows.entries()) {
          for (const fill of result.fills.filter(({ time }) => time === row * 60_000)) {
            const sign = fill.side === 'buy' ? 1n : -1n
            quote -= sign * notionalOf(MARGIN, fill.price, fill.quantity) + fill.fee
            base += sign * baseAmount(MARGIN, fill.quantity)
          }
          const expected = amountToNumber(quote as never) + amountToNumber(base as never) * close
          if (!result.ruined) expect(result.equity[row]).toBeCloseTo(expected, 6)
        }
        expect(result.balances.get('USDT')).toBe(quote)
      }),
    )
  })

  it('of a spot account never show a negative balance, nor a position beyond it', () => {
    fc.assert(
      fc.property(course, ({ klines, signals, fills }) => {
        replayedRows(randomRows(klines, ROWS), {
          strategy: randomSignals,
          parameters: { seed: signals },
          instrument: SPOT,
          fills,
          check(ledger) {
            for (const [, amount] of ledger.balances.entries()) expect(amount).toBeGreaterThanOrEqual(0n)
            const held = ledger.position('BTC/USDT')?.quantity
            if (held !== undefined)
              expect(baseAmount(SPOT, held)).toBeLessThanOrEqual(ledger.balances.of('BTC'))
          },
        })
      }),
    )
  })
})
