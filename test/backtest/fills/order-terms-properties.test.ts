import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import type { Fill } from '../../../src/domain/orders/fill.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { TimeToLive } from '../../../src/domain/signal.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { anyFillSettings, anySeed, randomRows, randomSignals } from '../random-market.ts'
import { replayedRows } from '../run/replayed-rows.ts'

const ROWS = 100
const MINUTE = 60_000
const anyPath = fc.constantFrom<PathPolicy>('pessimistic', 'optimistic', 'ohlc', 'olhc')
const course = fc.record({ klines: anySeed, signals: anySeed, fills: anyFillSettings, path: anyPath })

function lengthOf(timeToLive: TimeToLive | undefined): number {
  if (timeToLive === undefined) return Number.POSITIVE_INFINITY
  return 'ms' in timeToLive ? timeToLive.ms : timeToLive.klines * MINUTE
}

interface BookedFill {
  readonly row: number
  readonly fill: Fill
  readonly order: Order
}

/** Every fill of random signals on random klines, a list for each run; returns how many fills of interest there were. */
function forEveryRun(check: (fills: readonly BookedFill[]) => number): number {
  let seen = 0
  fc.assert(
    fc.property(course, ({ klines, signals, fills, path }) => {
      const settings =
        path === 'pessimistic'
          ? fills
          : ({
              ...fills,
              path,
              entryKlineProtection: 'all',
              stopLossFirst: 'unlessOpenPassedTakeProfit',
            } as const)
      const options = {
        strategy: randomSignals,
        parameters: { seed: signals },
        instrument: MARGIN,
        fills: settings,
      }
      const rows = replayedRows(randomRows(klines, ROWS), options)
      seen += check(
        rows.flatMap(({ notices }, row) =>
          notices.flatMap(notice =>
            notice.type === 'fillBooked' ? [{ row, fill: notice.fill, order: notice.order }] : [],
          ),
        ),
      )
    }),
    { numRuns: 50 },
  )
  return seen
}

describe('whatever a strategy wishes', () => {
  it('no order trades more than was asked for', () => {
    const seen = forEveryRun(fills => {
      for (const { order } of fills) expect(order.filledQuantity).toBeLessThanOrEqual(order.request.quantity)
      return fills.length
    })
    expect(seen).toBeGreaterThan(1000)
  })

  it('of the entries of a group one fills at most', () => {
    const seen = forEveryRun(fills => {
      const entries = new Map<string, Set<string>>()
      for (const { order } of fills) {
        const group = order.request.terms?.oco
        if (group === undefined) continue
        entries.set(group, (entries.get(group) ?? new Set()).add(order.request.clientOrderId))
      }
      for (const members of entries.values()) expect(members.size).toBe(1)
      return entries.size
    })
    expect(seen).toBeGreaterThan(30)
  })

  it('no order trades after the close at which its time was over', () => {
    const seen = forEveryRun(fills => {
      const mortal = fills.filter(({ order }) => order.request.terms?.expiresAfter !== undefined)
      for (const { row, order } of mortal) {
        const { terms, decidedAt } = order.request
        // A kline that opens at or after the end of its time comes too late.
        expect(row * MINUTE).toBeLessThan(decidedAt + lengthOf(terms?.expiresAfter))
      }
      return mortal.length
    })
    expect(seen).toBeGreaterThan(30)
  })

  it('post-only orders are makers, and IOC and FOK orders takers', () => {
    let makers = 0
    const seen = forEveryRun(fills => {
      for (const { fill, order } of fills) {
        const { spec } = order.request
        if (spec.type !== 'limit' || spec.kind === undefined) continue
        expect(fill.liquidity).toBe(spec.kind === 'postOnly' ? 'maker' : 'taker')
        if (spec.kind === 'fok') expect(fill.quantity).toBe(order.request.quantity)
        if (spec.kind === 'postOnly') makers++
      }
      return fills.filter(({ order: { request } }) => request.spec.type === 'limit' && request.spec.kind)
        .length
    })
    expect(seen).toBeGreaterThan(30)
    expect(makers).toBeGreaterThan(5)
  })
})
