import { describe, expect, it } from 'vitest'
import { openTimeOf } from '../../src/domain/market-data/interval.ts'
import { rateOf } from '../../src/domain/numbers/amount.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import { defineStrategy, enterLong, exit, rsi } from '../../src/strategy/index.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { hasShared } from '../shared-data.ts'
import { marketSlice } from './market-slice.ts'
import { runLive, runReplay } from './run-both.ts'
import { turner } from './turner.ts'

/** Rests a bid below the market while the RSI is low, and leaves at market: limit and market orders in one strategy. */
const dipBuyer = defineStrategy({
  name: 'dip-buyer',
  indicators: () => ({ rsi: rsi(7) }),
  onKline({ close }, { indicators, position }) {
    if (position.direction === 'long') return indicators.rsi.value > 60 ? exit() : undefined
    if (indicators.rsi.value < 40) return enterLong({ order: { type: 'limit', price: close * 0.9995 } })
  },
})

const SUBJECTS = {
  'sma-cross at market': { strategy: smaCross, parameters: { fast: 5, slow: 20 }, history: 20 },
  'limit entries that are replaced while they rest': { strategy: dipBuyer, parameters: {}, history: 8 },
}

/** Protections that bite often, and a limit that bites sometimes. A live fill comes some time after its kline's open: pauses end between two closes, not at one. */
const RISK: RiskRules = {
  limits: { maxOrders: { count: 2, perMs: 600_000 } },
  protections: {
    lossesInARow: { count: 2, pauseMs: 44.5 * 60_000, mode: 'reducing' },
    dailyLoss: { rate: rateOf('0.005'), mode: 'halted' },
  },
}

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))('live and backtest on one real market', () => {
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    it(`give the same orders and the same fills: ${name}`, async () => {
      const market = await marketSlice(10_000, 700)
      const live = await runLive(market, subject)
      const replayed = runReplay(market, subject, live.instrument)
      expect(live.fills.length).toBeGreaterThan(15)
      expect(live.orders).toEqual(replayed.orders)
      expect(live.fills).toEqual(replayed.fills)
      expect(live.risk).toEqual([])
    })

    it(`hold trading back at the same moments, and deny the same orders: ${name}`, async () => {
      const market = await marketSlice(10_000, 450)
      const live = await runLive(market, { ...subject, risk: RISK })
      const replayed = runReplay(market, { ...subject, risk: RISK }, live.instrument)
      expect(live.risk.length).toBeGreaterThan(5)
      expect(live.risk).toEqual(replayed.risk)
      expect(live.orders).toEqual(replayed.orders)
      expect(live.fills).toEqual(replayed.fills)
    })
  }

  // Minutes of the slice, of which the first is one of the interval's own.
  it.each([
    ['3m', 10_000, 900],
    ['2h', 10_117, 2400],
  ] as const)(
    'give the same orders and fills on klines of %s, which the exchange does not offer',
    async (interval, from, minutes) => {
      const market = await marketSlice(from, minutes)
      expect(market.klines[0]?.openTime).toBe(openTimeOf(market.klines[0]?.openTime ?? 0, interval))
      const subject = { strategy: smaCross, parameters: { fast: 1, slow: 3 }, history: 3, interval }
      const live = await runLive(market, subject)
      const replayed = runReplay(market, subject, live.instrument)
      expect(live.fills.length).toBeGreaterThan(5)
      expect(live.orders).toEqual(replayed.orders)
      expect(live.fills).toEqual(replayed.fills)
    },
  )

  it('give the same orders and fills on margin, turned round and round with what is owned', async () => {
    const market = await marketSlice(10_000, 450)
    const margin = { USDT: '10000', BTC: '0.15' }
    const subject = { strategy: turner, parameters: {}, history: 20, margin }
    const live = await runLive(market, subject)
    const replayed = runReplay(market, subject, live.instrument)
    expect(live.instrument.accountType).toBe('margin')
    expect(live.fills.length).toBeGreaterThan(20)
    expect(live.orders).toEqual(replayed.orders)
    // The live run sees a part of the last kline, which the replay is not shown.
    expect(live.fills.slice(0, replayed.fills.length)).toEqual(replayed.fills)
    expect(live.risk).toEqual(replayed.risk)
  })
})
