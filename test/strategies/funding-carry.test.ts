import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { exit } from '../../src/strategy/index.ts'
import { klineScript } from '../../src/testing/klines.ts'
import strategy from '../../strategies/funding-carry.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { CONTRACT, played, SPOT_BTC } from './played.ts'
import { meanOf, realKlines } from './real-market.ts'

const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)
const PARAMETERS = { settlements: 2, enter: 0.001, leave: 0, stretch: 0.5, share: 0.5 }

interface Settled {
  readonly time: number
  readonly rate: number
}

function run(list: readonly Kline[], rates: readonly Settled[], parameters = {}, futures = '4000') {
  const usdt = (amount: string) => new Map([['USDT', amountOf(amount)]])
  const events = rates.map(fundingRate => {
    return { type: 'fundingRateSeen', symbol: CONTRACT.symbol, fundingRate } as const
  })
  return played(
    {
      ...{ strategy, parameters, instrument: SPOT_BTC, interval: '1d', klines: columnsFrom(list) },
      roles: { contract: { instrument: CONTRACT, klines: columnsFrom(list) } },
      feeds: { funding: { type: 'data', events } },
    },
    { spot: usdt('10000'), futures: usdt(futures) },
  )
}

/** One settlement at noon of each day. */
const atNoon = (...rates: readonly number[]) =>
  rates.map((rate, day) => ({ time: START + day * DAY + DAY / 2, rate }))

describe('funding-carry', () => {
  const market = klineScript('1d', START).closes(100, 100, 100, 100, 100, 100, 100)

  it('buys the pair and sells as much of its contract while the rate is high, and ends both below its bound', () => {
    // The first day is warm-up. Averages of two from the third day on: 0.0015, 0.0015, 0, -0.0015.
    const rates = atNoon(0.09, 0.001, 0.002, 0.001, -0.001, -0.002)
    const { signals, fills, denials } = run(market.list, rates, PARAMETERS)
    // Half of the 4,000 on the smaller account is 20 BTC.
    expect(signals).toEqual([
      { type: 'target', size: { base: 20 } },
      { type: 'target', size: { base: -20 }, market: 'contract' },
      exit(),
      exit({ market: 'contract' }),
    ])
    const [fourth, seventh] = [START + 3 * DAY, START + 6 * DAY]
    expect(fills).toMatchObject([
      { symbol: 'E-BTC-USDT', side: 'sell', at: fourth, price: 100, quantity: 20 },
      { symbol: 'BTC/USDT', side: 'buy', at: fourth, price: 100, quantity: 20 },
      { symbol: 'E-BTC-USDT', side: 'buy', at: seventh, price: 100, quantity: 20 },
      { symbol: 'BTC/USDT', side: 'sell', at: seventh, price: 100, quantity: 20 },
    ])
    expect(denials).toEqual([])
  })

  it('waits for as many settlements as its average has', () => {
    expect(run(market.list, atNoon(0.01, 0.01), PARAMETERS).signals).toEqual([])
  })

  it('begins anew where the price has risen too far for the margin', () => {
    // Bought at 100; 149 is no rise by half, and 151 is one. Then the futures account has 4,000 - 20 × 51 left.
    const rising = klineScript('1d', START).closes(100, 100, 100, 149, 151, 151, 151, 151)
    const { signals } = run(rising.list, atNoon(0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01), PARAMETERS)
    expect(signals.slice(2, 4)).toEqual([exit(), exit({ market: 'contract' })])
    expect(signals[4]).toMatchObject({ size: { base: expect.closeTo(2980 / 2 / 151, 9) } })
  })

  it('takes the money of the smaller account as its measure', () => {
    const { signals, denials } = run(market.list, atNoon(0.01, 0.01, 0.01), PARAMETERS, '100000')
    expect(signals[0]).toMatchObject({ size: { base: 50 } })
    expect(denials).toEqual([])
  })

  it.runIf(hasShared('data'))(
    'holds in the weeks that a plain loop over four years of rates tells',
    async () => {
      const days = (await realKlines('binance-btcusdt-1d')).list.filter(
        ({ openTime }) => openTime >= Date.UTC(2020, 0, 1) && openTime < Date.UTC(2024, 0, 1),
      )
      const file = sharedPath('data', 'binance-btcusdtperp-funding.csv.gz')
      const [, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split(/\r?\n/)
      const rates = lines.map(line => {
        const [time = 0, rate = 0] = line.split(',').map(Number)
        return { time, rate }
      })
      const expected: string[] = []
      let entry = Number.NaN
      for (const [index, { openTime, close }] of days.entries()) {
        const tomorrow = days[index + 1]
        // What is settled at midnight is told after the day has closed.
        const known = rates
          .filter(({ time }) => time > Date.UTC(2020, 0, 1) && time < openTime + DAY)
          .slice(-21)
        if (tomorrow === undefined || known.length < 21) continue
        const average = meanOf(known.map(({ rate }) => rate))
        const isHolding = !Number.isNaN(entry)
        const leaves = isHolding && (average < 0 || close > entry * 1.5)
        const enters = !isHolding && average > 0.0001
        if (leaves) expected.push(`${tomorrow.openTime} buy E-BTC-USDT`, `${tomorrow.openTime} sell BTC/USDT`)
        if (enters) expected.push(`${tomorrow.openTime} buy BTC/USDT`, `${tomorrow.openTime} sell E-BTC-USDT`)
        entry = leaves ? Number.NaN : enters ? tomorrow.open : entry
      }
      const { fills, denials } = run(days, rates)
      expect(fills.map(({ at, side, symbol }) => `${at} ${side} ${symbol}`).toSorted()).toEqual(
        expected.toSorted(),
      )
      expect(fills.length).toBeGreaterThan(20)
      expect(denials).toEqual([])
    },
  )
})
