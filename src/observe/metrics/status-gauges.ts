import type { BotHealth } from '../../bot/log/bot-health.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'
import type { AccountEquity } from '../../bot/state/account-moves.ts'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import { verdictLevel } from '../../compare/comparison-verdict.ts'
import type { MarketOf } from '../../config/configured-market.ts'
import { wholeBook } from '../../domain/book-names.ts'
import { scopeText, type TradingMode } from '../../domain/events/trading-hold.ts'
import type { BotMeters } from './bot-meters.ts'
import { EquityPeaks } from './equity-peaks.ts'
import type { Labels } from './metric-registry.ts'

/** Number of a mode in `sluice_trading_state`. */
const MODES: Readonly<Record<TradingMode, number>> = { active: 0, reducing: 1, halted: 2 }

/** Gauges of the state of a bot at present. */
export class StatusGauges {
  readonly #meters: BotMeters
  readonly #marketOf: MarketOf
  readonly #peaks = new EquityPeaks()

  constructor(meters: BotMeters, marketOf: MarketOf) {
    this.#meters = meters
    this.#marketOf = marketOf
  }

  /** Takes equity, from whose highest the drawdown counts. */
  noteEquity(account: AccountEquity): void {
    this.#peaks.note(account)
  }

  /** Sets all gauges; the drawdown is that of `account`. */
  show(
    status: BotStatus,
    account: AccountEquity,
    { feedAgesMs, weight }: BotHealth,
    clockOffsetMs: number | undefined,
  ): void {
    this.noteEquity(account)
    const { unknownOrders, drift, feedAge, exposure, drawdown, clockOffset, money } = this.#meters
    const equity = Object.entries(status.equity).map(([quote, text]) => [quote, Number(text)] as const)
    unknownOrders.replace(plain(status.orders.filter(order => order.status === 'unknown').length))
    drift.replace(status.comparison === 'notYet' ? [] : plain(status.comparison === 'differs' ? 1 : 0))
    feedAge.replace(Object.entries(feedAgesMs).map(([symbol, ms]) => [{ symbol }, ms / 1000]))
    exposure.replace(equity.map(([quote, value]) => [{ quote }, ratio(notionalIn(status, quote), value)]))
    drawdown.replace(equity.map(([quote]) => [{ quote }, this.#peaks.drawdownOf(account, quote)]))
    this.#meters.weight.replace(plain(weight?.used))
    clockOffset.replace(plain(clockOffsetMs === undefined ? undefined : clockOffsetMs / 1000))
    this.#meters.tradingState.replace(this.#states(status))
    money?.equity.replace(equity.map(([quote, value]) => [{ quote }, value]))
    money?.position.replace(this.#positions(status))
  }

  /** Sets the gauges of live beside its backtest, which have no value without a comparison. */
  compare(update: ComparisonUpdate | undefined): void {
    const { backtestDifference, backtestDiffers } = this.#meters
    const found = update?.type === 'compared' ? update.comparison : undefined
    backtestDiffers.replace(plain(found && verdictLevel(found.verdict)))
    const turnover = Number(found?.turnover.live ?? 0)
    const commanded = Number(found?.parts.find(({ part }) => part === 'operator')?.amount ?? 0)
    const isTraded = found !== undefined && turnover > 0
    backtestDifference.replace(
      plain(isTraded ? (Number(found.difference) - commanded) / turnover : undefined),
    )
  }

  #states({ trading, strategies }: BotStatus): readonly (readonly [Labels, number])[] {
    const modes = new Map(trading.map(({ scope, effectiveMode }) => [scope, MODES[effectiveMode]]))
    const account = [{ strategy: '', symbol: '', account: '' }, modes.get(scopeText({})) ?? 0] as const
    return [
      account,
      ...strategies.map(({ strategy, symbol, book, stopped }) => {
        const mode = modes.get(scopeText({ strategy, symbol, book })) ?? modes.get(symbol) ?? account[1]
        return [this.#labels(strategy, symbol), stopped === undefined ? mode : MODES.halted] as const
      }),
    ]
  }

  /** Base by strategy, a long and a short position of one together; strategies without a position hold 0. */
  #positions({ strategies, held }: BotStatus): readonly (readonly [Labels, number])[] {
    const known = new Set(strategies.map(({ book }) => book))
    const unowned = held.filter(({ book }) => !known.has(wholeBook(book)))
    return [
      ...strategies.map(({ strategy, symbol, book }) => {
        const own = held.filter(position => wholeBook(position.book) === book)
        return [this.#labels(strategy, symbol), own.reduce((sum, one) => sum + signedBase(one), 0)] as const
      }),
      ...unowned.map(one => [this.#labels('', one.symbol), signedBase(one)] as const),
    ]
  }

  #labels(strategy: string, symbol: string): Labels {
    return { strategy, symbol, account: this.#marketOf(symbol).account }
  }
}

function signedBase({ base, direction }: BotStatus['held'][number]): number {
  return direction === 'short' ? -Number(base) : Number(base)
}

function plain(value: number | undefined): readonly (readonly [Labels, number])[] {
  return value === undefined ? [] : [[{}, value]]
}

/** Of positions at the latest prices; at their entry prices before the first. */
function notionalIn({ held }: BotStatus, quote: string): number {
  return held
    .filter(position => position.quote === quote)
    .reduce((sum, { base, markPrice, entryPrice }) => sum + Number(base) * Number(markPrice ?? entryPrice), 0)
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
