import type { DataSource } from '../../../../backtest/manifest/manifest.ts'
import type { RoleMarket } from '../../../../backtest/run/backtest-options.ts'
import type { BacktestConfig } from '../../../config/backtest-config.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../../domain/market-data/interval.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import { sliceKlines } from '../../../klines/slice-klines.ts'
import type { Strategy } from '../../../strategy/define-strategy.ts'
import { requireRoles } from '../../../strategy/feeds/followed-feeds.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'
import { type KlinesWithoutGaps, withoutGaps } from '../without-gaps.ts'
import { sourcesOf } from './backtest-sources.ts'
import { type DetailInput, detailInput, type PlayedKlines } from './detail-input.ts'
import { type FuturesInput, readFuturesInput } from './futures-input.ts'
import { instrumentFor, onGridOf } from './instrument-for.ts'
import { gapsOver, requireReach } from './require-reach.ts'
import { storedTickInput } from './stored-ticks.ts'
import type { TickInput } from './tick-input.ts'

/** Instrument of a role, read and checked. */
export interface RoleInput
  extends RoleMarket,
    Pick<DetailInput, 'detailData'>,
    Pick<TickInput, 'bookData' | 'markData' | 'sessionData'>,
    Pick<KlinesWithoutGaps, 'gaps'> {
  /** Source of the klines. */
  readonly data: DataSource
  /** Sources of the futures data. */
  readonly futuresFiles: FuturesInput['files']
}

/** Inputs for reading a strategy's roles. */
export interface RolesFor {
  readonly options: BacktestCommandOptions
  readonly config: BacktestConfig
  readonly strategy: Strategy
  /** The strategy's own klines. */
  readonly own: PlayedKlines
  /** Interval of finer klines that show the path, if there are any. */
  readonly finer: Interval | undefined
}

/**
 * Reads the instruments of a strategy's roles with their klines, over the time of the strategy's own; rejects
 * with `UsageError` for roles without an instrument, and for klines that do not cover that time.
 */
export async function readRoles(wanted: RolesFor): Promise<Readonly<Record<string, RoleInput>>> {
  const { options, config, strategy, own, finer } = wanted
  const { roles: given = {}, detailData: _, ...common } = options
  requireRoles(strategy, { symbol: options.symbol, markets: given })
  const roles: [string, RoleInput][] = []
  for (const role of strategy.markets) {
    const { symbol, size } = given[role] ?? { symbol: options.symbol } // each has one, as required
    const traded = { ...options, symbol }
    const listed = instrumentFor(traded, config)
    const read =
      options.ticks === true ? await ticksOf(wanted, role, listed) : await klinesOf(wanted, role, symbol)
    const gaps = gapsOver(read, spanned(own), own.interval)
    const instrument = read.ticks === undefined ? onGridOf(read.klines, traded, config) : listed
    const { futures, files } = await readFuturesInput(config, instrument, options, read)
    const detail = await detailInput({ ...common, symbol }, finer, { ...own, klines: read.klines })
    roles.push([role, { ...read, ...detail, gaps, instrument, size, futures, futuresFiles: files }])
  }
  return Object.fromEntries(roles)
}

type RoleKlines = KlinesWithoutGaps &
  Pick<RoleInput, 'data' | 'ticks' | 'bookData' | 'markData' | 'sessionData'>

/** Recorded ticks of a role, with the klines that they make over the time of the strategy's own. */
async function ticksOf(wanted: RolesFor, role: string, instrument: Instrument): Promise<RoleKlines> {
  const { options, own } = wanted
  const { symbol } = instrument
  const read = await storedTickInput({ ...options, ...spanOf(own), symbol }, own.interval, instrument)
  requireRole(wanted, { role, symbol, source: `the store ${options.store}` }, read.klines, read.klines)
  return read
}

/** Klines of a role, from a file or from the store. */
async function klinesOf(wanted: RolesFor, role: string, symbol: string): Promise<RoleKlines> {
  const { options, own } = wanted
  const { interval } = own
  const span = spanOf(own)
  const { gaps: policy, store, venue, feedData = {} } = options
  const file = feedData[role]
  if (file === undefined) {
    const stored = storedFor(role, () =>
      sourcesOf(options).storedKlines({
        ...{ store, symbol, interval, ...span, allowsLess: policy === 'skip' },
        ...(venue !== undefined && { venue }),
      }),
    )
    const data = {
      path: stored.name.replaceAll('/', '-'),
      sha256: stored.sha256,
      resampled: stored.resampled,
      klines: stored.columns.length,
    }
    return { ...withoutGaps(stored.columns, { interval, policy, name: stored.name }), data }
  }
  const { columns, sha256 } = await sourcesOf(options).klineFile(file)
  const within = sliceKlines(columns, span)
  const whole = withoutGaps(within, { interval, policy, name: file }) // which refuses other intervals
  requireRole(wanted, { role, symbol, source: file }, within, columns)
  const data = { path: file, sha256, klines: columns.length }
  return { ...whole, data }
}

/** Time of the strategy's own klines, ms UTC. */
function spanOf(own: PlayedKlines) {
  const { first, last } = spanned(own)
  return { from: first, to: closeTimeOf(last, own.interval) }
}

/** First and last open time of the strategy's own klines, of which there is at least one, ms UTC. */
function spanned({ klines: { openTime } }: PlayedKlines) {
  return { first: openTime[0] as number, last: openTime.at(-1) as number }
}

/** Throws `UsageError` if klines of a role do not reach from the first of the strategy's own to the last, unless gaps are skipped. */
function requireRole(
  { options, own }: RolesFor,
  { role, symbol, source }: { readonly role: string; readonly symbol: string; readonly source: string },
  within: KlineColumns,
  all: KlineColumns,
): void {
  requireReach({
    ...{ of: `market "${role}" (${symbol})`, source, within, all },
    ...spanned(own),
    allowsLess: options.gaps === 'skip',
  })
}

function storedFor<Stored>(role: string, read: () => Stored): Stored {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause
    throw new UsageError(
      `The market "${role}" has no klines. ${cause.message}\nOr give a file: --feed-data ${role}=FILE.`,
      cause,
    )
  }
}
