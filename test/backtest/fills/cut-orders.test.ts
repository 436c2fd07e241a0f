import { describe, expect, it } from 'vitest'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, exit, targetPosition } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { fillWords, klinesOf, QUIET, runScript } from '../kline-table.ts'

type Script = Readonly<Record<number, Signal | readonly Signal[]>>

/** Klines at 100 with these volumes, of which orders may trade a tenth. */
function played(volumes: readonly number[], script: Script, settings: object = {}) {
  const klines = { ...klinesOf(volumes.map(() => QUIET)), volume: Float64Array.from(volumes) }
  return runScript(script, [], { klines, fills: { maxVolumeShare: 0.1 }, ...settings })
}

/** Steps of the grid in one base. */
const BASE = 10 ** MARGIN.quantityPrecision

const cut = (cause: string, purpose: string, count: number, ordered: number, untraded: number) => ({
  ...{ symbol: MARGIN.symbol, purpose, cause, count },
  ...{ ordered: ordered * BASE, untraded: untraded * BASE },
})

/** A size beyond a tenth of 100. */
const size = { base: 25 }

describe('orders that the market cuts off', () => {
  it('are told where an entry exceeds the volume that it may trade', () => {
    const result = played([100, 100, 100], { 0: enterLong({ size }) })
    expect(fillWords(result)).toEqual(['1: buy 10 at 100 taker'])
    expect(result.cutOrders).toEqual([cut('maxVolumeShare', 'entry', 1, 25, 15)])
  })

  it('sum up by cause: two entries of 25, of which 10 and 5 trade', () => {
    const again = enterLong({ size, scaleIn: true })
    expect(played([100, 100, 50, 100], { 0: again, 1: again }).cutOrders).toEqual([
      cut('maxVolumeShare', 'entry', 2, 50, 35),
    ])
  })

  it.each([
    ['ioc', 'IOC', 15],
    ['fok', 'FOK', 25],
  ] as const)('are told of a kind that must not rest: %s', (kind, timeInForce, untraded) => {
    const order = { type: 'limit', price: 101, timeInForce } as const
    expect(played([100, 100, 100], { 0: enterLong({ size, order }) }).cutOrders).toEqual([
      cut(kind, 'entry', 1, 25, untraded),
    ])
  })

  it('are told of a post-only order that would have taken', () => {
    const order = { type: 'limit', price: 101, postOnly: true } as const
    expect(played([1000, 1000], { 0: enterLong({ size, order }) }).cutOrders).toEqual([
      cut('postOnly', 'entry', 1, 25, 25),
    ])
  })

  it('are told of an exit that must not rest', () => {
    const order = { type: 'limit', price: 99, timeInForce: 'IOC' } as const
    const result = played([1000, 1000, 40, 1000], { 0: enterLong({ size }), 1: exit({ order }) })
    expect(fillWords(result)).toEqual(['1: buy 25 at 100 taker', '2: sell 4 at 100 taker'])
    expect(result.cutOrders).toEqual([cut('ioc', 'exit', 1, 25, 21)])
  })

  it('are told where the balance did not cover them at the open', () => {
    // Decided at 100 with 1010 free: 10 base. The open at 200 pays for 1010 ÷ 200 = 5.05.
    const klines = klinesOf([QUIET, [200, 200, 200, 200], [200, 200, 200, 200]])
    const result = runScript({ 0: enterLong({ size: { base: 10 } }) }, [], {
      ...{ klines, quote: '1010', instrument: { ...MARGIN, accountType: 'spot' } },
    })
    expect(fillWords(result)).toEqual(['1: buy 5.05 at 200 taker'])
    expect(result.cutOrders).toEqual([cut('balance', 'entry', 1, 10, 4.95)])
  })

  it('are not exits at market, which go on, nor orders that trade whole', () => {
    const result = played([1000, 1000, 100, 1000], { 0: enterLong({ size }), 1: exit() })
    expect(fillWords(result)).toEqual([
      ...['1: buy 25 at 100 taker', '2: sell 10 at 100 taker', '3: sell 15 at 100 taker'],
    ])
    expect(result.cutOrders).toEqual([])
    expect(result.replacedExits).toEqual([])
  })
})

describe('an exit that has not closed all of its position', () => {
  it('is told where an entry takes its place', () => {
    const result = played([1000, 1000, 100, 1000], { 0: enterLong({ size }), 1: exit(), 2: enterLong() })
    expect(result.replacedExits).toMatchObject([
      { symbol: MARGIN.symbol, side: 'sell', quantity: 15 * BASE, by: 'enter', time: 3 * 60_000 },
    ])
    expect(result.openPositions).toMatchObject([{ quantity: 15 * BASE }])
  })

  it('is told where a target takes its place, not where another exit goes on with it', () => {
    const volumes = [1000, 1000, 100, 100, 1000]
    const script = { 0: enterLong({ size }), 1: exit(), 2: exit(), 3: targetPosition({ base: 2 }) }
    expect(played(volumes, script).replacedExits).toMatchObject([{ by: 'target', quantity: 5 * BASE }])
  })
})
