import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { gapsOf } from '../../klines/check-interval.ts'
import { readKlineFile } from '../../klines/formats/read-kline-file.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import type { ResampleCounts } from '../../klines/resample/kline-resampler.ts'
import { resampleKlines } from '../../klines/resample/resample-klines.ts'
import { sliceKlines, type TimeSpan } from '../../klines/slice-klines.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import { readStoredKlines } from '../stored-klines.ts'
import type { OutputStreams } from '../streams.ts'
import { absenceText, counted, countsText } from './import-report.ts'
import { exportFormatOf, writeKlineFile } from './write-kline-file.ts'

export interface ResampleCommandOptions extends TimeSpan {
  readonly interval: string
  /** Intervals to build. */
  readonly into: readonly string[]
  /** Symbol of the stored klines, as input or output. */
  readonly symbol?: string
  readonly venue?: string
  readonly store: string
  /** Path of a kline file, in place of the store. */
  readonly data?: string
  /** Path of an output file, in place of the store. */
  readonly out?: string
  readonly incomplete: 'drop' | 'keep'
  /** Write JSON lines. */
  readonly json: boolean
}

/** Result for one interval. */
interface Resampled extends ResampleCounts {
  readonly interval: Interval
  readonly klines: number
  readonly first: number | undefined
  readonly last: number | undefined
  /** Number of gaps, and number of missing klines in them. */
  readonly gaps: number
  readonly absent: number
}

/** Builds longer klines, and reports each interval; resolves to exit code 0, rejects with `UsageError`. */
export async function runResample(options: ResampleCommandOptions, { out }: OutputStreams): Promise<number> {
  const from = intervalOf(options.interval)
  const intervals = options.into.map(intervalOf)
  refuseUnclear(options)
  const klines = await klinesFor(options, from)
  for (const to of intervals) {
    const { columns, counts } = resampleKlines(klines, { from, to, incomplete: options.incomplete })
    const put = columns.length === 0 ? 'nothing to store' : await store(columns, to, options)
    const resampled = resampledOf(columns, to, counts)
    out.write(options.json ? `${JSON.stringify(resampled)}\n` : textOf(resampled, put, options))
  }
  return 0
}

/** Throws `UsageError` if input or output is ambiguous. */
function refuseUnclear({ data, out, symbol, venue, into }: ResampleCommandOptions): void {
  if (out !== undefined) exportFormatOf(out)
  if (out !== undefined && into.length > 1) {
    throw new UsageError(`${out} takes klines of one interval; give one after --into.`)
  }
  if (data === undefined && symbol === undefined) {
    throw new UsageError('Say symbol of the stored klines with --symbol, or give a file with --data.')
  }
  if (data === undefined || out !== undefined || (symbol !== undefined && venue !== undefined)) return
  throw new UsageError(
    'Name the target of the klines: a file with --out, or --venue and --symbol of the store.',
  )
}

async function klinesFor(options: ResampleCommandOptions, interval: Interval): Promise<KlineColumns> {
  const { data, symbol = '' } = options
  if (data === undefined) return readStoredKlines({ ...options, symbol, interval, allowsLess: true }).columns
  const { columns } = await readKlineFile(data)
  return sliceKlines(columns, options)
}

/** Writes klines to their target, and returns a report in words. */
async function store(
  columns: KlineColumns,
  interval: Interval,
  options: ResampleCommandOptions,
): Promise<string> {
  if (options.out !== undefined) {
    await writeKlineFile(options.out, columns)
    return `in ${options.out}`
  }
  const { symbol = '', data } = options
  const klineStore = new KlineStore(options.store)
  const [only = ''] = klineStore.venuesOf(symbol, intervalOf(options.interval))
  const series = klineStore.klines({ venue: options.venue ?? only, symbol, interval })
  using writer = await series.openWriter()
  return countsText(
    writer.merge(columns, `resampled from ${options.interval}${data === undefined ? '' : ` of ${data}`}`),
  )
}

function resampledOf(columns: KlineColumns, interval: Interval, counts: ResampleCounts): Resampled {
  const gaps = gapsOf(columns, interval)
  return {
    interval,
    klines: columns.length,
    first: columns.openTime[0],
    last: columns.openTime.at(-1),
    gaps: gaps.length,
    absent: gaps.reduce((sum, { missing }) => sum + missing, 0),
    ...counts,
  }
}

function textOf(resampled: Resampled, put: string, options: ResampleCommandOptions): string {
  const { interval, klines, first, last, gaps, absent, incomplete, missing } = resampled
  const span =
    first === undefined || last === undefined
      ? ''
      : ` from ${utcText(first)} to ${utcText(last)}, ${absenceText(absent, gaps)}`
  const lack = `${incomplete} lacked ${missing} of their klines of ${options.interval}`
  const how =
    options.incomplete === 'keep'
      ? 'made of those there are'
      : 'left out (--incomplete keep takes what there is)'
  return `${interval}: ${counted(klines, 'kline')}${span}${incomplete === 0 ? '' : `; ${lack}, and were ${how}`}: ${put}.\n`
}
