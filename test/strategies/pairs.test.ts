import { describe, expect, it } from 'vitest'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { targetPosition } from '../../src/strategy/index.ts'
import { type KlineScript, klineScript } from '../../src/testing/klines.ts'
import strategy from '../../strategies/pairs.ts'
import { hasShared } from '../shared-data.ts'
import { BTC, ETH, played } from './played.ts'
import { meanOf, realKlines } from './real-market.ts'

const PARAMETERS = { window: 2, entry: 0.05, stop: 0.5, share: 0.4 }
const bothTo = (share: number) => [
  targetPosition({ equityFraction: share }),
  targetPosition({ equityFraction: -share }, { market: 'hedge' }),
]

function run(own: KlineScript, hedge: KlineScript, parameters = PARAMETERS) {
  return played({
    ...{ strategy, parameters, instrument: BTC, interval: '1h', klines: columnsFrom(own.list) },
    roles: { hedge: { instrument: ETH, klines: columnsFrom(hedge.list) } },
  })
}

describe('pairs', () => {
  const still = klineScript('1h').closes(50, 50, 50, 50, 50, 50)

  it('sells what became dear and buys the other, and ends both when they are back', () => {
    // In the third hour log(120 / 110) = 0.087 above the usual; in the fourth log(120 / 120) = 0.
    const { signals, fills, denials } = run(klineScript('1h').closes(100, 100, 120, 120, 120, 120), still)
    expect(signals).toEqual([...bothTo(-0.4), ...bothTo(0)])
    // Four tenths of 10,000 on each side: 33.3 at 120 and 80 at 50.
    expect(fills.map(({ symbol, side, price, quantity }) => [symbol, side, price, quantity])).toEqual([
      ['ETH/USDT', 'buy', 50, 80],
      ['BTC/USDT', 'sell', 120, 33.33333333],
      ['ETH/USDT', 'sell', 50, 80],
      ['BTC/USDT', 'buy', 120, 33.33333333],
    ])
    expect(denials).toEqual([])
  })

  it('buys what became cheap', () => {
    const { signals } = run(klineScript('1h').closes(100, 100, 80, 80), still)
    expect(signals.slice(0, 2)).toEqual(bothTo(0.4))
  })

  it('is far apart by what both did', () => {
    // Both rose by a fifth.
    const rising = klineScript('1h').closes(100, 100, 120, 120)
    expect(run(rising, klineScript('1h').closes(50, 50, 60, 60)).signals).toEqual([])
  })

  it('gives up where they part further, and does not begin there', () => {
    // log(120 / 110) = 0.087, then log(240 / 180) = 0.288 with a stop of 0.2; from the start, log(200 / 150) is beyond it.
    const parameters = { ...PARAMETERS, stop: 0.2 }
    const parting = run(klineScript('1h').closes(100, 100, 120, 240, 240), still, parameters)
    expect(parting.signals.slice(0, 4)).toEqual([...bothTo(-0.4), ...bothTo(0)])
    expect(run(klineScript('1h').closes(100, 100, 200), still, parameters).signals).toEqual([])
  })

  it('does nothing while a kline of the other is missing', () => {
    const without = klineScript('1h').closes(50, 50).gap(1).closes(50, 50)
    const { signals } = run(klineScript('1h').closes(100, 100, 120, 120, 120), without)
    expect(signals).toEqual([])
  })

  it('refuses to enter where it would give up', () => {
    expect(() => strategy.parameterValues({ entry: 0.2, stop: 0.1 })).toThrow(
      'entry (0.2) must be smaller than stop (0.1).',
    )
  })

  it.runIf(hasShared('data'))('trades as told by a plain loop over both, for eight months', async () => {
    const [own, hedge] = await Promise.all(
      ['binance-btcusdt-1h', 'binance-ethusdt-1h'].map(async name => (await realKlines(name)).first(6000)),
    )
    if (own === undefined || hedge === undefined) throw new Error('there are two files')
    const expected: string[] = []
    const shareOf = (list: KlineScript['list'], index: number) =>
      (list[index]?.close ?? 0) / meanOf(list.slice(index - 167, index + 1).map(({ close }) => close))
    let side = 0
    for (let index = 168; index + 1 < own.list.length; index++) {
      const spread = Math.log(shareOf(own.list, index) / shareOf(hedge.list, index))
      const wanted =
        side === 0
          ? Math.abs(spread) > 0.03 && Math.abs(spread) < 0.1
            ? -Math.sign(spread)
            : 0
          : -side * spread <= 0 || -side * spread >= 0.1
            ? 0
            : side
      const change = wanted - side
      side = wanted
      const at = own.list[index + 1]?.openTime
      if (change !== 0)
        expected.push(
          `${at} BTC/USDT ${change > 0 ? 'buy' : 'sell'}`,
          `${at} ETH/USDT ${change > 0 ? 'sell' : 'buy'}`,
        )
    }
    const { fills, denials } = run(own, hedge, { window: 168, entry: 0.03, stop: 0.1, share: 0.45 })
    const words = fills.map(({ at, symbol, side: of }) => `${at} ${symbol} ${of}`)
    expect(words.toSorted()).toEqual(expected.toSorted())
    expect(words.length).toBeGreaterThan(40)
    expect(denials).toEqual([])
  })
})
