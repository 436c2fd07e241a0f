import { expect, it } from 'vitest'
import type { KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { seededRandom } from '../../src/domain/numbers/seeded-random.ts'
import { adx } from '../../src/indicators/adx.ts'
import { atr } from '../../src/indicators/atr.ts'
import { bollinger } from '../../src/indicators/bollinger.ts'
import type { Line } from '../../src/indicators/crossing.ts'
import { ema } from '../../src/indicators/ema.ts'
import { announceTo } from '../../src/indicators/formula-indicator.ts'
import type { Indicator } from '../../src/indicators/indicator.ts'
import { macd } from '../../src/indicators/macd.ts'
import { highest, lowest } from '../../src/indicators/rolling-extreme.ts'
import { rsi } from '../../src/indicators/rsi.ts'
import { sma } from '../../src/indicators/sma.ts'
import { stochastic } from '../../src/indicators/stochastic.ts'
import { volatility } from '../../src/indicators/volatility.ts'

const BLOCK = 100_000
/** Two million klines; `SLUICE_RUNS=5` are ten million. */
const BLOCKS = 20 * Number(process.env.SLUICE_RUNS ?? 1)
/** Exponential averages of these periods weigh what came before by less than 2^-53 then; windows are shorter. */
const ENOUGH = 2000

const MAKERS: Readonly<Record<string, () => Indicator & { readonly upper?: Line; readonly lower?: Line }>> = {
  sma: () => sma(50),
  ema: () => ema(50),
  rsi: () => rsi(14),
  atr: () => atr(14),
  bollinger: () => bollinger(20),
  highest: () => highest(48),
  lowest: () => lowest(48),
  macd: () => macd(),
  adx: () => adx(),
  stochastic: () => stochastic(),
  volatility: () => volatility(30),
}

it('no indicator drifts over millions of klines from what a fresh one says of the last of them', () => {
  const running = Object.entries(MAKERS).map(([name, make]) => ({ name, make, indicator: make() }))
  const klines = emptyBlock()
  const walk = walkOf(seededRandom(7).uniform)
  for (let block = 0; block < BLOCKS; block++) {
    walk(klines)
    for (const { name, make, indicator } of running) {
      showBlock(indicator, klines, 0)
      const fresh = make()
      showBlock(fresh, klines, BLOCK - ENOUGH)
      // Prices are between 1 and 10^5, and what is 0 to 100 counts with as many digits.
      for (const [line, value] of linesIn(fresh))
        expect(Math.abs((linesIn(indicator).get(line) ?? Number.NaN) / value - 1), name).toBeLessThan(1e-9)
    }
  }
})

function linesIn({ value, upper, lower }: ReturnType<NonNullable<(typeof MAKERS)[string]>>) {
  const lines = new Map([['value', value]])
  if (upper !== undefined) lines.set('upper', upper.value)
  if (lower !== undefined) lines.set('lower', lower.value)
  return lines
}

/** All rows from `from` on, and shown to the last. */
function showBlock(indicator: Indicator, klines: KlineSeries, from: number): void {
  announceTo(indicator, klines, from, BLOCK)
  const kline = { openTime: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 } // announced ones are not read again
  for (let row = from; row < BLOCK; row++) indicator.update(kline)
}

function emptyBlock(): KlineSeries {
  const column = () => new Float64Array(BLOCK)
  return {
    ...{ openTime: column(), open: column(), volume: column() },
    ...{ high: column(), low: column(), close: column() },
  }
}

/** A price that walks between 1 and 10^5, with a jump now and then. */
function walkOf(random: () => number): (klines: KlineSeries) => void {
  let logPrice = 4
  return ({ open, high, low, close }) => {
    for (let row = 0; row < BLOCK; row++) {
      open[row] = Math.exp(logPrice)
      const jump = random() < 0.001 ? 50 : 1
      logPrice += 0.02 * jump * (random() - 0.5)
      logPrice = Math.min(11.5, Math.max(0, logPrice))
      close[row] = Math.exp(logPrice)
      high[row] = Math.max(open[row] ?? 0, close[row] ?? 0) * (1 + 0.005 * random())
      low[row] = Math.min(open[row] ?? 0, close[row] ?? 0) * (1 - 0.005 * random())
    }
  }
}
