import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestMarket } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { openTimeOf } from '../../../src/domain/market-data/interval.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { quantityOf } from '../../../src/domain/numbers/grid.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, exit, targetPosition } from '../../../src/strategy/index.ts'
import { MARGIN, scripted } from '../../engine/engine-session.ts'
import { QUIET, type Row } from '../kline-table.ts'
import { fillWords, klinesAt, MINUTE, marketOf, several } from './several.ts'

type Script = Readonly<Record<number, Signal | readonly Signal[]>>

const DIP: Row = [100, 100, 90, 100]
const BOTH: Row = [100, 110, 90, 100]

/** Klines of a volume of 100 a minute, of which a tenth may trade: 10 on a minute, 50 on five. */
function klinesWith(rows: readonly Row[], interval: '1m' | '5m') {
  const volume = new Float64Array(rows.length).fill(interval === '1m' ? 100 : 500)
  return { ...klinesAt(rows, { interval }), volume }
}

function onMinutes(script: Script, rows: readonly Row[]) {
  return marketOf(scripted(script), klinesWith(rows, '1m'))
}

function onFive(script: Script, rows: readonly Row[]) {
  return marketOf(scripted(script), klinesWith(rows, '5m'), { interval: '5m' })
}

function run(
  markets: readonly BacktestMarket[],
  path: 'pessimistic' | 'detail' = 'pessimistic',
): BacktestResult {
  return runBacktest(
    several(markets, {
      balances: new Map([['USDT', amountOf('1000000')]]),
      fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, maxVolumeShare: 0.1, path },
    }),
  )
}

/** `1: first buy 8 at 100`, with times in minutes. */
function wordsOf(result: BacktestResult): string[] {
  return fillWords(result).map(words =>
    words.replace('BTC/USDT#scripted#2', 'second').replace('BTC/USDT#scripted', 'first'),
  )
}

const buy = (base: number, more: Parameters<typeof enterLong>[0] = {}) =>
  enterLong({ ...more, size: { base } })
const bid = (base: number) => buy(base, { order: { type: 'limit', price: 95 } })
const minutes = (count: number) => Array.from({ length: count }, () => QUIET)

describe('maxVolumeShare where several strategies trade an instrument on one interval', () => {
  it('is the share of all at the open of a kline', () => {
    const rows = minutes(4)
    const result = run([onMinutes({ 0: buy(8) }, rows), onMinutes({ 0: buy(8), 1: exit() }, rows)])
    // 8 of 10 are gone for the second, which gets 2 of its 8; the rest of an entry at market is canceled.
    expect(wordsOf(result)).toEqual([
      '1: first buy 8 at 100',
      '1: second buy 2 at 100',
      '2: second sell 2 at 100',
    ])
    expect(result.cutOrders).toMatchObject([{ cause: 'maxVolumeShare', count: 1 }])
  })

  it('is the share of all inside a kline, where entries at its open have used a part', () => {
    const rows = [QUIET, DIP, DIP, QUIET]
    const result = run([onMinutes({ 0: bid(8) }, rows), onMinutes({ 0: buy(7) }, rows)])
    // 7 at the open, so that 3 are left for the bid, and its other 5 for the next dip.
    expect(wordsOf(result)).toEqual([
      '1: second buy 7 at 100',
      '1: first buy 3 at 95',
      '2: first buy 5 at 95',
    ])
  })

  it('is the share of all stop-losses; what it does not cover is sold at the next open', () => {
    const rows = [QUIET, QUIET, QUIET, DIP, QUIET, QUIET]
    const entry = buy(9, { stopLoss: 95 })
    const result = run([onMinutes({ 0: entry }, rows), onMinutes({ 1: entry }, rows)])
    expect(wordsOf(result)).toEqual([
      '1: first buy 9 at 100',
      '2: second buy 9 at 100',
      '3: first sell 9 at 95',
      '3: second sell 1 at 95',
      '4: second sell 8 at 100',
    ])
  })

  it('is the share of all on each detail kline', () => {
    const finer = [...minutes(5), QUIET, QUIET, DIP, DIP, QUIET]
    const detail = { interval: '1m', klines: klinesWith(finer, '1m') } as const
    const market = (base: number) => ({ ...onFive({ 0: bid(base) }, [QUIET, DIP]), detail })
    const { fills } = run([market(12), market(7)], 'detail')
    // The first takes the 10 of minute 7 and 2 of minute 8, the second its 7 of the 8 that are left there.
    expect(
      fills.map(({ klineOpenTime, quantity }) => [klineOpenTime / MINUTE, quantityOf(MARGIN, quantity)]),
    ).toEqual([
      [7, 10],
      [8, 2],
      [8, 7],
    ])
  })
})

describe('maxVolumeShare where strategies trade an instrument on several intervals', () => {
  it('counts fills on short klines in the long one around them', () => {
    const short = {
      ...{
        4: targetPosition({ base: 10 }),
        5: targetPosition({ base: 20 }),
        6: targetPosition({ base: 30 }),
      },
      8: exit({ order: { type: 'limit', price: 105 } }),
    }
    const rows = [...minutes(9), BOTH, BOTH, QUIET]
    const result = run([onMinutes(short, rows), onFive({ 0: bid(25) }, [QUIET, BOTH])])
    // Minutes 5, 6 and 7 take 30 of the 50 of five minutes. The bid on the long kline, which is known at its close, takes
    // the 20 that are left, so that the exit finds nothing in minute 9, and 10 in minute 10.
    expect(wordsOf(result)).toEqual([
      '5: first buy 10 at 100',
      '5: second buy 20 at 95',
      '6: first buy 10 at 100',
      '7: first buy 10 at 100',
      '10: first sell 10 at 105',
    ])
  })

  it('counts fills at the open of a long kline in the short one that begins with it', () => {
    const rows = minutes(8)
    const short = { 4: buy(10), 5: targetPosition({ base: 13 }) }
    const result = run([onMinutes(short, rows), onFive({ 0: buy(7) }, [QUIET, QUIET])])
    // 3 of 10 are left in minute 5, and all 10 in minute 6.
    expect(wordsOf(result)).toEqual([
      '5: second buy 7 at 100',
      '5: first buy 3 at 100',
      '6: first buy 10 at 100',
    ])
  })

  it('bounds what trades on each kline, on a longer one with all that trades on those inside it', () => {
    const price = fc.constantFrom(94, 97, 100, 103, 106)
    const row = fc.tuple(price, price, price, price).map(([open, up, down, close]): Row => {
      return [open, Math.max(open, up, down, close), Math.min(open, up, down, close), close]
    })
    const signal = fc.oneof(
      fc.integer({ min: -20, max: 20 }).map(base => targetPosition({ base })),
      fc.integer({ min: 1, max: 20 }).map(base => buy(base, { stopLoss: 96 })),
      fc.constant(bid(12)),
      fc.constant(exit()),
    )
    const script = fc.array(signal, { minLength: 30, maxLength: 30 }).map(signals => ({ ...signals }))
    const rows = fc.array(row, { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(rows, script, script, script, script, (ofMinutes, one, two, three, four) => {
        const ofFive = Array.from({ length: 6 }, (_, place) =>
          joined(ofMinutes.slice(place * 5, place * 5 + 5)),
        )
        const result = run([
          ...[one, two].map(each => onMinutes(each, ofMinutes)),
          ...[three, four].map(each => onFive(each, ofFive)),
        ])
        const onShort = ['BTC/USDT#scripted', 'BTC/USDT#scripted#2']
        const onKline = new Map<string, number>()
        const add = (key: string, base: number) => onKline.set(key, (onKline.get(key) ?? 0) + base)
        for (const { klineOpenTime, book, quantity } of result.fills) {
          const base = quantityOf(MARGIN, quantity)
          add(`5m ${openTimeOf(klineOpenTime, '5m')}`, base)
          if (onShort.includes(book)) add(`1m ${klineOpenTime}`, base)
        }
        for (const [key, base] of onKline) expect(base).toBeLessThanOrEqual(key.startsWith('5m') ? 50 : 10)
      }),
    )
  })
})

/** One kline of several. */
function joined(rows: readonly Row[]): Row {
  const [open] = rows[0] ?? QUIET
  const close = rows.at(-1)?.[3] ?? open
  return [open, Math.max(...rows.map(([, high]) => high)), Math.min(...rows.map(([, , low]) => low)), close]
}
