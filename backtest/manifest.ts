import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Interval } from '../src/domain/interval.ts'
import { canonicalJson } from './canonical-json.ts'
import { codeHash } from './code-hash.ts'

/** One input file. */
interface DataFile {
  /** Name without its folder. */
  readonly file: string
  /** Of the file as it lies on the disk. */
  readonly sha256: string
  /** How many klines it has. */
  readonly klines: number
}

/** Everything a result follows from. Two runs with equal manifests have equal results; no clock and no folder is part of it. */
export interface Manifest {
  /** Of Sluice. */
  readonly version: string
  /** SHA-256: see `codeHash`. */
  readonly code: string
  /** SHA-256 of the configuration as canonical JSON. */
  readonly config: string
  readonly data: readonly DataFile[]
  readonly seed: number
  readonly symbol: string
  readonly interval: Interval
  /** Open of the first kline that was replayed, ms UTC. */
  readonly from: number
  /** Close of the last one, ms UTC. */
  readonly to: number
  /** How many klines were replayed. */
  readonly klines: number
  /** Of the strategy, complete with its defaults. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
}

/** What a manifest is made from, beside what it repeats as it is. */
export interface ManifestInput extends Omit<Manifest, 'code' | 'config' | 'data'> {
  /** Folder of the project: what `src/` and `backtest/` lie in. */
  readonly root: string
  readonly strategyFile: string
  /** The configuration with its defaults filled in. */
  readonly config: unknown
  readonly data: readonly (Omit<DataFile, 'file'> & { readonly path: string })[]
}

/** Makes a manifest: reads the code, keeps the names of the data files only, and sorts the parameters by name. */
export function manifestOf(input: ManifestInput): Manifest {
  const { version, seed, symbol, interval, from, to, klines } = input
  return {
    version,
    code: codeHash(input.root, input.strategyFile),
    config: createHash('sha256').update(canonicalJson(input.config)).digest('hex'),
    data: input.data.map(({ path, sha256, klines: rows }) => ({
      file: basename(path),
      sha256,
      klines: rows,
    })),
    seed,
    symbol,
    interval,
    from,
    to,
    klines,
    parameters: Object.fromEntries(
      Object.entries(input.parameters).sort(([left], [right]) => (left < right ? -1 : 1)),
    ),
  }
}
