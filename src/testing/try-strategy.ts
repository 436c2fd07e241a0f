import { runBacktest } from '../../backtest/run-backtest.ts'
import { declaredWarmUp } from '../../backtest/trust/declared-warm-up.ts'
import type { BacktestConfigInput } from '../bot/config/backtest-config.ts'
import { instrumentFrom } from '../bot/config/instrument-from.ts'
import type { Notice } from '../domain/engine-output.ts'
import type { Size } from '../domain/signal.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { columnsFrom } from '../klines/kline-columns.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { GivenParameter } from '../strategy/parameters.ts'
import type { KlineScript } from './klines.ts'
import { type FeedScript, triedFeeds } from './tried-feeds.ts'
import { type TriedRun, triedRun } from './tried-run.ts'
import { configOf } from './tried-settings.ts'

/** What a strategy is tried on, and with. */
export interface TryOptions {
  /** What `klines` or `recordedMarket` gave. */
  readonly klines: KlineScript
  /** The klines of its further instruments, by role; their symbols are made of that: `hedge` is HEDGE/USDT. */
  readonly markets?: Readonly<Record<string, KlineScript>>
  /** What its feeds show, by name. Klines of a longer interval are made of the shorter ones where they are not given. */
  readonly feeds?: Readonly<Record<string, FeedScript>>
  /** Those that are left out have the strategy's defaults. */
  readonly parameters?: Readonly<Record<string, GivenParameter>>
  /** What the account holds at first: an amount of quote, or amounts by asset. Default: 10000 of quote. */
  readonly balance?: number | Readonly<Record<string, number | string>>
  /** Size of signals that name none. Default: one unit of base. */
  readonly size?: Size
  /** Default: BTC/USDT. */
  readonly symbol?: string
  /** Account, rules of the instrument, fill rules and risk, as in config/backtest.yaml; what is left out costs nothing. */
  readonly config?: BacktestConfigInput
}

/**
 * Runs a strategy over a few klines, through the same engine, risk checks and fill rules as a backtest, and gives what it
 * did in plain numbers. By default nothing costs anything and an entry is one unit, so that expected numbers can be worked
 * out by hand. Throws `UsageError` for what cannot be run, and the `StrategyError` of a strategy that fails.
 */
export function tryStrategy(strategy: Strategy, options: TryOptions): TriedRun {
  const { parameters = {}, symbol = 'BTC/USDT', klines, markets = {}, feeds = {} } = options
  const config = configOf({ ...options, symbol })
  const instrument = instrumentFrom(config, symbol)
  const roles = Object.fromEntries(
    Object.entries(markets).map(([role, script]) => {
      requireInterval(role, script, klines)
      const of = instrumentFrom(config, `${role.toUpperCase()}/${instrument.quote}`)
      return [role, { klines: columnsFrom(script.list), instrument: of, list: script.list }]
    }),
  )
  requireKlines(
    strategy,
    declaredWarmUp({ strategy, parameters, instrument, interval: klines.interval }),
    klines,
  )
  const own = { strategy, parameters, instrument, interval: klines.interval, roles }
  const { sizingReference, closeAtEnd, ...fills } = config.fills
  const notices: Notice[] = []
  const result = runBacktest({
    ...{ ...own, klines: columnsFrom(klines.list), feeds: triedFeeds({ ...own, klines, feeds }) },
    ...{ fills, sizingReference, closeAtEnd, size: config.size, risk: config.risk },
    balances: config.account.balance,
    onNotice: notice => notices.push(notice),
  })
  return triedRun({ result, notices, own: { instrument, list: klines.list }, roles })
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
