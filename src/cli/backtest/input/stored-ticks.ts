import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { JudgedGap, JudgedGaps } from '../../../../backtest/ticks/tick-data.ts'
import { NO_TRADES } from '../../../bot/paper/public-feed.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { utcText } from '../../../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, openTimeOf } from '../../../domain/market-data/interval.ts'
import type { Kline } from '../../../domain/market-data/kline.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import { arrivalsBetween, type BookColumns } from '../../../klines/formats/book-columns.ts'
import { type KlineColumns, klinesIn } from '../../../klines/kline-columns.ts'
import {
  hasRecordedTicks,
  type RecordedTicks,
  readRecordedTicks,
} from '../../../klines/record/recorded-ticks.ts'
import { firstRowAtOrAfter } from '../../../klines/row-search.ts'
import { sliceKlines, type TimeSpan } from '../../../klines/slice-klines.ts'
import { KlineStore } from '../../../klines/store/kline-store.ts'
import { foldersIn } from '../../../klines/store/list-series.ts'
import { isVenue, marketPath } from '../../../klines/store/series-name.ts'
import { TRADE_LAYOUT } from '../../../klines/store/table-layout.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'
import { withoutGaps } from '../without-gaps.ts'
import { recordedSession } from './recorded-session.ts'
import { type TickInput, tradesWithin } from './tick-input.ts'
import { klinesOfMinutes, klinesOfTicks } from './tick-klines.ts'

/**
 * Reads what was recorded of a symbol from the store: ticks of `npm run record` or of a paper session, or downloaded
 * trades. The klines of the span are made of the trades; those of a contract, of which hosts tell no trades, are the
 * host's. Rejects with `UsageError` if there are none, or for gaps that the policy does not allow.
 */
export async function storedTickInput(
  options: BacktestCommandOptions,
  interval: Interval,
  instrument: Instrument,
): Promise<TickInput> {
  const { store, symbol, from, to } = options
  const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const venue = options.venue ?? onlyVenue(store, symbol)
  const market = { venue, symbol }
  const read = await ticksOf(store, market, asked)
  const isContract = instrument.futures !== undefined
  if (read.trades.length === 0 && !(isContract && read.books !== undefined))
    throw nothing(store, symbol, options.venue, ' in the span')
  const name = `${symbol} ticks of ${venue}`
  const session = await recordedSession(store, venue, instrument)
  const known = session?.gaps ?? storedGaps(store, market, read, isContract)
  const minutes = known.gaps.flatMap(gap => gap.minutes)
  const made = isContract ? klinesOfContract(read, minutes, interval) : klinesOfTicks(read, interval, minutes)
  const klines = sliceKlines(made, asked)
  const [first, last] = [klines.openTime[0], klines.openTime.at(-1)]
  if (first === undefined || last === undefined) throw noKline(name, read, interval)
  const span = { from: first, to: closeTimeOf(last, interval) }
  const gaps = read.gaps.filter(
    gap => gap.until >= span.from && gap.from < span.to && gap.reason !== NO_TRADES,
  )
  requireAllowed(name, gaps, options)
  const whole = withoutGaps(klines, { interval, policy: options.gaps, name })
  const trades = tradesWithin(read.trades, span)
  const books = read.books && booksWithin(read.books, span, session?.levels)
  return {
    klines,
    ticks: { trades, books, marks: read.marks, gaps: known, session: session?.orders },
    sessionData: session?.source,
    data: {
      path: name.replaceAll('/', '-'),
      sha256: sha256Of(TRADE_LAYOUT.fields.map(([column]) => trades[column])),
      klines: trades.length,
    },
    bookData: books && {
      path: `${symbol} order books of ${venue}`.replaceAll('/', '-'),
      sha256: sha256Of([books.time, books.bidsAt, books.asksAt, books.price, books.quantity]),
      klines: books.length,
    },
    markData: read.marks && {
      path: `${symbol} mark prices of ${venue}`.replaceAll('/', '-'),
      sha256: sha256Of([read.marks.time, read.marks.price, read.marks.rate]),
      klines: read.marks.length,
    },
    gaps: { policy: options.gaps, count: gaps.length + whole.gaps.count, missing: whole.gaps.missing },
  }
}

/** The klines of a contract that lie within its order books. */
function klinesOfContract(
  { books }: RecordedTicks,
  minutes: readonly Kline[],
  interval: Interval,
): KlineColumns {
  const read = books?.arrival?.ms ?? books?.time ?? []
  const [first, last] = [read[0] ?? Number.NaN, read.at(-1) ?? Number.NaN]
  const within = minutes.filter(({ openTime }) => openTime >= first && closeTimeOf(openTime, '1m') <= last)
  return klinesOfMinutes(within, interval)
}

/**
 * Gaps of a record with the stored minutes that judge them, each known once its last minute has closed. Of a contract
 * every minute is one.
 */
function storedGaps(
  store: string,
  market: { readonly venue: string; readonly symbol: string },
  { trades, books, gaps }: RecordedTicks,
  isContract: boolean,
): JudgedGaps {
  const [first, last] = [books?.time[0] ?? trades.time[0], books?.time.at(-1) ?? trades.time.at(-1)]
  if (first === undefined || last === undefined || (gaps.length === 0 && !isContract)) return judged([])
  const series = new KlineStore(store).klines({ ...market, interval: '1m' })
  if (series.extent() === undefined) return judged([])
  const minutes = klinesIn(series.read({ from: openTimeOf(first, '1m'), to: last }))
  const judgedBy = (gap: Omit<JudgedGap, 'minutes'>) => ({
    ...gap,
    minutes: minutes.filter(
      ({ openTime }) => openTime <= gap.until && closeTimeOf(openTime, '1m') > gap.from,
    ),
  })
  const ofContract = minutes.map(minute => ({
    ...{ from: minute.openTime, until: closeTimeOf(minute.openTime, '1m') - 1 },
    ...{ reason: NO_TRADES, minutes: [minute] },
  }))
  return judged(isContract ? ofContract : gaps.map(judgedBy))
}

function judged(gaps: readonly JudgedGap[]): JudgedGaps {
  const ascending = gaps.toSorted((left, right) => left.until - right.until)
  const ms = Float64Array.from(ascending, ({ until }) => closeTimeOf(openTimeOf(until, '1m'), '1m'))
  return { arrival: { ms, ns: new Float64Array(ms.length) }, gaps: ascending }
}

async function ticksOf(
  store: string,
  market: { readonly venue: string; readonly symbol: string },
  span: TimeSpan,
): Promise<RecordedTicks> {
  const folder = join(store, marketPath(market), 'ticks')
  if (hasRecordedTicks(folder)) return readRecordedTicks(folder, span)
  // A kline is whole once a later trade is known, and the first begins after an earlier one.
  const wider = {
    ...(span.from !== undefined && { from: span.from - DAY_MS }),
    ...(span.to !== undefined && { to: span.to + DAY_MS }),
  }
  const trades = new KlineStore(store).trades(market).read(wider)
  return { trades, books: undefined, marks: undefined, gaps: [] }
}

const DAY_MS = 86_400_000

/** The venue with trades of a symbol; throws if there is none, or more than one. */
function onlyVenue(store: string, symbol: string): string {
  const venues = foldersIn(store).filter(
    venue =>
      isVenue(venue) &&
      (hasRecordedTicks(join(store, marketPath({ venue, symbol }), 'ticks')) ||
        new KlineStore(store).trades({ venue, symbol }).extent() !== undefined),
  )
  const [venue, ...others] = venues
  if (venue === undefined) throw nothing(store, symbol, undefined)
  if (others.length === 0) return venue
  throw new UsageError(
    `The store ${store} has trades of ${symbol} of ${venues.join(' and ')}; say which with --venue.`,
  )
}

function nothing(store: string, symbol: string, venue: string | undefined, where = ''): UsageError {
  const of = venue === undefined ? '' : ` of ${venue}`
  return new UsageError(
    `The store ${store} has no trades of ${symbol}${of}${where}${symbol.includes('/') ? '' : ' (hosts list none of contracts)'}. Record them with npm run record, or download them:\n  npm run klines -- download --source binance --type trades --symbol ${symbol} --from 2024-01-01 --to 2024-01-03 --store ${store}`,
  )
}

function noKline(name: string, { trades, books }: RecordedTicks, interval: Interval): UsageError {
  const of = trades.length === 0 ? books?.time : trades.time
  const [first, last] = [of?.[0] ?? Number.NaN, of?.at(-1) ?? Number.NaN]
  if (trades.length === 0)
    return new UsageError(
      `${name}, from ${utcText(first)} to ${utcText(last)}, have no ${interval} kline of the span: those of a contract are made of the 1m klines recorded with it. Record them with npm run record, at its --interval 1m.`,
    )
  return new UsageError(
    `${name} make no complete ${interval} kline of the span; those of its days reach from ${utcText(first)} to ${utcText(last)}.`,
  )
}

const NAMED = 10

function requireAllowed(
  name: string,
  gaps: RecordedTicks['gaps'],
  { gaps: policy }: BacktestCommandOptions,
): void {
  if (policy === 'fill')
    throw new UsageError(
      '--gaps fill fills absent klines, but nothing can stand for absent trades; use --gaps skip.',
    )
  if (gaps.length === 0 || policy === 'skip') return
  const lines = gaps
    .slice(0, NAMED)
    .map(({ from, until, reason }) => `  ${utcText(from)} to ${utcText(until)}: ${reason}`)
  const more = gaps.length > NAMED ? `\n  and ${gaps.length - NAMED} more` : ''
  throw new UsageError(
    `${name} have ${gaps.length === 1 ? '1 gap' : `${gaps.length} gaps`}:\n${lines.join('\n')}${more}\nChoose a span without them with --from and --to, or play over them with --gaps skip.`,
  )
}

/** The order books that became known from `from` (included) to `to` (excluded), ms UTC. */
function booksWithin(
  books: BookColumns,
  { from, to }: Required<TimeSpan>,
  levels = books.levels,
): BookColumns {
  const known = books.arrival?.ms ?? books.time
  const [first, end] = [firstRowAtOrAfter(known, from), firstRowAtOrAfter(known, to)]
  const [start, stop] = [books.bidsAt[first] as number, books.bidsAt[end] as number] // one more than rows
  const placed = (column: Float64Array, last: number) => column.slice(first, last).map(at => at - start)
  return {
    ...{ ...books, levels },
    length: end - first,
    time: books.time.subarray(first, end),
    arrival: arrivalsBetween(books.arrival, first, end),
    bidsAt: placed(books.bidsAt, end + 1),
    asksAt: placed(books.asksAt, end),
    price: books.price.subarray(start, stop),
    quantity: books.quantity.subarray(start, stop),
  }
}

function sha256Of(columns: readonly Float64Array[]): string {
  const hash = createHash('sha256')
  for (const column of columns) hash.update(column)
  return hash.digest('hex')
}
