import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadStrategy } from '../../../src/bot/start/load-strategy.ts'
import type { BacktestConfigInput } from '../../../src/config/backtest-config.ts'
import { closeTimeOf } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { Size } from '../../../src/domain/signal.ts'
import { KlineScript } from '../../../src/testing/klines.ts'
import { recordedMarket } from '../../../src/testing/recorded-market.ts'
import type { FeedScript } from '../../../src/testing/tried-feeds.ts'
import type { TriedRun } from '../../../src/testing/tried-run.ts'
import { tryStrategy } from '../../../src/testing/try-strategy.ts'
import { sharedPath } from '../../shared-data.ts'
import { blocksOf, PAGES } from '../guide-pages.ts'
import { type SnippetFile, snippetFile } from '../snippet-file.ts'
import { FEE, SLIPPAGE, SMALLEST } from './naive-account.ts'

/** A snippet of the guide, the klines that it trades on, and the same in plain loops. */
export interface NaiveCase {
  /** Part of the snippet's text that no other has. */
  readonly snippet: string
  /** What goes in front of a bare handler's text. */
  readonly before?: string
  /** File of the shared data, the first of its klines and their number. Default: 4,000 hours of BTC/USDT. */
  readonly data?: string
  readonly first?: number
  readonly count?: number
  /** Files of further markets, by role. */
  readonly markets?: Readonly<Record<string, string>>
  /** Data of its feeds, by name. */
  readonly feeds?: (rows: readonly Kline[]) => Readonly<Record<string, FeedScript>>
  readonly config?: BacktestConfigInput
  readonly size?: Size
  /** Equity after the last kline. */
  readonly naive: (rows: readonly Kline[], others: Readonly<Record<string, readonly Kline[]>>) => number
  /** Fewest fills of a run that proves anything. */
  readonly fills: number
}

const COSTS: BacktestConfigInput = {
  instruments: {
    default: { makerFeeRate: FEE, takerFeeRate: FEE, minNotional: SMALLEST, pricePrecision: 8 },
  },
  fills: { slippageRate: SLIPPAGE, path: 'ohlc' },
}

/** The file that a case's snippet is. */
function fileOf({ snippet, before }: NaiveCase): SnippetFile {
  const blocks = ['../README.md', ...PAGES].flatMap(blocksOf)
  const found = blocks.filter(({ kind, text }) => kind === 'ts' && text.includes(snippet))
  const [block] = found
  if (block === undefined || found.length > 1) throw new Error(`${found.length} snippets have "${snippet}".`)
  const isWhole = block.text.includes('export default')
  return snippetFile({ ...block, file: block.file ?? (isWhole ? 'strategies/whole.ts' : undefined) }, before)
}

/** The run of a snippet's backtest, beside the equity of the plain loops. */
export async function equities(
  folder: string,
  asked: NaiveCase,
): Promise<{ run: TriedRun; expected: number }> {
  const { path: named, text } = fileOf(asked)
  // A file is loaded once, whatever is written into it later.
  const path = asked.before === undefined ? named : named.replace('.ts', '-after.ts')
  writeFileSync(join(folder, path), text)
  const slice = slicer(asked)
  const klines = await slice(asked.data ?? 'binance-btcusdt-1h')
  const names = Object.entries(asked.markets ?? {})
  const markets = Object.fromEntries(
    await Promise.all(names.map(async ([role, file]) => [role, await slice(file)])),
  )
  const { config = {}, size = { equityFraction: 0.95 } } = asked
  const run = tryStrategy(await loadStrategy(join(folder, path)), {
    klines,
    markets,
    feeds: asked.feeds?.(klines.list) ?? {},
    size,
    config: {
      ...COSTS,
      ...config,
      instruments: { default: { ...COSTS.instruments?.default, ...config.instruments?.default } },
      fills: { ...COSTS.fills, ...config.fills },
    },
  })
  const others = Object.entries<KlineScript>(markets).map(([role, script]) => [role, script.list])
  return { run, expected: asked.naive(klines.list, Object.fromEntries(others)) }
}

const files = new Map<string, Promise<KlineScript>>()

/** Cuts the asked klines out of files of the shared data, each of which is read once. */
function slicer({ first = 0, count = 4000 }: NaiveCase) {
  return async (name: string) => {
    const known = files.get(name) ?? recordedMarket(sharedPath('data', `${name}.csv.gz`))
    files.set(name, known)
    const { interval, list } = await known
    const part = list.slice(first, first + count)
    return new KlineScript(interval, closeTimeOf(part.at(-1)?.openTime ?? 0, interval), part)
  }
}
