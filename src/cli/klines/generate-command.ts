import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import type { SeriesListing } from '../../klines/store/list-series.ts'
import { seriesText } from '../../klines/store/series-name.ts'
import type { StoredSeries } from '../../klines/store/stored-series.ts'
import type { KlineName } from '../../klines/store/table-layout.ts'
import { progressBar } from '../progress-bar.ts'
import type { OutputStreams } from '../streams.ts'
import { GENERATED_VENUE, type GeneratedKlinesOptions, generatedKlines } from './generated-klines.ts'
import { importedSeriesText } from './import-report.ts'

export interface GenerateCommandOptions extends Omit<GeneratedKlinesOptions, 'interval'> {
  readonly interval: string
  readonly store: string
  /** Write one JSON object. */
  readonly json: boolean
}

/**
 * Stores klines of a generated market; resolves to exit code 0, rejects with `UsageError`. The same command
 * generates the same klines.
 */
export async function runGenerate(
  options: GenerateCommandOptions,
  { out, err }: OutputStreams,
): Promise<number> {
  const interval = intervalOf(options.interval)
  const minutes = Math.ceil((options.to - options.from) / 60_000)
  const progress = await progressBar(err, minutes, { unit: 'minutes' })
  const made = storeGenerated({ ...options, interval }, options.store, done => progress.update(done))
  const listing = await made.finally(() => progress.stop())
  out.write(options.json ? `${JSON.stringify(listing)}\n` : importedSeriesText(listing, options.store))
  return 0
}

/** Generates the klines, reporting minutes made to `onMade`, and stores them; rejects with `UsageError` for a span without any. */
export async function storeGenerated(
  options: GeneratedKlinesOptions & { readonly interval: Interval },
  store: string,
  onMade?: (minutes: number) => void,
): Promise<SeriesListing> {
  const { symbol, interval, from, to, seed } = options
  if (from >= to) {
    throw new UsageError(
      `--from ${utcText(from)} is not before --to ${utcText(to)}, so no kline lies between; swap them or correct one.`,
    )
  }
  const columns = generatedKlines(options, onMade)
  if (columns.length === 0)
    throw new UsageError(`The span is shorter than a kline of ${interval}; give a longer one.`)
  const series = new KlineStore(store).klines({ venue: GENERATED_VENUE, symbol, interval })
  requireNoOther(series, columns)
  using writer = await series.openWriter()
  writer.merge(columns, `generated from seed ${seed}`)
  return series.list() as SeriesListing // it has klines since the line before
}

/** Refuses to merge two generated markets into one series, which would have a jump. */
function requireNoOther(series: StoredSeries<KlineName>, { openTime, close }: KlineColumns): void {
  const stored = series.read()
  const isSame =
    stored.openTime.length === openTime.length &&
    stored.openTime.every((time, row) => time === openTime[row] && stored.close[row] === close[row])
  if (isSame || stored.openTime.length === 0) return
  throw new UsageError(
    `The store has another ${seriesText(series.name)} already; generate another symbol, or delete ${series.folder} first.`,
  )
}
