import type { BacktestOptions } from '../../backtest/run-backtest.ts'
import type { BacktestConfig } from '../bot/config/backtest-config.ts'
import { instrumentFrom } from '../bot/config/instrument-from.ts'
import { loadBacktestConfig } from '../bot/config/load-backtest-config.ts'
import { loadStrategy } from '../bot/load-strategy.ts'
import { ZERO } from '../domain/amount.ts'
import { utcText } from '../domain/civil-date.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Interval, intervalOf } from '../domain/interval.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { checkInterval, type KlineGaps } from '../klines/check-interval.ts'
import type { KlineColumns } from '../klines/kline-columns.ts'
import { readKlineFile } from '../klines/read-kline-file.ts'
import { sliceKlines } from '../klines/slice-klines.ts'
import type { BacktestCommandOptions } from './backtest-command.ts'

/** Everything a backtest needs, read and checked. */
export interface BacktestInput extends Omit<BacktestOptions, 'onProgress'> {
  readonly config: BacktestConfig
  /** The whole kline file. */
  readonly file: { readonly sha256: string; readonly klines: number }
  /** What klines are absent, in a sentence; `undefined` for none. */
  readonly gapSentence: string | undefined
}

/** Reads what the options of a backtest name; rejects with `UsageError` for what cannot be used, the quickest checks first. */
export async function readBacktestInput(options: BacktestCommandOptions): Promise<BacktestInput> {
  const interval = intervalOf(options.interval)
  const config = loadBacktestConfig(options.config)
  const instrument = instrumentOf(options, config)
  const strategy = await loadStrategy(options.strategy)
  strategy.parameterValues(options.parameters)
  const { columns, sha256 } = readKlineFile(options.data)
  const klines = sliceOf(columns, options)
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  return {
    config,
    interval,
    instrument,
    strategy,
    parameters: options.parameters,
    balances: config.account.balance,
    size: config.size,
    fills,
    sizingReference,
    closeAtEnd,
    klines,
    file: { sha256, klines: columns.length },
    gapSentence: gapSentence(options.data, gapsOf(options.data, klines, interval)),
  }
}

/** The instrument of the symbol, whose quote the account must hold. */
function instrumentOf({ symbol, config: file }: BacktestCommandOptions, config: BacktestConfig): Instrument {
  const upper = symbol.toUpperCase()
  if (symbol !== upper) {
    throw new UsageError(`"${symbol}" is not a symbol: symbols are in capitals. Did you mean "${upper}"?`)
  }
  const instrument = instrumentFrom(config, symbol)
  if ((config.account.balance.get(instrument.quote) ?? ZERO) > 0n) return instrument
  throw new UsageError(
    `The account in ${file} holds no ${instrument.quote} to trade ${symbol} with; add it to account.balance, such as { ${instrument.quote}: 10000 }.`,
  )
}

function sliceOf(columns: KlineColumns, { data, from, to }: BacktestCommandOptions): KlineColumns {
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const klines = sliceKlines(columns, span)
  if (klines.length > 0) return klines
  const wanted = [
    ...(from === undefined ? [] : [`from ${utcText(from)}`]),
    ...(to === undefined ? [] : [`before ${utcText(to)}`]),
  ]
  // A kline file has at least one kline.
  const [first, last] = [columns.openTime[0] as number, columns.openTime.at(-1) as number]
  throw new UsageError(
    `${data} has no klines ${wanted.join(' and ')}; it has those from ${utcText(first)} to ${utcText(last)}.`,
  )
}

function gapsOf(file: string, klines: KlineColumns, interval: Interval): KlineGaps {
  try {
    return checkInterval(klines, interval)
  } catch (cause) {
    throw cause instanceof UsageError ? new UsageError(`${file}: ${cause.message}`, cause) : cause
  }
}

function gapSentence(file: string, { count, missing, longest }: KlineGaps): string | undefined {
  if (longest === undefined) return undefined
  const gaps = count === 1 ? '1 gap' : `${count} gaps`
  return `${file} lacks ${missing} ${missing === 1 ? 'kline' : 'klines'} in ${gaps}; the longest lacks ${longest.missing} from ${utcText(longest.from)}.`
}
