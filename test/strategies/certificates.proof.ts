import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { atOnce } from '../../backtest/run/resumable.ts'
import { certifyWarmUp } from '../../backtest/validation/warm-up/certify-warm-up.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { SPOT } from '../backtest/metrics/market.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { loadShipped } from './strategy-files.ts'

/** Real klines, and from which row on: enough for some decisions, few enough to be quick. */
const HOURS = ['binance-btcusdt-1h', '1h', 0] as const
/** Prices of few digits, so that averages are equal now and then. */
const MINUTES = ['binanceusdm-filusdt-1m', '1m', 120_000] as const
const LENGTH = 4000

/** Strategies of one market, and the parameters with which they decide often enough there. */
const CASES = [
  ['sma-cross', HOURS, {}],
  ['sma-cross', MINUTES, {}],
  ['rsi-reversion', HOURS, {}],
  ['rsi-reversion', MINUTES, {}],
  ['donchian-breakout', HOURS, {}],
  ['donchian-breakout', MINUTES, {}],
  ['dca-regime', HOURS, { hours: 4 }],
  ['dca-regime', MINUTES, { hours: 1 }],
  ['trend-portfolio', HOURS, { trend: 240, window: 120, band: 0 }],
] as const

describe('a certificate', () => {
  it.runIf(hasShared('data')).each(CASES)(
    'says that %s, on %o with %o, declares all the history that its decisions need',
    async (shipped, [name, interval, from], parameters) => {
      const { columns } = await readKlineFile(sharedPath('data', `${name}.csv.gz`))
      const { proof, declared, decisions } = atOnce(
        certifyWarmUp({
          seed: 1,
          backtest: {
            klines: sliceRows(columns, from, from + LENGTH),
            instrument: SPOT,
            interval,
            strategy: await loadShipped(shipped),
            parameters,
            balances: new Map([['USDT', amountOf('10000')]]),
            size: { equityFraction: 0.95 },
            fills: DEFAULT_FILL_SETTINGS,
            sizingReference: 'decision',
            closeAtEnd: 'no',
          },
        }),
      )
      expect(decisions).toBeGreaterThan(20)
      expect(proof).toMatchObject({ differing: 0 })
      expect(proof?.history).toBeLessThanOrEqual(declared)
    },
  )
})
