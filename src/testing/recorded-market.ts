import { closeTimeOf, INTERVALS, type Interval } from '../domain/market-data/interval.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { readKlineFile } from '../klines/formats/read-kline-file.ts'
import { type KlineColumns, klinesIn } from '../klines/kline-columns.ts'
import { KlineScript } from './klines.ts'

/**
 * Klines of a file (from `npm run klines -- export FILE`, or in any format that a backtest reads), to try a
 * strategy on. Gaps stay gaps. Rejects with `UsageError` for an unusable file, and for one whose times do not
 * fit one interval.
 */
export async function recordedMarket(file: string): Promise<KlineScript> {
  const { columns } = await readKlineFile(file)
  const interval = intervalIn(columns, file)
  // A kline file has at least one kline.
  const next = closeTimeOf(columns.openTime.at(-1) as number, interval)
  return new KlineScript(interval, next, klinesIn(columns))
}

/** The interval for which most klines directly follow the previous one. */
function intervalIn({ openTime }: KlineColumns, file: string): Interval {
  const followers = INTERVALS.map(interval => {
    const count = openTime.filter((time, row) => openTime[row + 1] === closeTimeOf(time, interval)).length
    return { interval, count }
  })
  const [most] = followers.toSorted((left, right) => right.count - left.count)
  if (most !== undefined && most.count > 0) return most.interval
  throw new UsageError(
    `${file} has no two klines that follow on each other, so their interval is unknown; give a file with more klines.`,
  )
}
