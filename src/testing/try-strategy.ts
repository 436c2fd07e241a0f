import { constantFunding } from '../../backtest/futures/funding-rates.ts'
import type { BacktestMarket } from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import { declaredWarmUp } from '../../backtest/validation/warm-up/declared-warm-up.ts'
import { type BacktestConfig, type BacktestConfigInput, openingBalances } from '../config/backtest-config.ts'
import { instrumentFrom } from '../config/instrument-from.ts'
import { rulesFor } from '../config/instrument-rules.ts'
import type { Notice } from '../domain/events/engine-output.ts'
import { suggestion } from '../domain/nearest-name.ts'
import type { Size } from '../domain/signal.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { columnsFrom } from '../klines/kline-columns.ts'
import { scopeOfRuns } from '../sandbox/guarded-strategy.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { GivenParameter } from '../strategy/parameters.ts'
import type { KlineScript } from './klines.ts'
import { type FeedScript, triedFeeds } from './tried-feeds.ts'
import { type TriedRun, triedRun } from './tried-run.ts'
import { configOf, requireTraded } from './tried-settings.ts'

/** Data and settings of a trial. */
export interface TryOptions {
  /** Klines from `klines` or `recordedMarket`. */
  readonly klines: KlineScript
  /** Klines of its other instruments, by role; the role gives their symbols: `hedge` is HEDGE/USDT. */
  readonly markets?: Readonly<Record<string, KlineScript>>
  /** Data of its feeds, by name. Klines of a longer interval are built from the shorter ones unless given. */
  readonly feeds?: Readonly<Record<string, FeedScript>>
  /** Default: the strategy's defaults. */
  readonly parameters?: Readonly<Record<string, GivenParameter>>
  /** Initial balance: an amount of quote, or amounts by asset. Default: 10000 of quote. */
  readonly balance?: number | Readonly<Record<string, number | string>>
  /** Size of signals without a size. Default: one unit of base. */
  readonly size?: Size
  /** Default: BTC/USDT. */
  readonly symbol?: string
  /**
   * Account, rules of the instrument, fill rules and risk, as in config/backtest.yaml; by default without
   * costs.
   */
  readonly config?: BacktestConfigInput
}

/**
 * Runs a strategy over a few klines, through the same engine, risk checks and fill rules as a backtest, and
 * returns its actions in plain numbers. By default there are no costs and an entry is one unit, so that
 * expected numbers can be computed by hand. Throws `UsageError` for unusable options and for options and keys
 * without effect, and the `StrategyError` of a strategy that fails, or that uses the clock, randomness,
 * timers, the network or the process.
 */
export function tryStrategy(strategy: Strategy, options: TryOptions): TriedRun {
  return scopeOfRuns().call(() => tried(strategy, options))
}

function tried(strategy: Strategy, options: TryOptions): TriedRun {
  requireOptions(options)
  const { parameters = {}, symbol = 'BTC/USDT', klines, markets = {}, feeds = {} } = options
  const config = configOf({ ...options, symbol })
  const { instrument, futures } = contractOf(config, symbol)
  const roles = Object.fromEntries(
    Object.entries(markets).map(([role, script]) => {
      requireInterval(role, script, klines)
      const of = contractOf(config, `${role.toUpperCase()}/${instrument.quote}`)
      return [role, { klines: columnsFrom(script.list), list: script.list, ...of }]
    }),
  )
  requireTraded(config, [symbol, ...Object.values(roles).map(({ instrument: of }) => of.symbol)])
  requireKlines(
    strategy,
    declaredWarmUp({ strategy, parameters, instrument, interval: klines.interval }),
    klines,
  )
  const own = { strategy, parameters, instrument, futures, interval: klines.interval, roles }
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  const notices: Notice[] = []
  const result = runBacktest({
    ...{ ...own, klines: columnsFrom(klines.list), feeds: triedFeeds({ ...own, klines, feeds }) },
    ...{ fills, sizingReference, closeAtEnd, size: config.size, risk: config.risk },
    balances: openingBalances(config),
    onNotice: notice => notices.push(notice),
  })
  return triedRun({ result, notices, own: { instrument, list: klines.list }, roles })
}

/** Instrument of a symbol; for a contract with the funding of its rules. */
function contractOf(config: BacktestConfig, symbol: string): Pick<BacktestMarket, 'instrument' | 'futures'> {
  const instrument = instrumentFrom(config, symbol)
  if (instrument.futures === undefined) return { instrument }
  return { instrument, futures: { funding: constantFunding(rulesFor(config.instruments, symbol)) } }
}

/**
 * Every key of `TryOptions`, so that tests in JavaScript, or with a cast, get an error for a misspelt one.
 */
const OPTIONS: Readonly<Record<keyof TryOptions, true>> = {
  klines: true,
  markets: true,
  feeds: true,
  parameters: true,
  balance: true,
  size: true,
  symbol: true,
  config: true,
}

function requireOptions(options: TryOptions): void {
  const known = Object.keys(OPTIONS)
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown === undefined) return
  throw new UsageError(`tryStrategy has no option "${unknown}".${suggestion(unknown, known)}`)
}

function requireKlines({ name }: Strategy, warmUp: number, { list }: KlineScript): void {
  if (list.length > warmUp) return
  throw new UsageError(
    `Strategy "${name}" decides nothing before it has seen ${warmUp} klines, and there are ${list.length}; write more klines, or give smaller parameters.`,
  )
}

function requireInterval(role: string, script: KlineScript, own: KlineScript): void {
  if (script.interval === own.interval) return
  throw new UsageError(
    `The market "${role}" has klines of ${script.interval}, but the strategy runs on those of ${own.interval}; write them in that interval.`,
  )
}
