import { checkDetail, type DetailKlines, requireInside } from '../../../../backtest/fills/detail-klines.ts'
import type { DataSource } from '../../../../backtest/manifest/manifest.ts'
import { closeTimeOf, type Interval } from '../../../domain/market-data/interval.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import { sliceKlines } from '../../../klines/slice-klines.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'
import type { GapPolicy } from '../gap-policy.ts'
import { withoutGaps } from '../without-gaps.ts'
import { sourcesOf } from './backtest-sources.ts'

/** Klines of the backtest, whose path finer klines show. */
export interface PlayedKlines {
  readonly klines: KlineColumns
  readonly interval: Interval
}

/** Finer klines that show the path, with their source, if there are any. */
export interface DetailInput {
  readonly detail: DetailKlines | undefined
  readonly detailData: DataSource | undefined
}

/**
 * Reads the klines of a `finer` interval over the time of the played klines, from a file or the store;
 * rejects with `UsageError` if they do not cover it, or lie outside of them. `--gaps fill` does not fill gaps in them: a kline
 * without finer ones has its own path, which flat ones would hide.
 */
export async function detailInput(
  options: BacktestCommandOptions,
  finer: Interval | undefined,
  played: PlayedKlines,
): Promise<DetailInput> {
  if (finer === undefined) return { detail: undefined, detailData: undefined }
  const { columns, name, data } = await read(options, finer, played)
  const policy: GapPolicy = options.gaps === 'fail' ? 'fail' : 'skip'
  // First, as it refuses other intervals, of which it makes no sense to say how far they reach.
  const whole = withoutGaps(columns, { interval: finer, policy, name })
  const detail = { klines: whole.klines, interval: finer }
  checkDetail(detail, played.klines, played.interval)
  requireInside(detail, played.klines, played.interval)
  return { detail, detailData: data }
}

async function read(options: BacktestCommandOptions, finer: Interval, { klines, interval }: PlayedKlines) {
  // There is at least one kline.
  const [first, last] = [klines.openTime[0] as number, klines.openTime.at(-1) as number]
  const span = { from: first, to: closeTimeOf(last, interval) }
  if (options.detailData !== undefined) {
    const { columns, sha256 } = await sourcesOf(options).klineFile(options.detailData)
    const data = { path: options.detailData, sha256, klines: columns.length }
    return { columns: sliceKlines(columns, span), name: options.detailData, data }
  }
  const { store, venue, symbol, gaps } = options
  const wanted = { store, symbol, ...(venue !== undefined && { venue }), ...span }
  const { columns, sha256, name, resampled } = sourcesOf(options).storedKlines({
    ...wanted,
    interval: finer,
    allowsLess: gaps === 'skip',
    detailOf: interval,
  })
  const data = { path: name.replaceAll('/', '-'), sha256, klines: columns.length, resampled }
  return { columns, name, data }
}
