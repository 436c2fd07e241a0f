import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestMarket } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import { enterLong, exit } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT, scripted } from '../../engine/engine-session.ts'
import { contractWith } from '../futures/contract-run.ts'
import { klinesOf, QUIET, type Row } from '../kline-table.ts'
import { anySeed, randomRows, randomSignals } from '../random-market.ts'

const UNIT = 10n ** 18n
const START = '10000'

/** A random run: its account, how many markets, and what its strategies are paid and charged. */
const anyRun = fc.record({
  seed: anySeed,
  account: fc.constantFrom('spot', 'margin', 'isolated', 'cross'),
  feesPaidIn: fc.constantFrom('received', 'quote'),
  // Fees of which many leave no whole step.
  feeRate: fc.constantFrom('0', '0.001', '0.0137', '0.2'),
  markets: fc.constantFrom(1, 2, 3),
  base: fc.constantFrom('0', '1.23456789'),
  closeAtEnd: fc.constantFrom('no', 'lastClose', 'lastOpen'),
})
type AnyRun = typeof anyRun extends fc.Arbitrary<infer Value> ? Value : never

function instrumentOf({ account, feesPaidIn, feeRate }: AnyRun, base: string): Instrument {
  const fees = { maker: rateOf(feeRate), taker: rateOf(feeRate) }
  const own = { symbol: `${base}/USDT`, base }
  if (account === 'isolated' || account === 'cross')
    return {
      ...contractWith({ marginMode: account, leverage: 20 }),
      ...own,
      fees: { ...fees, paidIn: 'quote' },
    }
  return { ...(account === 'spot' ? SPOT : MARGIN), ...own, fees: { ...fees, paidIn: feesPaidIn } }
}

function playRandom(run: AnyRun) {
  const markets = Array.from({ length: run.markets }, (_, index): BacktestMarket => {
    const rows = randomRows(run.seed + index, 120)
    const klines = klinesOf(rows)
    return {
      klines: { ...klines, openTime: klines.openTime.map(time => 60 * time) },
      instrument: instrumentOf(run, ['BTC', 'ETH', 'SOL'][index] as string),
      interval: '1h',
      strategy: randomSignals,
      parameters: { seed: (run.seed + index) % 2 ** 31 },
      size: { equityFraction: 0.2 },
      futures: { funding: { type: 'constant', rate: rateOf('0.0031'), intervalHours: 4 } },
    }
  })
  const isOnContracts = run.account === 'isolated' || run.account === 'cross'
  const owned = isOnContracts ? [] : ([['BTC', amountOf(run.base)]] as const)
  const balances = new Map([['USDT', amountOf(START)], ...owned])
  const result = runBacktest({
    markets,
    balances,
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0.0007 },
    sizingReference: 'decision',
    closeAtEnd: run.closeAtEnd,
  })
  return { markets, balances, result, isOnContracts }
}

/**
 * Equity at the end in 10^-36 from plain fills: money and base that each of them moved, at the last closes. Contracts are base
 * that was never paid for in the wallet, but come to the same.
 */
function equityFromFills({
  markets,
  balances,
  result,
  isOnContracts,
}: ReturnType<typeof playRandom>): bigint {
  let equity = (balances.get('USDT') ?? 0n) * UNIT
  const rowAtEnd = result.equity.length - 1
  for (const { instrument, klines } of markets) {
    const { symbol, base, pricePrecision, quantityPrecision, contractSize } = instrument
    let owned: bigint = isOnContracts ? 0n : (balances.get(base) ?? 0n)
    for (const fill of result.fills) {
      if (fill.symbol !== symbol) continue
      const quantity =
        BigInt(fill.quantity) *
        (contractSize ?? 10n ** BigInt(18 - quantityPrecision)) *
        (fill.side === 'buy' ? 1n : -1n)
      const price = BigInt(fill.price) * 10n ** BigInt(18 - pricePrecision)
      owned += quantity
      equity -= quantity * price
      if (fill.feeAsset === base) owned -= fill.fee
      else equity -= fill.fee * UNIT
    }
    equity += owned * amountOf(String(klines.close[rowAtEnd]))
  }
  for (const { amount } of result.funding) equity -= amount * UNIT
  return equity
}

const sourcesOf = ({ startEquity, endEquity, ...sources }: BacktestResult['profit']) => Object.values(sources)
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)

describe('sources of profit', () => {
  const runs = Number(process.env.SLUICE_PROFIT_RUNS ?? 60)

  it('add up to the change of equity, to the last digit, in any run', () => {
    let [trips, dusty] = [0, 0]
    fc.assert(
      fc.property(anyRun, run => {
        const played = playRandom(run)
        const { profit, roundTrips, equity, ruined } = played.result
        expect(profit.unexplained).toBe(0n)
        expect(profit.startEquity + sum(sourcesOf(profit))).toBe(profit.endEquity)
        expect(profit.roundTrips).toBe(sum(roundTrips.map(({ pnl }) => pnl)))
        expect(Number(amountToText(profit.endEquity))).toBeCloseTo(equity.at(-1) as number, 7)
        const naive = ruined ? 0n : (equityFromFills(played) + profit.borneLoss * UNIT) / UNIT
        expect(profit.endEquity).toBe(naive)
        trips += roundTrips.length
        if (profit.dust !== 0n) dusty++
      }),
      { numRuns: runs, seed: 11 },
    )
    expect(trips).toBeGreaterThan(runs)
    expect(dusty).toBeGreaterThan(runs / 20)
  })

  const fills = { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 }
  const runOf = (
    instrument: Instrument,
    script: Parameters<typeof scripted>[0],
    rows: readonly Row[],
    quote = START,
  ) =>
    runBacktest({
      klines: klinesOf(rows),
      instrument,
      interval: '1m',
      strategy: scripted(script),
      parameters: {},
      size: { base: 1 },
      balances: new Map<string, Amount>([['USDT', amountOf(quote)]]),
      ...{ fills, sizingReference: 'decision', closeAtEnd: 'no' },
    })
  const named = ({ profit }: BacktestResult) =>
    Object.fromEntries(
      Object.entries(profit)
        .filter(([, amount]) => amount !== 0n)
        .map(([name, amount]) => [name, amountToText(amount)]),
    )

  it('say what base below a step is worth less its price', () => {
    // Steps of 0.001. A fee of 0.0007 leaves 0.9993: 0.999 to sell, and 0.0003 bought at 100 that end at 110.
    const fees = { maker: rateOf('0.0007'), taker: rateOf('0.0007'), paidIn: 'received' } as const
    const instrument = { ...SPOT, quantityPrecision: 3, fees }
    const rows: Row[] = [QUIET, QUIET, QUIET, [110, 110, 110, 110]]
    const result = runOf(instrument, { 0: enterLong(), 2: exit() }, rows)
    expect(named(result)).toEqual({
      startEquity: '10000',
      // 0.999 × 10, less 0.0007 × 100 and 0.0007 × 0.999 × 110.
      roundTrips: '9.843077',
      dust: '0.003',
      endEquity: '10009.846077',
    })
  })

  it('say what a margin account owes that was ruined', () => {
    const result = runOf(MARGIN, { 0: enterLong() }, [QUIET, QUIET, [100, 100, 40, 40]], '50')
    const { roundTrips, writtenOff, endEquity } = result.profit
    expect(result.ruined).toBe(true)
    expect(endEquity).toBe(0n)
    expect(writtenOff).toBe(-amountOf('50') - roundTrips)
  })
})
