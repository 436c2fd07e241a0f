import { expect } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../../src/strategy/parameters.ts'
import type { KlineScript } from '../../src/testing/klines.ts'
import { recordedMarket } from '../../src/testing/recorded-market.ts'
import type { TriedRun } from '../../src/testing/tried-run.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { sharedPath } from '../shared-data.ts'

/** What a strategy did on the klines of a file, without costs and with one unit an entry. */
export interface RealRun {
  readonly klines: readonly Kline[]
  readonly run: TriedRun
}

/** Tries a strategy on real klines (`binance-btcusdt-1h`, of the shared data), on the first `count` of them where one is given. */
export async function realRun(
  strategy: Strategy,
  name: string,
  { parameters = {}, count }: { parameters?: Readonly<Record<string, GivenParameter>>; count?: number } = {},
): Promise<RealRun> {
  const market = await realKlines(name)
  const klines = count === undefined ? market : market.first(count)
  const run = tryStrategy(strategy, { klines, parameters, balance: 10_000_000 })
  return { klines: klines.list, run }
}

/** Klines of the shared data by the name of their file. */
export function realKlines(name: string): Promise<KlineScript> {
  return recordedMarket(sharedPath('data', `${name}.csv.gz`))
}

/** A fill that a test worked out by itself. */
export interface ExpectedFill {
  readonly kline: number
  readonly side: 'buy' | 'sell'
  readonly price: number
}

/** Expects these fills and no others, their prices to the few ticks that grids and doubles take. */
export function expectFills({ fills }: TriedRun, expected: readonly ExpectedFill[]): void {
  const words = ({ kline, side }: ExpectedFill) => `${side} in kline ${kline}`
  expect(fills.map(words)).toEqual(expected.map(words))
  for (const [index, { price }] of fills.entries())
    expect(Math.abs(price - (expected[index]?.price ?? Number.NaN)), `fill ${index}`).toBeLessThan(0.001)
}

/** The mean of some numbers, summed one by one. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
