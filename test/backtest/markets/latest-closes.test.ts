import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { defineStrategy, enterLong, every, klines } from '../../../src/strategy/index.ts'
import { scripted } from '../../engine/engine-session.ts'
import { ETH, fillWords, flat, klinesAt, MINUTE, marketOf, runOf, several } from './several.ts'

/** Minutes 1 to 6: the own market rises from 100 to 125 in the fifth, the other falls from 50 to 45. */
const OWN = klinesAt([flat(100), flat(100), flat(100), flat(100), flat(125), flat(125)])
const OTHER = klinesAt([flat(50), flat(50), flat(50), flat(50), flat(45), flat(45)])
const hedge = { instrument: ETH, klines: OTHER }
const fives = { type: 'klines', klines: klinesAt([flat(45)], { interval: '5m' }) } as const

describe('all closes of a moment count before the first handler is asked', () => {
  it('that of a feed of another market: price, equity and size', () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      markets: ['hedge'],
      feeds: () => ({ slow: klines({ market: 'hedge', interval: '5m' }) }),
      onKline: (_kline, { time }) =>
        time === MINUTE ? [enterLong(), enterLong({ market: 'hedge', size: { base: 2 } })] : undefined,
      on: {
        slow(_kline, { price, equity, markets }) {
          seen.push(price, markets.hedge.price, equity)
          return enterLong({ size: { equityFraction: 0.5 }, scaleIn: true })
        },
      },
    })
    const result = runOf(marketOf(strategy, OWN, { roles: { hedge }, feeds: { slow: fives } }))
    // 10,000 + 1 × (125 - 100) + 2 × (45 - 50) = 10,015; half of it buys 40.06 at 125.
    expect(seen).toEqual([125, 45, 10_015])
    expect(fillWords(result).at(-1)).toBe('5: BTC/USDT buy 40.06 at 125')
  })

  it('that of a feed of the own market: prices of the roles', () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      markets: ['hedge'],
      feeds: () => ({ slow: klines({ interval: '5m' }) }),
      on: { slow: (_kline, { price, markets }) => void seen.push(price, markets.hedge.price) },
    })
    const slow = { type: 'klines', klines: klinesAt([flat(125)], { interval: '5m' }) } as const
    runOf(marketOf(strategy, OWN, { roles: { hedge }, feeds: { slow } }))
    expect(seen).toEqual([125, 45])
  })

  it('that of a timer whose moment fell into a hole of the own market', () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'timed',
      markets: ['hedge'],
      timers: { often: every('3m') },
      on: { often: (_due, { time, price }) => void seen.push(`${time / MINUTE}: ${price}`) },
    })
    const own = klinesAt([flat(100), flat(100), flat(125), flat(125)], { absent: [2, 3] })
    const other = klinesAt([flat(50), flat(50), flat(50), flat(45), flat(45)], { absent: [3] })
    const roles = { hedge: { instrument: ETH, klines: other } }
    runOf(marketOf(strategy, own, { roles }))
    // Due at 3:00, where only the role has a kline; both close next at 5:00, that of the role first.
    expect(seen).toEqual(['5: 125', '6: 125'])
  })

  it('where another strategy holds what has moved', () => {
    const seen: number[] = []
    const watcher = defineStrategy({
      name: 'watcher',
      markets: ['hedge'],
      feeds: () => ({ slow: klines({ market: 'hedge', interval: '5m' }) }),
      on: { slow: (_kline, { equity }) => void seen.push(equity) },
    })
    const holder = scripted({ 0: enterLong() })
    runBacktest(
      several([marketOf(watcher, OWN, { roles: { hedge }, feeds: { slow: fives } }), marketOf(holder, OWN)]),
    )
    // One bought at 100, worth 125.
    expect(seen).toEqual([10_025])
  })
})

it('history and indicators stay what the strategy was shown', () => {
  const seen: number[][] = []
  const strategy = defineStrategy({
    name: 'watcher',
    markets: ['hedge'],
    history: 2,
    feeds: () => ({ slow: klines({ market: 'hedge', interval: '5m' }) }),
    on: { slow: (_kline, { history }) => void seen.push(history.map(({ close }) => close)) },
  })
  runOf(marketOf(strategy, OWN, { roles: { hedge }, feeds: { slow: fives } }))
  expect(seen).toEqual([[100, 100]])
})
