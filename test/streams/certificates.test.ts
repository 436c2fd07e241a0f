import { map, startWith, withLatestFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { atOnce } from '../../backtest/run/resumable.ts'
import { proveCausal } from '../../backtest/validation/causality/prove-causal.ts'
import { certifyWarmUp } from '../../backtest/validation/warm-up/certify-warm-up.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import {
  atrRisk,
  chandelierExit,
  compose,
  enterLong,
  exit,
  sma,
  tradingHours,
  trendFilter,
} from '../../src/strategy/index.ts'
import { crossingAbove, defineStreamStrategy, resample, withIndicator } from '../../src/streams/index.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { SPOT } from '../backtest/metrics/market.ts'
import { hasShared, sharedPath } from '../shared-data.ts'

const FILE = ['data', 'binance-btcusdt-1h.csv.gz'] as const

/** All of its memory is in its streams: averages of an hour and of four. */
const twoSpeeds = defineStreamStrategy({
  name: 'two-speeds',
  // Ten times four hours, of which the first may have begun before.
  warmUp: () => 43,
  signals({ klines$ }) {
    const isUp$ = klines$.pipe(
      resample('4h'),
      withIndicator(() => sma(10)),
      map(({ kline, value }) => kline.close > value),
      startWith(false),
    )
    return klines$.pipe(
      withIndicator(() => sma(12)),
      crossingAbove(
        ({ kline }) => kline.close,
        ({ value }) => value,
      ),
      withLatestFrom(isUp$),
      map(([, isUp]) => (isUp ? enterLong({ stopLoss: { fraction: 0.02 } }) : exit())),
    )
  },
})

const composed = compose(smaCross, {
  name: 'composed',
  parts: () => [
    trendFilter({ klines: 100 }),
    tradingHours({ from: '06:00', to: '22:00' }),
    atrRisk({ klines: 5, multiple: 2, fraction: 0.01 }),
    chandelierExit({ klines: 5, multiple: 2 }),
  ],
})

describe.each([twoSpeeds, composed])('$name', strategy => {
  const backtestOf = async () => {
    const { columns } = await readKlineFile(sharedPath(...FILE))
    return {
      klines: sliceRows(columns, 0, 4000),
      instrument: SPOT,
      interval: '1h',
      strategy,
      parameters: {},
      balances: new Map([['USDT', amountOf('10000')]]),
      size: { equityFraction: 0.95 },
      fills: DEFAULT_FILL_SETTINGS,
      sizingReference: 'decision',
      closeAtEnd: 'no',
    } as const
  }

  it.runIf(hasShared(...FILE))('decides nothing by the future', async () => {
    const { compared, leak } = atOnce(proveCausal({ backtest: await backtestOf(), cuts: 10, seed: 1 }))
    expect(leak).toBeUndefined()
    expect(compared.signals).toBeGreaterThan(20)
  })

  it.runIf(hasShared(...FILE))('declares all the history that its decisions need', async () => {
    const { proof, declared, decisions } = atOnce(certifyWarmUp({ backtest: await backtestOf(), seed: 1 }))
    expect(decisions).toBeGreaterThan(20)
    expect(proof).toMatchObject({ differing: 0 })
    expect(proof?.history).toBeLessThanOrEqual(declared)
  })
})
