import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadStrategy } from '../../src/bot/start/load-strategy.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import { type KlineTuple, klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { blocksOf } from './guide-pages.ts'
import { folderWith, snippetFile } from './snippet-file.ts'

const blocks = blocksOf('recipes.md')
const { folder, remove } = folderWith(
  blocks.filter(({ kind }) => kind === 'ts').map(block => snippetFile(block)),
)

afterAll(remove)

/** The strategy of the block that says `text`. */
async function recipe(text: string) {
  const found = blocks.filter(block => block.kind === 'ts' && block.text.includes(text))
  expect(found).toHaveLength(1)
  return loadStrategy(join(folder, found.map(block => snippetFile(block).path)[0] ?? ''))
}

const flat = (count: number) => Array.from({ length: count }, () => 100)
/** Averages of 10 and 30 closes cross on the last of these. */
const CROSS = [...flat(30), 101]
/** Where a handler alone enters after the last of these: an average of 20, and the one before, are known. */
const WARM = flat(21)

/** Purpose and price of the exit, and its row, of a long bought for 100 at the open of row 0. */
async function exitOf(text: string, rows: readonly KlineTuple[], before = CROSS, interval: Interval = '1h') {
  const { fills } = tryStrategy(await recipe(text), {
    klines: klineScript(interval)
      .closes(...before)
      .ohlc(...rows),
  })
  expect(fills[0]).toMatchObject({ kline: before.length, side: 'buy', price: 100 })
  const exit = fills[1]
  return exit && `${exit.kline - before.length}: ${exit.purpose} ${exit.price}`
}

const TRAILING = '// stoploss = -0.10, trailing_stop = True\n'
const POSITIVE = '// stoploss = -0.10, trailing_stop = True, trailing_stop_positive = 0.02\n'
const OFFSET = 'trailing_stop_positive_offset = 0.03\n'
const ONLY_OFFSET = '// The same and trailing_only_offset_is_reached = True'

describe('the rules of freqtrade', () => {
  // The numbers of its documentation: bought at 100.
  it.each<readonly [string, string, readonly KlineTuple[], string | undefined]>([
    ['trailing_stop: 10% below the entry at first', TRAILING, [[100, 100, 90, 91]], '0: trailingStop 90'],
    [
      'trailing_stop: 10% of 102 below 102 is 91.8',
      TRAILING,
      [
        [100, 102, 100, 101],
        [101, 101, 91.8, 92],
      ],
      '1: trailingStop 91.8',
    ],
    [
      'trailing_stop: 10% of the highest price, not of the entry: 200 less 20',
      TRAILING,
      [
        [100, 100, 100, 100],
        [200, 200, 185, 195],
        [195, 195, 175, 176],
      ],
      '2: trailingStop 180',
    ],
    // Break-even is 100 × 1.001 ÷ 0.999 = 100.2002; up to there it is 10% of 100.2 below.
    [
      'trailing_stop_positive: the wide stop while there is no profit after fees',
      POSITIVE,
      [
        [100, 100.2, 97, 98],
        [98, 98, 89, 90],
      ],
      '1: trailingStop 90.18',
    ],
    [
      'trailing_stop_positive: 2% of 102 below 102 is 99.96',
      POSITIVE,
      [
        [100, 100, 100, 100],
        [101, 102, 100.5, 101],
        [101, 101, 99.9, 100],
      ],
      '2: trailingStop 99.96',
    ],
    [
      'trailing_stop_positive_offset: the wide stop trails below the offset, 102 × 0.9',
      OFFSET,
      [
        [100, 102.99, 100, 101],
        [101, 101, 92.6, 93],
      ],
      '1: trailingStop 92.691',
    ],
    [
      'trailing_stop_positive_offset: 103 × 0.98 from the offset on',
      OFFSET,
      [
        [100, 100, 100, 100],
        [102, 103, 101.5, 102],
        [102, 102, 100.9, 101],
      ],
      '2: trailingStop 100.94',
    ],
    [
      'trailing_only_offset_is_reached: nothing trails below the offset',
      ONLY_OFFSET,
      [
        [100, 102.99, 100, 101],
        [101, 101, 90.01, 91],
        [91, 91, 89, 90],
      ],
      '2: stopLoss 90',
    ],
    [
      'trailing_only_offset_is_reached: 103 × 0.98 from the offset on',
      ONLY_OFFSET,
      [
        [100, 100, 100, 100],
        [102, 103, 101.5, 102],
        [102, 102, 100.9, 101],
      ],
      '2: trailingStop 100.94',
    ],
  ])('%s', async (_name, text, rows, expected) => {
    expect(await exitOf(text, rows, WARM)).toBe(expected)
  })

  // Half-hours: 30, 60, 90, 120 minutes after the entry at the closes of rows 1, 2, 3, 4.
  it.each<readonly [string, readonly KlineTuple[], string | undefined]>([
    [
      'is 20% below the entry for an hour',
      [
        [100, 100, 81, 100],
        [100, 100, 80, 81],
      ],
      '1: stopLoss 80',
    ],
    // Set at the close of row 1, after 60 minutes: 110 × 0.9.
    [
      'is 10% below the close after that',
      [
        [100, 105, 99, 105],
        [105, 110, 99, 110],
        [110, 110, 98, 99],
      ],
      '2: stopLoss 99',
    ],
    // The close of 104 after 90 minutes would be 93.6.
    [
      'never goes down',
      [
        [100, 105, 99, 105],
        [105, 110, 99, 110],
        [110, 110, 103, 104],
        [104, 104, 98, 99],
      ],
      '3: stopLoss 99',
    ],
    // After 120 minutes: 110 × 0.95.
    [
      'is 5% below the close after two hours',
      [
        [100, 105, 99, 105],
        [105, 110, 105, 110],
        [110, 110, 105, 110],
        [110, 110, 105, 110],
        [110, 110, 104, 105],
      ],
      '4: stopLoss 104.5',
    ],
  ])('custom_stoploss %s', async (_name, rows, expected) => {
    expect(await exitOf("name: 'tightening-stop'", rows, CROSS, '30m')).toBe(expected)
  })

  it.each<readonly [string, readonly KlineTuple[], string | undefined]>([
    [
      'is 10% below the entry up to a profit of 20%',
      [
        [100, 120, 100, 120],
        [120, 120, 89, 95],
      ],
      '1: stopLoss 90',
    ],
    [
      'locks 7% in above 20%',
      [
        [100, 121, 100, 121],
        [121, 121, 106, 110],
      ],
      '1: stopLoss 107',
    ],
    [
      'locks 15% in above 25%, and keeps that when the price falls',
      [
        [100, 126, 100, 126],
        [126, 126, 121, 122],
        [122, 122, 114, 120],
      ],
      '2: stopLoss 115',
    ],
    [
      'locks 25% in above 40%',
      [
        [100, 141, 100, 141],
        [141, 141, 124, 130],
      ],
      '1: stopLoss 125',
    ],
  ])('stoploss_from_open %s', async (_name, rows, expected) => {
    expect(await exitOf("name: 'stepped-stop'", rows)).toBe(expected)
  })

  // After fees of 0.1% on both sides: 100 × (1 + profit) × 1.001 ÷ 0.999, up to the next tick of 0.0001.
  const quiet: KlineTuple = [100, 100, 100, 100]
  it.each<readonly [string, readonly KlineTuple[], string | undefined]>([
    ['takes 4% at first: 104.20821', [[100, 104.3, 100, 104]], '0: takeProfit 104.2083'],
    ['takes no 2% before 20 minutes', [quiet, quiet, quiet, [100, 104, 100, 100], quiet], undefined],
    [
      'takes 2% from 20 minutes on: 102.20420',
      [quiet, quiet, quiet, quiet, [100, 102.3, 100, 100]],
      '4: takeProfit 102.2043',
    ],
    [
      'takes 1% from 30 minutes on: 101.20220',
      [quiet, quiet, quiet, quiet, quiet, [100, 101.2, 100, 100], [100, 101.3, 100, 100]],
      '6: takeProfit 101.2023',
    ],
    [
      'takes nothing but the fees from 40 minutes on: 100.20020',
      [...Array.from({ length: 8 }, () => quiet), [100, 100.3, 100, 100]],
      '8: takeProfit 100.2003',
    ],
  ])('minimal_roi %s', async (_name, rows, expected) => {
    expect(await exitOf("name: 'roi-table'", rows, CROSS, '5m')).toBe(expected)
  })
})

it('the settings of backtesting.py let an account be short, and pay fees in quote', async () => {
  const yaml = blocks.find(({ kind, text }) => kind === 'yaml backtest' && text.includes('stopLossFirst'))
  const market = klineScript('1h')
    .closes(...flat(20), 101, 101)
    .trend(80, 10)
    .ohlc([80, 80, 80, 80])
  const config = parse(yaml?.text ?? '')
  const strategy = await recipe("name: 'cross-both-ways'")
  const { fills, roundTrips } = tryStrategy(strategy, { klines: market, config })
  // 95% of 10,000, fees included: 9,500 ÷ (101 × 1.002) is 93.9, and whole units are traded; 93 × 101 × 0.002 in quote.
  expect(fills[0]).toMatchObject({ side: 'buy', price: 101, quantity: 93 })
  expect(fills[0]?.fee).toBeCloseTo(18.786, 9)
  expect(roundTrips.map(({ direction }) => direction)).toEqual(['long', 'short'])
})
