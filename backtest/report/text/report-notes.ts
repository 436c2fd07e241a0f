import { type Instrument, quantityUnit } from '../../../src/domain/instrument.ts'
import { type Amount, amountToNumber, amountToText, ZERO } from '../../../src/domain/numbers/amount.ts'
import { notionalOf, quantityOf, quantityText, steps } from '../../../src/domain/numbers/grid.ts'
import { grouped } from '../../../src/domain/numbers/grouped.ts'
import { orderWord } from '../../../src/domain/orders/order-words.ts'
import type { Position } from '../../../src/domain/position.ts'
import type { AccountState } from '../../../src/ledger/account-balances.ts'
import { isObservedRule } from '../../../src/matching/fill-evidence.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { lateStopsOf } from '../late-stops.ts'
import type { TradingReport } from '../trading-report.ts'
import { cutNotes } from './cut-notes.ts'
import { fixed, minuteText, moneyFigure, quantityFigure } from './figure-text.ts'
import { fillNotes } from './fill-notes.ts'
import { marginNotes } from './margin-notes.ts'
import { METRIC_GROUPS } from './metric-group.ts'

/** Notes beside the figures: ambiguity, open positions and denials. Warnings are apart. */
export function reportNotes(report: BacktestReport): string[] {
  return [
    ...resampledNotes(report),
    ...lackNotes(report),
    ambiguityText(report),
    ...boundsNotes(report),
    ...lateStops(report),
    ...fillNotes(report),
    ...tradingNotes(report),
    ...marginNotes(report),
    ...tradingRestrictions(report),
    ...(report.endings ?? []),
  ]
}

/** Notes on what is left at the end, and on orders that did not trade. */
export function tradingNotes(report: TradingReport): string[] {
  return [
    ...report.openPositions.map(position => `Open at the end: ${positionText(position, report)}.`),
    ...(report.accounts ?? []).map(account => accountText(account, report)),
    ...cutNotes(report),
    ...denialNotes(report),
    ...missedTargetNotes(report),
    ...(hasNoFills(report) ? [noFills(report)] : []),
  ]
}

/** Denied orders by rule, each with the reason of the first. */
export function denialNotes({ denials }: Pick<TradingReport, 'denials'>): string[] {
  return [...denials].map(
    ([rule, { count, first }]) => `Denied ${count} × by ${orderWord(rule)}; the first: ${first}`,
  )
}

/** `BTC/USDT stayed more than 5% of equity from its target 247 ×, …`, by instrument. */
function missedTargetNotes({ missedTargets = [], markets, quote }: TradingReport): string[] {
  return missedTargets.flatMap(({ count, first: { symbol, price, time } }) => {
    const instrument = markets.find(market => market.instrument.symbol === symbol)?.instrument
    if (instrument === undefined) return []
    const worth = moneyFigure(amountToNumber(notionalOf(instrument, price, ONE_STEP)), quote)
    return [
      `${symbol} stayed more than 5% of equity from its target ${count} ×, first at ${minuteText(time)} UTC: a step of ${stepText(instrument)} was worth ${worth} ${quote} there, so that no order came nearer. More equity makes a step matter less${instrument.contractSize === undefined ? ', and quantityPrecision makes it finer' : ''}.`,
    ]
  })
}

/** `0.001 BTC` or `1 contract`. */
function stepText(instrument: Instrument): string {
  return `${quantityText(instrument, ONE_STEP)} ${quantityUnit(instrument)}`
}

/** `Klines of 15m were made of SOL/USDT 1m of generated.` */
function resampledNotes({ manifest: { data, detail } }: BacktestReport): readonly string[] {
  const made = [...data, ...(detail === undefined ? [] : [detail])].flatMap(({ resampled }) =>
    resampled === undefined ? [] : [`Klines of ${resampled.to} were made of ${resampled.from}.`],
  )
  return [...new Set(made)]
}

/** `The market "hedge" (ETH/USDT) lacks 300 of the 1,000 klines of the backtest; it has those …`, and so of feeds. */
function lackNotes({ manifest: { data, markets = [] } }: BacktestReport): readonly string[] {
  const sentence = (what: string, missing: number, of: number) =>
    `The ${what} lacks ${fixed(missing, 0)} of the ${fixed(of, 0)} klines of the backtest`
  const roles = markets.flatMap(({ role, symbol, from, to, klines, gaps: { policy, missing } }) =>
    role === undefined || policy !== 'skip' || missing === 0
      ? []
      : [
          `${sentence(`market "${role}" (${symbol})`, missing, klines + missing)}; it has those from ${minuteText(from)} to ${minuteText(to)} UTC.`,
        ],
  )
  const feeds = data.flatMap(({ lacks }) =>
    lacks === undefined ? [] : [`${sentence(`feed "${lacks.feed}"`, lacks.missing, lacks.of)}.`],
  )
  return [...roles, ...new Set(feeds)]
}

/** True if there were signals, but neither fills nor orders that were denied or cut off. */
function hasNoFills({ signals, fills, denials, cutOrders = [] }: TradingReport): boolean {
  return signals > 0 && fills.length === 0 && denials.size === 0 && cutOrders.length === 0
}

const ONE_STEP = steps(1)
const NO_FILLS =
  'No order traded, whatever was signaled: an exit does nothing while nothing is held, nor does a target of less than a step, and orders with a price wait for it.'
/** Part of the starting equity above which the worth of a step is told. */
const COARSE = 0.05

/** Reasons that there are no fills, with the worth of steps that are coarse for the account. */
function noFills({ markets, equity: { startEquity }, quote, missedTargets = [] }: TradingReport): string {
  const said = new Set(missedTargets.map(({ first }) => first.symbol))
  const coarse = markets.flatMap(({ instrument, klines: { close } }) => {
    if (said.has(instrument.symbol)) return []
    const worth = quantityOf(instrument, ONE_STEP) * (close.at(-1) ?? 0)
    if (worth <= startEquity * COARSE) return []
    const advice = instrument.contractSize === undefined ? ' (quantityPrecision makes it finer)' : ''
    return [
      ` A step of ${stepText(instrument)} of ${instrument.symbol} is worth ${moneyFigure(worth, quote)} ${quote}${advice}.`,
    ]
  })
  return NO_FILLS + coarse.join('')
}

/** Note where both runs of the bounds have the same fills. */
const ALIKE =
  'Bounds: the run with the worst path inside each kline and the one with the best have the same fills.'
const NO_BOUNDS_OF_THE_RUN =
  'Bounds: the two runs take the path inside each kline that makes least and that makes most by its close. That bounds each kline by itself, for the orders that it begins with. It does not bound the run: after the first difference the runs hold other positions and decide otherwise, so that other paths can end outside of this interval.'
const NOT_PROVEN =
  'Even within one kline another path may be worse or better than these two where there are volume limits, liquidations, exits that rest by themselves, quotes, entries against what is held, balances that do not cover an order, or strategies that act on a fill inside a kline.'

function boundsNotes({ bounds }: BacktestReport): readonly string[] {
  if (bounds === undefined) return []
  return [bounds.areAlike ? ALIKE : NO_BOUNDS_OF_THE_RUN, NOT_PROVEN]
}

function ambiguityText({ ambiguity, roundTrips, manifest, fills }: BacktestReport): string {
  if (ambiguity.policy === 'trades') return observedText(fills)
  const detail = manifest.detail ?? manifest.markets?.[0]?.detail
  const by = detail === undefined ? '' : ` by klines of ${detail.interval}`
  const open = ambiguity.openPositions.length
  const positions = open === 0 ? '' : ` and ${open} open position${open === 1 ? '' : 's'}`
  return `Ambiguous: ${ambiguity.roundTrips.length} of ${roundTrips.length} round trips${positions} may depend on the path inside a kline; the rule was ${ambiguity.policy}${by}.`
}

/** Share of fills on recorded ticks that rest on no assumption. */
function observedText(fills: BacktestReport['fills']): string {
  const evidence = fills.flatMap(fill => fill.evidence ?? [])
  const assumed = evidence.filter(({ rule }) => !isObservedRule(rule)).length
  const queue = evidence[0] === undefined ? '' : ` The assumed queue was ${evidence[0].assumption}.`
  return `Orders met recorded ticks: ${evidence.length - assumed} of ${evidence.length} fills rest on observations alone.${queue}`
}

function lateStops({ fills }: BacktestReport): string[] {
  const late = lateStopsOf(fills)
  if (late === undefined) return []
  return [
    `Stops filled late ${late.fills} ×, first at ${minuteText(late.firstTime)} UTC: maxVolumeShare was used up on the kline that reached them, so that they traded at the open of a later one, better or worse than at their price. A running bot sends them at once.`,
  ]
}

/** Number of restrictions of trading, and the reason of the first; empty if the run had no protections. */
export function tradingRestrictions({ tradingChanges }: TradingReport): string[] {
  if (tradingChanges === undefined) return []
  const stricter = tradingChanges.filter(({ before, mode }) => before === 'active' && mode !== 'active')
  const [first] = stricter
  if (first === undefined) return ['Nothing held trading back.']
  const reason = first.holds[0]?.reason ?? ''
  return [`Trading was held back ${stricter.length} ×; first at ${minuteText(first.time)} UTC: ${reason}`]
}

/** Reasons for missing figures, the same ones together: `needs at least 180 days, has 31: Annual return (CAGR), Calmar ratio`. */
export function missingFigures({ metrics: { figures } }: BacktestReport): string[] {
  const labels = new Map<string, string[]>()
  for (const { key, label } of METRIC_GROUPS.flatMap(({ metrics }) => metrics)) {
    const figure = figures[key]
    if ('notAvailable' in figure) {
      labels.set(figure.notAvailable, [...(labels.get(figure.notAvailable) ?? []), label])
    }
  }
  return [...labels].map(([reason, names]) => `${reason}: ${names.join(', ')}`)
}

/** `The futures account held 9,000.10 USDT at the end.` */
function accountText({ account, balances }: AccountState, { markets }: TradingReport): string {
  const money = new Set(markets.map(({ instrument }) => instrument.quote))
  const held = balances.filter(([, amount]) => amount !== ZERO)
  const figure = (asset: string, amount: Amount) =>
    money.has(asset) ? moneyFigure(amountToNumber(amount), asset) : grouped(amountToText(amount))
  const text = held.map(([asset, amount]) => `${figure(asset, amount)} ${asset}`).join(', ')
  return `The ${account} account held ${text || 'nothing'} at the end.`
}

function positionText({ symbol, book, direction, quantity }: Position, { markets }: TradingReport): string {
  const instrument = markets.find(market => market.instrument.symbol === symbol)?.instrument
  if (instrument === undefined) return `${direction} ${symbol}`
  const isNamed = markets.length > 1 || instrument.contractSize !== undefined
  const market = book === symbol ? '' : ` (${book})`
  return `${direction} ${quantityFigure(instrument, quantity)}${isNamed && market === '' ? ` of ${symbol}` : market}`
}
