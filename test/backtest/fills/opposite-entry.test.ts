import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import type { EnterSignal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { CONTRACT } from '../futures/contract-run.ts'
import { QUIET, type Row, type RunSettings, runScript } from '../kline-table.ts'

/** Gain of an account of 10,000 by each path, whichever of the two orders was placed first. */
function gainsOf(signals: readonly [EnterSignal, EnterSignal], row: Row, settings: RunSettings = {}) {
  const gains = (path: PathPolicy) =>
    [signals, signals.toReversed()].map(script => {
      const result = runScript({ 0: script }, [QUIET, QUIET, row], { ...settings, fills: { path } })
      return (result.equity.at(-1) ?? Number.NaN) - 10_000
    })
  return { pessimistic: gains('pessimistic'), optimistic: gains('optimistic') }
}

const twice = (pessimistic: number, optimistic: number) => ({
  pessimistic: [pessimistic, pessimistic],
  optimistic: [optimistic, optimistic],
})

describe('an entry against a position on a kline that also reaches an exit of it', () => {
  const long = enterLong({ stopLoss: 95 })
  const offer = enterShort({ order: { type: 'limit', price: 105 }, scaleIn: true })

  it('comes before or after the stop-loss, whichever is worse or better by the close', () => {
    // Stopped first: 95 - 100, and 105 - 100 of the short position. Sold first: 105 - 100, and nothing is left to stop.
    expect(gainsOf([long, offer], [100, 106, 94, 100])).toEqual(twice(0, 5))
    // Stopped first: 95 - 100, and 105 - 94.
    expect(gainsOf([long, offer], [100, 106, 94, 94])).toEqual(twice(5, 6))
  })

  it('the same as seen by a short position', () => {
    const short = enterShort({ stopLoss: 105 })
    const bid = enterLong({ order: { type: 'limit', price: 95 }, scaleIn: true })
    expect(gainsOf([short, bid], [100, 106, 94, 100])).toEqual(twice(0, 5))
    expect(gainsOf([short, bid], [100, 106, 94, 106])).toEqual(twice(5, 6))
  })

  it('comes before or after the take-profit', () => {
    const target = enterLong({ takeProfit: 110 })
    const stop = enterShort({ order: { type: 'stop', stopPrice: 95 }, scaleIn: true })
    // The profit taken first: 110 - 100, and 95 - 100. Sold first: 95 - 100.
    expect(gainsOf([target, stop], [100, 111, 94, 100])).toEqual(twice(-5, 5))
  })

  it('leaves an exit what it does not close', () => {
    const larger = enterLong({ size: { base: 3 }, stopLoss: 95 })
    // Stopped first: 3 × (95 - 100) + 105 - 100. Sold first: 105 - 100 + 2 × (95 - 100).
    expect(gainsOf([larger, offer], [100, 106, 94, 100])).toEqual(twice(-10, -5))
  })

  it('comes before or after a liquidation', () => {
    // Liquidated first: all of the margin, 10, and 105 - 95. Sold first: 105 - 100.
    const held = enterLong()
    expect(gainsOf([held, offer], [100, 106, 90, 95], { instrument: CONTRACT })).toEqual(twice(0, 5))
  })
})
