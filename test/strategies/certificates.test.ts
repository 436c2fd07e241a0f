import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/fill-settings.ts'
import { atOnce } from '../../backtest/pausing.ts'
import { certifyWarmUp } from '../../backtest/trust/certify-warm-up.ts'
import { amountOf } from '../../src/domain/amount.ts'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { SPOT } from '../backtest/metrics/market.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { loadShipped, SHIPPED } from './strategy-files.ts'

/** Real klines, and which of them: enough for some decisions, few enough to be quick. */
const MARKETS = [
  ['binance-btcusdt-1h', '1h', 0],
  // Prices of few digits, so that averages are equal now and then.
  ['binanceusdm-filusdt-1m', '1m', 120_000],
] as const
const LENGTH = 6000

describe.each(MARKETS)('on %s', (name, interval, from) => {
  const file = ['data', `${name}.csv.gz`] as const

  it.skipIf(!hasShared(...file)).each(SHIPPED)(
    '%s declares all the history that its decisions need',
    async shipped => {
      const { columns } = await readKlineFile(sharedPath(...file))
      const { needed, declared, decisions } = atOnce(
        certifyWarmUp({
          seed: 1,
          backtest: {
            klines: sliceRows(columns, from, from + LENGTH),
            instrument: SPOT,
            interval,
            strategy: await loadShipped(shipped),
            parameters: {},
            balances: new Map([['USDT', amountOf('10000')]]),
            size: { equityFraction: 0.95 },
            fills: DEFAULT_FILL_SETTINGS,
            sizingReference: 'decision',
            closeAtEnd: 'no',
          },
        }),
      )
      expect(decisions).toBeGreaterThan(20)
      expect(needed).toBeLessThanOrEqual(declared)
    },
  )
})
