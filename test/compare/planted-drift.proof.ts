import { describe, expect, it } from 'vitest'
import { comparisonJson } from '../../src/compare/comparison-rows.ts'
import type { LiveComparison } from '../../src/compare/live-comparison.ts'
import { amountToNumber, rateOf } from '../../src/domain/numbers/amount.ts'
import type { HttpRequest } from '../../src/exchange/http/transport.ts'
import type { SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { defineStrategy, enterLong, exit, sma } from '../../src/strategy/index.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { turner } from '../parity/turner.ts'
import { hasShared } from '../shared-data.ts'
import { type ComparedLife, comparedLife, MINUTE, partsOf } from './compared-bot.ts'

const CROSS = { strategy: smaCross, parameters: { fast: 5, slow: 20 }, size: { quote: 5000 } }
const FUTURES: Pick<ComparedLife, 'strategies' | 'accounts' | 'exchange'> = {
  strategies: [{ strategy: turner, size: { quote: 5000 } }],
  accounts: {
    account: { type: 'futures', leverage: 5, marginMode: 'isolated', positionMode: 'oneWay' },
  },
  exchange: {
    accounts: [{ ...TEST_ACCOUNT, balances: {}, futuresBalances: { USDT: '10000' } }],
    futures: { contracts: [{ symbol: 'E-BTC-USDT', pricePrecision: 2 }] },
  },
}

/** An exchange whose answers lack some klines at a time, ms UTC. */
function withoutKlines(
  exchange: SimulatedExchange,
  isLacking: (openTime: number, now: number) => boolean,
): Pick<SimulatedExchange, 'handle'> {
  return {
    handle: (request, now) => {
      const response = exchange.handle(request, now)
      if (!request.target.includes('/klines') || response.status !== 200) return response
      const klines: readonly { readonly idx: number }[] = JSON.parse(response.body)
      return { ...response, body: JSON.stringify(klines.filter(({ idx }) => !isLacking(idx, now))) }
    },
  }
}

const isOrder = ({ method, url }: HttpRequest) => method === 'POST' && url.includes('order')

/** Base and notional of all live fills, by hand. */
function traded({ orders }: LiveComparison): { readonly base: number; readonly notional: number } {
  const fills = orders.flatMap(({ live }) => live?.fills ?? [])
  const base = fills.reduce((sum, { quantity }) => sum + quantity / 1e5, 0)
  return {
    base,
    notional: fills.reduce((sum, { price, quantity }) => sum + (price / 100) * (quantity / 1e5), 0),
  }
}

/** The part with most of the difference. */
function named(comparison: LiveComparison): string | undefined {
  const parts = Object.entries(partsOf(comparison))
  return parts.toSorted(([, left], [, right]) => Math.abs(right) - Math.abs(left))[0]?.[0]
}

/** The parts of a comparison add up to its difference, and none of them is unexplained. */
function expectAccounted({ parts, difference, live, backtest }: LiveComparison): void {
  const sum = Object.values(parts).reduce((total, amount) => total + amount, 0n)
  expect(sum).toBe(difference)
  expect(difference).toBe(live - backtest)
  expect(amountToNumber(parts.unexplained)).toBe(0)
}

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))('a drift planted on purpose is named', () => {
  it('a wider spread: 9.99 for each unit of base more than the one tick of the model', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      exchange: { liquidity: { spreadTicks: 1000 } },
    })
    expectAccounted(comparison)
    const { base } = traded(comparison)
    const { spread = 0, sizes = 0 } = partsOf(comparison)
    expect(spread).toBeCloseTo(-9.99 * base, 1)
    expect(Math.abs(sizes)).toBeLessThan(0.1)
    expect(named(comparison)).toBe('spread')
  })

  it('another fee: 0.1% of all that was traded more than the instrument has', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      rates: { makerFeeRate: '0.002', takerFeeRate: '0.002' },
    })
    expectAccounted(comparison)
    expect(partsOf(comparison).fees).toBeCloseTo(-0.001 * traded(comparison).notional, 0)
    expect(named(comparison)).toBe('fees')
    expect(comparison.verdict).toBe('differs')
  })

  it('another fee that is within the bound of what is turned over, but much of what round trips earn', async () => {
    const comparison = await comparedLife({
      strategies: [{ ...CROSS, parameters: { fast: 2, slow: 5 } }],
      rates: { makerFeeRate: '0.003', takerFeeRate: '0.003' },
      boundRate: 0.01,
    })
    expectAccounted(comparison)
    const trips = comparison.trips.live
    const mean = trips.reduce((sum, { pnl }) => sum + amountToNumber(pnl), 0) / trips.length
    const { verdict, predicted, sentence } = comparisonJson(comparison)
    expect(predicted?.live).toBeCloseTo(mean, 9)
    expect([verdict, predicted?.isInside]).toEqual(['differs', false])
    expect(sentence).toMatch(
      /^Live did not trade as the backtest promised, although the difference of .* within 1.00% of/,
    )
    expect(sentence).toContain(
      ` But its ${trips.length} round trips earn ${mean.toFixed(2)} USDT on average, less than the `,
    )
    expect(sentence).toContain(' Most of the difference is fees: another rate than the instrument had.')
  })

  it('orders that are twenty seconds on their way', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      thereMs: request => (isOrder(request) ? 20_000 : 0),
    })
    expectAccounted(comparison)
    expect(named(comparison)).toBe('latency')
  })

  it('klines that are shown half a minute late', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      between: exchange => withoutKlines(exchange, (openTime, now) => now < openTime + MINUTE + 30_000),
    })
    expectAccounted(comparison)
    expect(named(comparison)).toBe('lateKlines')
  })

  it('klines that never come', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      between: exchange => withoutKlines(exchange, openTime => (openTime / MINUTE) % 25 === 3),
    })
    expectAccounted(comparison)
    expect(named(comparison)).toBe('missedKlines')
  })

  it('a pause by the operator, with all trades that were not made', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      at: { 20: bot => bot.operate({ command: 'pause', forMs: 60 * MINUTE, reason: 'Lunch.' }) },
    })
    expectAccounted(comparison)
    const missing = comparison.orders.filter(({ live }) => live === undefined)
    expect(missing.length).toBeGreaterThan(1)
    expect(missing.map(({ cause }) => cause)).toEqual(missing.map(() => 'operator'))
    expect(named(comparison)).toBe('operator')
  })

  it('a daily loss that the operator lifts with resume, with the trades that the backtest was held from', async () => {
    const comparison = await comparedLife({
      strategies: [{ ...CROSS, parameters: { fast: 2, slow: 5 } }],
      risk: { limits: {}, protections: { dailyLoss: { rate: rateOf('0.002'), mode: 'reducing' } } },
      at: { 90: bot => bot.operate({ command: 'resume', reason: 'I know.' }) },
    })
    expectAccounted(comparison)
    const alone = comparison.orders.filter(({ backtest }) => backtest === undefined)
    expect(alone.length).toBeGreaterThan(1)
    expect(alone.map(({ cause }) => cause)).toEqual(alone.map(() => 'operator'))
  })

  it('a pause for most of the span: it cannot be told, and the bound is by what live traded', async () => {
    const comparison = await comparedLife({
      strategies: [CROSS],
      at: { 20: bot => bot.operate({ command: 'pause', forMs: 600 * MINUTE, reason: 'Holidays.' }) },
    })
    expectAccounted(comparison)
    expect(comparison.verdict).toBe('cannotTell')
    expect(amountToNumber(comparison.turnover.live)).toBeCloseTo(traded(comparison).notional, 2)
    expect(comparison.turnover.backtest).toBeGreaterThan(2n * comparison.turnover.live)
    // Paused from 20:30 on; the span ends 180 minutes and 5 seconds after the start, and begins in its first minutes.
    const minutes = (comparison.until - comparison.from) / MINUTE
    expect(minutes).toBeGreaterThan(170)
    expect(comparison.downtime * minutes).toBeCloseTo(180 + 5 / 60 - 20.5, 0)
    const { sentence, turnover, downtime } = comparisonJson(comparison)
    expect(downtime).toBe(comparison.downtime)
    expect(sentence).toContain(`cannot be told yet`)
    const [whole, cents] = Number(turnover.live).toFixed(2).split('.')
    expect(sentence).toContain(`live turned over ${whole?.slice(0, -3)},${whole?.slice(-3)}.${cents} USDT`)
    expect(sentence).toMatch(
      /due to commands of the operator\. Live could not enter for \d\d\.\d% of the span/,
    )
  })

  it('positions that the operator closed, on futures', async () => {
    const comparison = await comparedLife({
      ...FUTURES,
      at: { 30: bot => bot.operate({ command: 'flatten', reason: 'Fear.' }) },
    })
    expectAccounted(comparison)
    expect(named(comparison)).toBe('operator')
  })

  it('a wider spread on futures', async () => {
    const comparison = await comparedLife({
      ...FUTURES,
      exchange: { ...FUTURES.exchange, liquidity: { spreadTicks: 1000 } },
    })
    expectAccounted(comparison)
    expect(named(comparison)).toBe('spread')
  })

  it('a slippage by which the backtest is liquidated at other prices than live, and what follows from that', async () => {
    const gambler = defineStrategy({
      name: 'gambler',
      indicators: () => ({ average: sma(3) }),
      state: () => ({ klines: 0 }),
      onKline(_kline, { state, position }) {
        state.klines++
        return position.direction === 'flat' && state.klines % 4 === 0 ? enterLong() : undefined
      },
    })
    const comparison = await comparedLife({
      ...FUTURES,
      strategies: [{ strategy: gambler, size: { quote: 5000 } }],
      accounts: {
        account: { type: 'futures', leverage: 100, marginMode: 'isolated', positionMode: 'oneWay' },
      },
      maintenanceMarginRate: '0.005',
      minutes: 600,
      slippageRate: 0.0002,
    })
    expectAccounted(comparison)
    // The backtest bought 0.02% higher and is liquidated 12 minutes before live; both enter anew at once.
    const alone = comparison.orders.filter(({ live }) => live === undefined)
    expect(alone.map(({ backtest }) => backtest?.request.purpose)).toEqual(['liquidation', 'entry'])
    expect(comparison.orders.map(({ cause }) => cause)).toEqual(['spread', ...Array(4).fill('outside')])
  })

  it('a strategy whose file was changed since', async () => {
    const now = defineStrategy({
      name: smaCross.name,
      indicators: () => ({ fast: sma(4), slow: sma(9) }),
      onKline: (_kline, { indicators: { fast, slow }, position }) => {
        if (fast.value > slow.value && position.direction === 'flat') return enterLong()
        if (fast.value < slow.value && position.direction === 'long') return exit()
        return undefined
      },
    })
    const comparison = await comparedLife({ strategies: [{ ...CROSS, parameters: {} }], now })
    expectAccounted(comparison)
    expect(comparison.orders.some(({ live, backtest }) => live === undefined || backtest === undefined)).toBe(
      true,
    )
    expect(named(comparison)).toBe('changedStrategy')
  })
})
