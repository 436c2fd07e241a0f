import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sharedPath } from '../shared-data.ts'

/** A year of real minutes. */
export const YEAR_FILE = 'derived-bitfinex-btcusd-2018filled-1m.csv.gz'
/** Six real minutes of trades, and of best prices. */
export const TICK_FILES = ['trades', 'booktop'].map(
  kind => `hftbacktest-binanceusdm-btcusdt-20240808-${kind}.csv.gz`,
)

/** Path of a file of real data. */
export const dataPath = (file: string): string => sharedPath('data', file)

/** True for a file of real data that is here. */
export const isHere = (file: string): boolean => existsSync(dataPath(file))

/** Sentences that name each absent file, and the data on which its rows run instead. */
export function absentData(has = isHere): readonly string[] {
  const files = [
    ...[YEAR_FILE].map(file => ({ file, instead: 'a generated year of minutes stands for it' })),
    ...TICK_FILES.map(file => ({ file, instead: 'the row of ticks is left out' })),
  ]
  return files
    .filter(({ file }) => !has(file))
    .map(
      ({ file, instead }) =>
        `${join('data', file)} is not in SLUICE_SHARED (default ../shared), so ${instead}; see docs/speed.md.`,
    )
}
