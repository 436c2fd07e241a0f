import { type ReportFrame, reportPage } from '../../backtest/report/report-page.ts'
import { tradingBreakdowns } from '../../backtest/report/text/breakdown.ts'
import { fixed, minuteText } from '../../backtest/report/text/figure-text.ts'
import { parametersText } from '../../backtest/report/text/parameter-lines.ts'
import { denialNotes, tradingNotes, tradingRestrictions } from '../../backtest/report/text/report-notes.ts'
import { marketName } from '../../backtest/report/text/report-parts.ts'
import { momentText } from '../bot/text/figures.ts'
import { utcText } from '../domain/market-data/civil-date.ts'
import { amountToText, ZERO } from '../domain/numbers/amount.ts'
import { flatToFlat } from './flat-to-flat.ts'
import { changeOfEquity, endedWithoutFill } from './run-breakdowns.ts'
import type { RunReport } from './run-report.ts'

/** What a bot did as one page of HTML, by the components of a backtest's report. `version` is that of Sluice. */
export function runHtml(report: RunReport, version: string): string {
  const { run, start, markets, quote, equity } = report
  const money = { asset: quote }
  const cautions = denialNotes(report)
  const names = [...new Set(markets.map(marketName))].join(', ')
  const frame: ReportFrame = {
    title: `${run.sessions.at(-1)?.session.bot ?? 'bot'}: ${names}`,
    ...{ version, from: start.time, to: equity.time[equity.time.length - 1] ?? start.time },
    klines: markets.reduce((sum, { klines }) => sum + klines.length, 0),
    parameters: parameterLines(report),
    notes: [...runNotes(report), ...tradingNotes(report)].filter(note => !cautions.includes(note)),
    breakdowns: [
      changeOfEquity(run, start, money),
      endedWithoutFill(run),
      ...tradingBreakdowns(report, money),
    ].filter(({ rows }) => rows.length > 0),
    settings: [
      ['Settings', settingsOf(report)],
      ['Journal', journalOf(report)],
    ],
  }
  return reportPage(report, frame)
}

function parameterLines({ markets }: RunReport): readonly string[] {
  const texts = markets.map(market => ({ market, text: parametersText(market.parameters) }))
  const given = texts.filter(({ text }) => text !== '')
  return given.map(({ market, text }) => (texts.length === 1 ? text : `${marketName(market)}: ${text}`))
}

/** Notes on what a backtest does not have. */
function runNotes(report: RunReport): readonly string[] {
  const { run, changedAt } = report
  const moved = run.moved
  const starts = run.sessions.slice(1)
  const others = [...new Set(run.books.ledger.instruments.map(({ quote }) => quote))].filter(
    quote => quote !== run.quote,
  )
  return [
    ...(starts.length === 0
      ? []
      : [
          `Started again ${starts.length} ×, last on ${minuteText(starts.at(-1)?.time ?? 0)} UTC; figures and charts go on across starts.`,
        ]),
    ...(moved === ZERO
      ? []
      : [
          `${amountToText(moved)} ${run.quote} were moved in or out of the account, or traded there by others: equity, returns and drawdowns are without them.`,
        ]),
    ...partsNote(report),
    ...others.map(quote => `Markets in ${quote} are not part of this report, which counts in ${run.quote}.`),
    ...run.missed.map(
      ({ symbol, from, until }) =>
        `Klines of ${symbol} are missing from ${minuteText(from)} to ${minuteText(until)} UTC: the exchange never listed them.`,
    ),
    ...(changedAt === undefined
      ? []
      : [
          `The strategies decide otherwise today than they did from ${minuteText(changedAt)} UTC on, so that indicators are drawn until then; everything else is as recorded.`,
        ]),
    ...tradingRestrictions(report),
    ...(report.endings ?? []),
  ]
}

/** A note where orders filled in parts, each of which is a round trip in every figure. */
function partsNote({ roundTrips, fills }: RunReport): readonly string[] {
  const trades = flatToFlat(roundTrips)
  if (trades.length === roundTrips.length) return []
  const wins = trades.filter(({ pnl }) => pnl > ZERO).length
  return [
    `${fixed(trades.length, 0)} trades from flat to flat, ${fixed(wins, 0)} of them with a profit, made ${fixed(roundTrips.length, 0)} round trips of ${fixed(fills.length, 0)} fills: orders filled in parts, and each part counts in the number of round trips and in the win rate.`,
  ]
}

function settingsOf({ run }: RunReport): unknown {
  const session = run.sessions.at(-1)?.session
  if (session === undefined) return {}
  const { bot, strategies, risk } = session
  return { bot, strategies, risk }
}

function journalOf({ run, fills, roundTrips, equity }: RunReport): unknown {
  const { session } = run.sessions.at(-1) ?? {}
  return {
    venue: session?.venue,
    from: momentText(utcText(run.start?.time ?? 0)),
    until: momentText(utcText(run.time)),
    fills: fixed(fills.length, 0),
    roundTrips: fixed(roundTrips.length, 0),
    closes: fixed(equity.time.length, 0),
    sessions: run.sessions.map(({ time }) => momentText(utcText(time))),
    sources: session?.sources,
  }
}
