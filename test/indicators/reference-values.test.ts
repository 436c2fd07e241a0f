import { readFileSync } from 'node:fs'
import { ADX, MACD, EMA as TradingSignalsEma } from 'trading-signals'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { adx } from '../../src/indicators/adx.ts'
import { atr } from '../../src/indicators/atr.ts'
import { bollinger } from '../../src/indicators/bollinger.ts'
import type { Line } from '../../src/indicators/crossing.ts'
import { ema } from '../../src/indicators/ema.ts'
import type { Indicator } from '../../src/indicators/indicator.ts'
import { macd } from '../../src/indicators/macd.ts'
import { plugIn } from '../../src/indicators/plug-in.ts'
import { rsi } from '../../src/indicators/rsi.ts'
import { sma } from '../../src/indicators/sma.ts'
import { stochastic } from '../../src/indicators/stochastic.ts'
import { hasShared, sharedPath } from '../shared-data.ts'

const FILE = ['oracles', 'indicators.csv']

/** Rows of the file by column; an empty cell is NaN. */
function readRows(): readonly Readonly<Record<string, number>>[] {
  const [header = '', ...lines] = readFileSync(sharedPath(...FILE), 'utf8')
    .trim()
    .split(/\r?\n/)
  const names = header.split(',')
  return lines.map(line => {
    const cells = line.split(',')
    return Object.fromEntries(
      names.map((name, index) => [name, cells[index] === '' ? Number.NaN : Number(cells[index])]),
    )
  })
}

const columnOf = (row: Readonly<Record<string, number>>, name: string) => row[name] ?? Number.NaN
const klineOf = (row: Readonly<Record<string, number>>): Kline => ({
  openTime: columnOf(row, 'idx'),
  open: columnOf(row, 'open'),
  high: columnOf(row, 'high'),
  low: columnOf(row, 'low'),
  close: columnOf(row, 'close'),
  volume: columnOf(row, 'vol'),
})

const INDICATORS: readonly [string, () => Indicator][] = [
  ['sma_20', () => sma(20)],
  ['ema_20_smaseed', () => ema(20)],
  ['rsi_14', () => rsi(14)],
  ['atr_14_talib', () => atr(14)],
  ['bb_mid_20', () => bollinger(20, 2)],
  ['adx_14_rma', () => adx(14)],
]

/** Those of several lines, which begin one after the other. */
const LINES: readonly [string, () => { readonly indicator: Indicator; readonly line: Line }][] = [
  ['bb_up_20_2', () => lineOf(bollinger(20, 2), ({ upper }) => upper)],
  ['bb_low_20_2', () => lineOf(bollinger(20, 2), ({ lower }) => lower)],
  ['macd_12_26_9_smaseed', () => lineOf(macd(12, 26, 9), line => line)],
  ['macd_signal_smaseed', () => lineOf(macd(12, 26, 9), ({ signal }) => signal)],
  ['macd_hist_smaseed', () => lineOf(macd(12, 26, 9), ({ histogram }) => histogram)],
  ['plus_di_14_rma', () => lineOf(adx(14), ({ plus }) => plus)],
  ['minus_di_14_rma', () => lineOf(adx(14), ({ minus }) => minus)],
  ['stoch_fastk_14', () => lineOf(stochastic(14, 3, 3), ({ raw }) => raw)],
  ['stoch_slowk_14_3', () => lineOf(stochastic(14, 3, 3), line => line)],
  ['stoch_slowd_14_3_3', () => lineOf(stochastic(14, 3, 3), ({ d }) => d)],
]

function lineOf<Own extends Indicator>(indicator: Own, pick: (indicator: Own) => Line) {
  return { indicator, line: pick(indicator) }
}

const isHere = hasShared(...FILE)

describe.runIf(isHere)('the reference values of 500 klines of BTC/USDT', () => {
  const rows = isHere ? readRows() : []

  it.each(INDICATORS)('in %s are matched at every kline, the first one included', (column, make) => {
    const indicator = make()
    expect(rows).toHaveLength(500)
    for (const [index, row] of rows.entries()) {
      indicator.update(klineOf(row))
      const reference = columnOf(row, column)
      const isReady = index + 1 >= indicator.requiredKlines
      expect(Number.isNaN(reference), `${column} in row ${index}`).toBe(!isReady)
      // The file carries 12 significant digits.
      if (isReady) expect(Math.abs(indicator.value / reference - 1), `row ${index}`).toBeLessThan(1e-11)
    }
  })

  it.each(LINES)('in %s are matched at every kline that has one', (column, make) => {
    const { indicator, line } = make()
    for (const [index, row] of rows.entries()) {
      indicator.update(klineOf(row))
      const reference = columnOf(row, column)
      expect(Number.isNaN(line.value), `row ${index}`).toBe(Number.isNaN(reference))
      if (index + 1 >= indicator.requiredKlines) expect(line.value, `row ${index}`).not.toBeNaN()
      if (Number.isNaN(reference)) continue
      // 12 significant digits, or what a difference of prices of five digits keeps of them.
      const error = Math.abs(line.value - reference)
      expect(error, `row ${index}`).toBeLessThan(1e-8 + 1e-11 * Math.abs(reference))
    }
  })

  it('in adx_14_talib are matched by a plugged-in ADX once its start has faded', () => {
    const adx = plugIn(new ADX(14), 'kline')
    for (const [index, row] of rows.entries()) {
      adx.update(klineOf(row))
      // trading-signals takes its first range one kline earlier than TA-Lib does.
      if (index >= 400) expect(adx.value).toBeCloseTo(columnOf(row, 'adx_14_talib'), 8)
    }
  })

  it('in macd_12_26_9_firstseed are matched by a plugged-in MACD with its three numbers', () => {
    const macd = plugIn(
      new MACD(new TradingSignalsEma(12), new TradingSignalsEma(26), new TradingSignalsEma(9)),
      'close',
    )
    for (const [index, row] of rows.entries()) {
      macd.update(klineOf(row))
      if (index + 1 < 200) continue
      // 200 klines in, what the averages were started with has faded to below 10^-5.
      expect(macd.value.macd).toBeCloseTo(columnOf(row, 'macd_12_26_9_firstseed'), 4)
      expect(macd.value.signal).toBeCloseTo(columnOf(row, 'macd_signal_firstseed'), 4)
      expect(macd.value.histogram).toBeCloseTo(columnOf(row, 'macd_hist_firstseed'), 4)
    }
  })
})
