import { rulesOf } from '../../../src/domain/account-rules.ts'
import { add, amountToNumber, ZERO } from '../../../src/domain/numbers/amount.ts'
import { priceText } from '../../../src/domain/numbers/grid.ts'
import { grouped } from '../../../src/domain/numbers/grouped.ts'
import { orderWord } from '../../../src/domain/orders/order-words.ts'
import type { TimedLiquidation } from '../../futures/timed-liquidation.ts'
import { endOf, ruinTimeOf } from '../../metrics/returns/equity-curve.ts'
import type { DenialCount } from '../../results/denial-tally.ts'
import type { TradingReport } from '../trading-report.ts'
import { fixed, minuteText, moneyFigure, quantityFigure } from './figure-text.ts'
import { denialNotes } from './report-notes.ts'

/** The share of orders denied from which on a run is no longer the strategy as it was written. */
const LARGE_SHARE = 0.1
/** The part of the starting equity below which almost everything is lost. */
const ALMOST_NOTHING = 0.1

/** Sentences that change the meaning of every figure of a run, gravest first: ruin, liquidations, and a large share of orders denied. */
export function reportWarnings(report: TradingReport): string[] {
  return [ruinText(report), liquidationText(report), denialText(report)].filter(text => text !== undefined)
}

/** The sentences above a page: warnings as those of `reportWarnings`, but with every reason of denials below a large share of them. */
export function pageWarnings(report: TradingReport): {
  readonly warnings: readonly string[]
  /** Denials that are no large share. */
  readonly cautions: readonly string[]
} {
  const losses = [ruinText(report), liquidationText(report)].filter(text => text !== undefined)
  const [share, reasons] = [shareText(report), denialNotes(report)]
  return share === undefined
    ? { warnings: losses, cautions: reasons }
    : { warnings: [...losses, `${share}${adviceText(report)}`, ...reasons], cautions: [] }
}

/** Orders that risk denied. */
export function deniedOrders({ denials }: Pick<TradingReport, 'denials'>): number {
  let denied = 0
  for (const { count } of denials.values()) denied += count
  return denied
}

function ruinText({ ruined, equity: curve, quote }: TradingReport): string | undefined {
  if (ruined)
    return `Ruined: equity fell to zero by ${minuteText(ruinTimeOf(curve))} UTC, so everything was closed and trading stopped.`
  const { startEquity } = curve
  const { equity: left } = endOf(curve)
  if (startEquity <= 0 || left >= startEquity * ALMOST_NOTHING) return undefined
  return `Almost everything was lost: ${moneyFigure(left, quote)} of ${moneyFigure(startEquity, quote)} ${quote} are left.`
}

function liquidationText(report: TradingReport): string | undefined {
  const taken = report.margin?.liquidations.filter(({ by }) => by !== 'others') ?? []
  const [first] = taken
  if (first === undefined) return undefined
  const own = report.roundTrips.filter(({ exitReason }) => exitReason === 'liquidation')
  const profit = amountToNumber(own.map(({ pnl }) => pnl).reduce(add, ZERO))
  const times = taken.length === 1 ? 'once' : `${taken.length} times`
  return `Liquidated ${times}, first ${positionText(first, report)} on ${minuteText(first.time)} UTC: the round trips that ended so came to ${moneyFigure(profit, report.quote)} ${report.quote}.`
}

/** `long 836 contracts of BTC/USDT at 39,981.4`. */
function positionText(
  { symbol, direction, quantity, price }: TimedLiquidation,
  { markets }: TradingReport,
): string {
  const instrument = markets.find(market => market.instrument.symbol === symbol)?.instrument
  if (instrument === undefined) return `${direction} ${symbol}`
  return `${direction} ${quantityFigure(instrument, quantity)} of ${symbol} at ${grouped(priceText(instrument, price))}`
}

function denialText(report: TradingReport): string | undefined {
  const share = shareText(report)
  const most = mostDenied(report)
  if (share === undefined || most === undefined) return share
  return `${share} Most of them by the rule ${orderWord(most[0])}, first: ${most[1].first}${adviceText(report)}`
}

/** A large share of orders denied; `undefined` of a small one. */
function shareText(report: TradingReport): string | undefined {
  const denied = deniedOrders(report)
  const all = denied + report.orders
  if (denied === 0 || denied < all * LARGE_SHARE) return undefined
  return `Denied ${fixed(denied, 0)} of ${fixed(all, 0)} orders (${fixed((denied / all) * 100, 0)}%): the figures are those of the others.`
}

/** The rule that denied most orders. */
function mostDenied({ denials }: TradingReport) {
  return [...denials].sort(([, one], [, other]) => other.count - one.count)[0]
}

function adviceText(report: TradingReport): string {
  const most = mostDenied(report)
  return most?.[0] === 'balance' ? balanceAdvice(most[1], report) : ''
}

/** Advice on an order that the balance did not cover; empty where the reason of its denial includes it. */
function balanceAdvice({ intent }: DenialCount, { markets }: TradingReport): string {
  const { symbol, side, reduceOnly } = intent
  if (reduceOnly) return ''
  if (side === 'buy')
    return ' A size that fits is not denied: give it a cap, such as { riskFraction: 0.01, maxEquityFraction: 0.95 }.'
  const instrument = markets.find(market => market.instrument.symbol === symbol)?.instrument
  return instrument === undefined || rulesOf(instrument).canBeShort
    ? ''
    : ' No size makes that possible: leave out entries that go short and targets below 0, or trade on an account that can be short (account: { type: margin } or { type: futures }).'
}
