import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { KlineOrigin, ManifestInputs } from '../../../backtest/manifest/manifest.ts'
import { PATH_POLICIES } from '../../../backtest/models/fill-settings.ts'
import type { ResultObject } from '../../../backtest/validation/compare-results.ts'
import { INTERVALS } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { DEFAULT_STORE } from '../../klines/store/default-store.ts'
import { QUEUE_ASSUMPTIONS } from '../../matching/queue-assumption.ts'
import type { BacktestCommandOptions, MarketOptions } from './backtest-command-options.ts'
import { GAP_POLICIES } from './gap-policy.ts'

const file = z.object({ file: z.string() })
const store = z.object({ store: z.string(), venue: z.string().optional() })
const interval = { interval: z.enum(INTERVALS) }

/** One kind of size, as in configurations. */
const size = z.union([
  z.object({ quote: z.number() }),
  z.object({ base: z.number() }),
  z.object({ equityFraction: z.number() }),
  z.object({ riskFraction: z.number(), maxEquityFraction: z.number().optional() }),
])

const inputs = z.object({
  strategy: z.string(),
  data: z.union([file, store]),
  book: z.string().optional(),
  ticks: z.literal(true).optional(),
  funding: z.string().optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  path: z.enum(PATH_POLICIES).optional(),
  queue: z.enum(QUEUE_ASSUMPTIONS).optional(),
  detail: z.union([file.extend(interval), store.extend(interval)]).optional(),
  bounds: z.literal(true).optional(),
  roles: z.record(z.string(), z.object({ symbol: z.string(), size: size.optional() })).optional(),
  feedData: z.record(z.string(), z.string()).optional(),
  config: z.unknown(),
})

const parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** One of several markets. */
const market = z.looseObject({
  symbol: z.string(),
  interval: z.string(),
  from: z.number(),
  to: z.number(),
  parameters,
  role: z.string().optional(),
  inputs: inputs.pick({
    strategy: true,
    data: true,
    book: true,
    detail: true,
    roles: true,
    feedData: true,
  }),
})

/** The part of a result that is needed to run it again. */
const result = z.looseObject({
  manifest: z.looseObject({
    seed: z.number(),
    symbol: z.string(),
    interval: z.string(),
    from: z.number(),
    to: z.number(),
    gaps: z.looseObject({ policy: z.enum(GAP_POLICIES) }),
    parameters,
    inputs,
    markets: z.array(market).optional(),
  }),
})

/** A result in a JSON file. */
export interface RecordedResult {
  readonly bytes: Uint8Array
  readonly object: ResultObject
  readonly inputs: ManifestInputs
  /** Options that run the same backtest again. */
  readonly options: BacktestCommandOptions
}

/** Reads a result; throws `UsageError` for a missing file, or one that is not a result with a manifest. */
export function readRecordedResult(path: string): RecordedResult {
  const bytes = bytesOf(path)
  const object = jsonOf(bytes, path)
  const parsed = result.safeParse(object)
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.')
    throw new UsageError(
      `${path} does not say how it was made: ${where} is missing or is not what --json writes. Give a result that this version of Sluice wrote with --json.`,
    )
  }
  const { manifest } = parsed.data
  return {
    bytes,
    // The schema has just verified that it is an object.
    object: object as ResultObject,
    inputs: manifest.inputs,
    options: optionsFrom(manifest, path),
  }
}

type RecordedManifest = z.output<typeof result>['manifest']

function optionsFrom(manifest: RecordedManifest, path: string): BacktestCommandOptions {
  const {
    data,
    book,
    ticks,
    funding,
    config,
    from,
    to,
    path: policy,
    queue,
    detail,
    bounds,
  } = manifest.inputs
  // The manifest lists markets in the order of the configuration's `strategies`.
  // Markets of roles are read with their strategy.
  const markets = manifest.markets?.filter(({ role }) => role === undefined)
  const isListed = typeof config === 'object' && config !== null && 'strategies' in config
  const entryOf = (index: number) => (isListed ? index : undefined)
  // A store may have more klines since then, a file may not.
  const isAllFiles = [data, ...(markets ?? []).map(({ inputs: { data: of } }) => of)].every(
    source => 'file' in source,
  )
  const span = isAllFiles
    ? { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    : { from: from ?? manifest.from, to: to ?? manifest.to }
  return {
    ...marketOptions(markets?.length === 1 ? (markets[0] ?? manifest) : manifest, entryOf(0)),
    ...(book !== undefined && { book }),
    ...(ticks !== undefined && { ticks }),
    ...(funding !== undefined && { funding }),
    ...storeOf([data, detail]),
    ...(markets !== undefined && {
      markets: markets.map((one, index) => marketOptions(one, entryOf(index))),
    }),
    ...(policy !== undefined && { path: policy }),
    ...(queue !== undefined && { queue }),
    ...(detail !== undefined && { detail: detail.interval }),
    ...(bounds !== undefined && { bounds }),
    gaps: manifest.gaps.policy,
    config: path,
    configValues: config,
    ...span,
    seed: manifest.seed,
  }
}

/** Store and venue of the klines. */
function storeOf(
  sources: readonly (KlineOrigin | undefined)[],
): Pick<BacktestCommandOptions, 'store' | 'venue'> {
  const stored = sources.find(source => source !== undefined && 'store' in source)
  if (stored === undefined || !('store' in stored)) return { store: DEFAULT_STORE }
  return { store: stored.store, ...(stored.venue !== undefined && { venue: stored.venue }) }
}

function marketOptions(
  {
    symbol,
    interval: length,
    parameters: values,
    inputs: { strategy, data, book, detail, roles, feedData },
  }: Pick<RecordedManifest, 'symbol' | 'interval' | 'parameters'> & {
    readonly inputs: Pick<ManifestInputs, 'strategy' | 'data' | 'book' | 'detail' | 'roles' | 'feedData'>
  },
  entry: number | undefined,
): MarketOptions {
  return {
    strategy,
    ...(entry !== undefined && { entry }),
    ...('file' in data && { data: data.file }),
    ...(book !== undefined && { book }),
    ...(detail !== undefined && 'file' in detail && { detailData: detail.file }),
    ...storeOf([data, detail]),
    ...(roles !== undefined && { roles }),
    ...(feedData !== undefined && { feedData }),
    symbol,
    interval: length,
    parameters: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  }
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new UsageError(
      `The result ${path} ${missing ? 'does not exist' : 'cannot be read'}; give a file that --json wrote.`,
      cause,
    )
  }
}

function jsonOf(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new UsageError(`${path} is not JSON; give a file that --json wrote.`, cause)
  }
}
