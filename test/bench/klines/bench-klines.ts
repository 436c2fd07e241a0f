import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { emptyColumns, type KlineColumns } from '../../../src/klines/kline-columns.ts'
import { dataPath, isHere, YEAR_FILE } from '../bench-data.ts'

const MINUTE = 60_000
const YEAR_OF_MINUTES = 525_600

/** What benchmarks run on. */
export interface BenchKlines {
  /** For the name of a row. */
  readonly source: string
  readonly klines: KlineColumns
}

/** A year of minutes: of a real market, or of a seeded walk where the real data is absent. */
export async function benchKlines(): Promise<BenchKlines> {
  return isHere(YEAR_FILE)
    ? { source: 'BTC/USD 2018, 1m', klines: (await readKlineFile(dataPath(YEAR_FILE))).columns }
    : { source: 'generated, 1m', klines: generatedKlines(YEAR_OF_MINUTES, 2018) }
}

/** Klines of a seeded random walk on a grid of 0.01; the same for the same seed. */
function generatedKlines(length: number, seed: number): KlineColumns {
  const klines = emptyColumns(length)
  const random = seededRandom(seed).uniform
  let cents = 1_000_000
  for (let row = 0; row < length; row++) {
    const open = cents
    cents = Math.max(100, cents + Math.round((random() - 0.5) * 2000))
    klines.openTime[row] = Date.UTC(2018, 0, 1) + row * MINUTE
    klines.open[row] = open / 100
    klines.high[row] = (Math.max(open, cents) + 100) / 100
    klines.low[row] = (Math.min(open, cents) - 50) / 100
    klines.close[row] = cents / 100
    klines.volume[row] = 1 + random()
  }
  return klines
}
