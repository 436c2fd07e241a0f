import { createHash } from 'node:crypto'
import { basename, relative } from 'node:path'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { Size } from '../../src/domain/signal.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'
import type { PathPolicy } from '../models/fill-settings.ts'
import { canonicalJson } from './canonical-json.ts'
import { codeHash } from './code-hash.ts'
import { strategyFiles } from './strategy-files.ts'

/** One input: a file, or klines of the store. */
interface DataFile {
  /** Name without its folder. */
  readonly file: string
  /** Of the file on disk; of a store, of the columns read. */
  readonly sha256: string
  readonly klines: number
  /** Name of the shorter klines that these were made of, and their own interval; absent if none made them. */
  readonly resampled?: { readonly from: string; readonly to: Interval } | undefined
  /** Number of klines that a feed lacks of those of the time of the run; absent if it has all. */
  readonly lacks?: { readonly feed: string; readonly missing: number; readonly of: number } | undefined
}

/** Source of klines: a file, or a store and the venue within it. */
export type KlineOrigin =
  | { readonly file: string }
  | { readonly store: string; readonly venue?: string | undefined }

/** The inputs needed to repeat the run; paths are relative to the working directory, with `/`. */
export interface ManifestInputs {
  readonly strategy: string
  readonly data: KlineOrigin
  /** Best bids and asks recorded with trades. */
  readonly book?: string | undefined
  /** The data are trades of the store. */
  readonly ticks?: true | undefined
  /** Venue of the store whose funding rates counted, if requested instead of that of the configuration. */
  readonly funding?: string | undefined
  /** Requested first open time and end of the open times, ms UTC. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Path inside klines, if requested instead of that of the configuration. */
  readonly path?: PathPolicy | undefined
  /** Assumed queue on recorded ticks, if requested instead of that of the configuration. */
  readonly queue?: QueueAssumption | undefined
  /** Finer klines that give the path. */
  readonly detail?: (KlineOrigin & { readonly interval: Interval }) | undefined
  /** The worst and the best path were played as well. */
  readonly bounds?: true | undefined
  /** The instruments of the strategy's roles. */
  readonly roles?:
    | Readonly<Record<string, { readonly symbol: string; readonly size?: Size | undefined }>>
    | undefined
  /** Files of klines by role or feed. */
  readonly feedData?: Readonly<Record<string, string>> | undefined
  /** The configuration as its file has it, without its defaults. */
  readonly config: unknown
}

/** Everything a result follows from. Two runs with equal manifests have equal results; no clock is part of it. */
export interface Manifest {
  /** Of Sluice. */
  readonly version: string
  /** Version of Node. */
  readonly node: string
  /** SHA-256: see `codeHash`. */
  readonly code: string
  /**
   * Imports of the strategy's file besides Sluice, and those that could not be found, so that `code` does not
   * cover them.
   */
  readonly imports: {
    readonly files: readonly string[]
    readonly packages: readonly string[]
    readonly unresolved: readonly string[]
  }
  /** SHA-256 of the configuration, with its defaults, as canonical JSON. */
  readonly config: string
  readonly data: readonly DataFile[]
  /** The finer klines that give the path inside those of `data`, if any. */
  readonly detail?: (DataFile & { readonly interval: Interval }) | undefined
  readonly seed: number
  /** Of several markets all, with commas between them; as `interval`. */
  readonly symbol: string
  readonly interval: string
  /** Open of the first kline that was replayed, ms UTC. */
  readonly from: number
  /** Close of the last one, ms UTC. */
  readonly to: number
  /** Number of replayed klines. */
  readonly klines: number
  /** The gap policy, the number of gaps, and the number of absent klines. */
  readonly gaps: {
    readonly policy: 'fail' | 'skip' | 'fill'
    readonly count: number
    readonly missing: number
  }
  /** Of the strategy, complete with its defaults; of several strategies each has its own in `markets`. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  readonly inputs: ManifestInputs
  /** Each market, where there are several. */
  readonly markets?: readonly ManifestMarket[]
}

/** One of several markets of a run. */
export interface ManifestMarket
  extends Pick<Manifest, 'symbol' | 'interval' | 'from' | 'to' | 'klines' | 'gaps' | 'parameters'> {
  /** Name of its strategy. */
  readonly strategy: string
  /** Name of the book in fills and round trips. */
  readonly book: string
  readonly size: Size
  /** The finer klines that give the path inside its klines, if any. */
  readonly detail?: Manifest['detail']
  /** Its role in the strategy of the market before it that has none. */
  readonly role?: string | undefined
  readonly inputs: Pick<ManifestInputs, 'strategy' | 'data' | 'book' | 'detail' | 'roles' | 'feedData'>
}

/** Input of a manifest, besides the fields it repeats unchanged. */
export interface ManifestInput
  extends Omit<Manifest, 'code' | 'imports' | 'config' | 'data' | 'detail' | 'markets'> {
  /** Folder of the project, with `src/` and `backtest/`. */
  readonly root: string
  readonly strategyFile: string
  /** Those of the other markets, where there are several. */
  readonly otherStrategyFiles?: readonly string[]
  /** The configuration with its defaults filled in. */
  readonly config: unknown
  readonly data: readonly DataSource[]
  readonly detail?: (DataSource & { readonly interval: Interval }) | undefined
  readonly markets?: readonly MarketInput[]
}

/** One of several markets, with the whole path of its finer klines. */
export interface MarketInput extends Omit<ManifestMarket, 'detail'>, Pick<ManifestInput, 'detail'> {}

/** One input, with its whole path. */
export interface DataSource extends Omit<DataFile, 'file'> {
  readonly path: string
}

/** Makes a manifest: reads the code, keeps the names of the data files, sorts the parameters by name, and makes paths relative. */
export function manifestOf(input: ManifestInput): Manifest {
  const { version, node, seed, symbol, interval, from, to, klines, gaps, detail } = input
  const own = [...new Set([input.strategyFile, ...(input.otherStrategyFiles ?? [])])]
  const found = own.map(file => ({ file, ...strategyFiles(file, input.root) }))
  const imported = found.flatMap(({ file, files }) =>
    files.map(({ name }) => name).filter(name => name !== basename(file)),
  )
  const hashes = found.map(each => codeHash(input.root, each.file, each))
  return {
    version,
    node,
    code: hashes.length === 1 ? (hashes[0] ?? '') : createHash('sha256').update(hashes.join()).digest('hex'),
    imports: {
      files: [...new Set(imported)],
      packages: [...new Set(found.flatMap(({ packages }) => packages))],
      unresolved: [...new Set(found.flatMap(({ unresolved }) => unresolved))],
    },
    config: createHash('sha256').update(canonicalJson(input.config)).digest('hex'),
    data: input.data.map(dataFileOf),
    detail: detailOf(detail),
    seed,
    symbol,
    interval,
    from,
    to,
    klines,
    gaps,
    parameters: sortedByName(input.parameters),
    inputs: relativeInputs(input.inputs),
    ...(input.markets && { markets: input.markets.map(relativeMarket) }),
  }
}

function relativeMarket({ inputs, parameters, detail, ...market }: MarketInput): ManifestMarket {
  return {
    ...market,
    parameters: sortedByName(parameters),
    detail: detailOf(detail),
    inputs: {
      strategy: fromHere(inputs.strategy),
      data: relativeSource(inputs.data),
      book: inputs.book === undefined ? undefined : fromHere(inputs.book),
      detail: relativeDetail(inputs.detail),
      ...relativeFeeds(inputs),
    },
  }
}

function detailOf(detail: ManifestInput['detail']): Manifest['detail'] {
  return detail && { ...dataFileOf(detail), interval: detail.interval }
}

function relativeDetail(detail: ManifestInputs['detail']): ManifestInputs['detail'] {
  return detail && { ...relativeSource(detail), interval: detail.interval }
}

/** Parameters in order of their names. */
export function sortedByName(parameters: Manifest['parameters']): Manifest['parameters'] {
  return Object.fromEntries(Object.entries(parameters).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function dataFileOf({ path, sha256, klines, resampled, lacks }: DataSource): DataFile {
  return {
    ...{ file: basename(path), sha256, klines },
    ...(resampled !== undefined && { resampled }),
    ...(lacks !== undefined && { lacks }),
  }
}

function relativeInputs(inputs: ManifestInputs): ManifestInputs {
  const { strategy, data, book, ticks, funding, from, to, path, queue, detail, bounds, config } = inputs
  return {
    strategy: fromHere(strategy),
    data: relativeSource(data),
    ...(book !== undefined && { book: fromHere(book) }),
    ...(ticks !== undefined && { ticks }),
    ...(funding !== undefined && { funding }),
    from,
    to,
    path,
    ...(queue !== undefined && { queue }),
    detail: relativeDetail(detail),
    bounds,
    ...relativeFeeds(inputs),
    config,
  }
}

function relativeFeeds({ roles, feedData }: Pick<ManifestInputs, 'roles' | 'feedData'>) {
  const files = Object.entries(feedData ?? {}).map(([name, file]) => [name, fromHere(file)])
  return {
    ...(roles !== undefined && { roles }),
    ...(feedData !== undefined && { feedData: Object.fromEntries(files) }),
  }
}

function relativeSource(source: KlineOrigin): KlineOrigin {
  return 'file' in source
    ? { file: fromHere(source.file) }
    : { store: fromHere(source.store), venue: source.venue }
}

function fromHere(path: string): string {
  return relative('', path).replaceAll('\\', '/')
}
