import { deflateRawSync } from 'node:zlib'
import { withCommas } from '../../src/domain/numbers/grouped.ts'
import { breakdownTables } from './html/breakdown-tables.ts'
import { entryTimeTables } from './html/entry-times.ts'
import { excursionScatter } from './html/excursion-scatter.ts'
import { keyFigures } from './html/key-figures.ts'
import { html, type Markup } from './html/markup.ts'
import { metricCards } from './html/metric-cards.ts'
import { monthHeatmap } from './html/month-heatmap.ts'
import { offlinePage } from './html/offline-page.ts'
import { pageDataOf } from './html/page-data-of.ts'
import { chartLibrary, pageScript, pageStyle } from './html/page-script.ts'
import { returnHistogram } from './html/return-histogram.ts'
import { rollingSharpe } from './html/rolling-sharpe.ts'
import { settingsLists } from './html/settings-lists.ts'
import { tradingChangeList } from './html/trading-changes.ts'
import { tripTable } from './html/trip-table.ts'
import { conventionText } from './text/convention-text.ts'
import { fixed, minuteText } from './text/figure-text.ts'
import { marketName } from './text/report-parts.ts'
import type { Breakdown } from './text/report-section.ts'
import { pageWarnings } from './text/report-warnings.ts'
import type { TradingReport } from './trading-report.ts'

/** Content of a page beside the results themselves: what differs between a backtest and a bot. */
export interface ReportFrame {
  readonly title: string
  /** Of Sluice. */
  readonly version: string
  /** ms UTC. */
  readonly from: number
  readonly to: number
  /** Number of klines. */
  readonly klines: number
  /** A line for each strategy that has some. */
  readonly parameters: readonly string[]
  /** Sentences below the key figures; denials are told above everything else. */
  readonly notes: readonly string[]
  readonly breakdowns: readonly Breakdown[]
  /** Folded lists at the end. */
  readonly settings: readonly (readonly [title: string, values: unknown])[]
}

/** Results of trading as one page of HTML that needs nothing else: it opens from a file, without a network, in light and dark. */
export function reportPage(report: TradingReport, frame: ReportFrame): string {
  return offlinePage({
    ...{ title: frame.title, version: frame.version, style: pageStyle(), body: body(report, frame) },
    data: [['data', deflateRawSync(JSON.stringify(pageDataOf(report))).toString('base64')]],
    scripts: [chartLibrary(), pageScript()],
  })
}

function body(report: TradingReport, frame: ReportFrame): Markup {
  const { metrics, quote } = report
  const { title, notes, parameters, from, to, klines } = frame
  const money = { asset: quote }
  const { warnings, cautions } = pageWarnings(report)
  return html`${
    warnings.length > 0 &&
    html`<div role="alert"><ul class="notes warnings">${sentenceList(warnings)}</ul></div>
`
  }${
    cautions.length > 0 &&
    html`<section aria-label="Denied orders"><ul class="notes cautions">${sentenceList(cautions)}</ul></section>
`
  }<header>
<h1>${title}</h1>
<p>${minuteText(from)} to ${minuteText(to)} UTC · ${fixed(klines, 0)} klines${parameters.length === 1 && ` · ${parameters[0]}`}</p>${
    parameters.length > 1 &&
    html`
<ul class="parameters">${parameters.map(line => html`<li>${line}</li>`)}</ul>`
  }
<nav aria-label="Parts of the report"><a href="#price">Price</a><a href="#equity">Equity</a><a href="#months">Months</a><a href="#metrics">Metrics</a><a href="#round-trips">Round trips</a><a href="#settings">Settings</a></nav>
</header>
<main>
${keyFigures(report, money)}
${notes.length > 0 && html`<ul class="notes">${sentenceList(notes)}</ul>`}
<noscript><p class="notes">Charts and the list of round trips need JavaScript; everything else is here.</p></noscript>
${priceSection(report)}
${equitySection()}
<div class="pair" id="months">
<section class="card"><h2>Returns by month, in percent</h2>${monthHeatmap(metrics.months)}</section>
<section class="card"><h2>Returns of round trips</h2>${returnHistogram(metrics.columns.returns)}</section>
</div>
<div class="pair">
<section class="card"><h2>Rolling Sharpe ratio and drawdown</h2>${rollingSharpe(report.equity)}</section>
<section class="card"><h2>Adverse and favorable excursion</h2>${excursionScatter(metrics.columns)}</section>
</div>
<h2 id="metrics">Metrics</h2>
<p class="hint">Point at a name, or focus it, to see what it means. ${conventionText(metrics.convention).join(' ')}</p>
${metricCards(metrics.figures, money)}
${breakdownTables([...frame.breakdowns, ...entryTimeTables(report.roundTrips, money)])}
${tradingChangeList(report)}
<section class="card" id="round-trips"><h2>Round trips</h2>${report.markets.length > 1 && html`<p class="hint">Those of the market that is chosen above the price.</p>`}${tripTable(report.ambiguity !== undefined)}</section>
<h2 id="settings">What the result follows from</h2>
${settingsLists(frame.settings)}
</main>
<footer><p>Made by Sluice ${frame.version}. Times are UTC. Charts: TradingView Lightweight Charts™, © TradingView, Inc., Apache License 2.0, <a href="https://www.tradingview.com/" rel="noreferrer">tradingview.com</a>.</p></footer>`
}

function sentenceList(sentences: readonly string[]): readonly Markup[] {
  return sentences.map(text => html`<li>${withCommas(text)}</li>`)
}

function priceSection({ markets }: TradingReport): Markup {
  const options = markets.map(
    (market, place) => html`<option value="${place}">${marketName(market)}</option>`,
  )
  const choice =
    markets.length > 1 &&
    html`<label>Market <select id="market-shown" autocomplete="off">${options}</select></label>`
  return html`<section class="card" id="price" tabindex="-1"><h2>Price, entries and exits</h2>
<div class="toolbar">${choice}<span class="ranges" role="group" aria-label="Span shown"></span>
<span class="steps"><button type="button" data-trip="before">‹ Round trip</button><button type="button" data-trip="next">Round trip ›</button></span></div>
<p class="legend" id="price-legend"></p>
<div class="chart" id="price-chart" role="img" aria-label="Klines of the market with entries and exits"></div>
<p class="legend" id="trip-legend" aria-live="polite">Click an entry or an exit, or choose a round trip in the list, to see it up close.</p></section>`
}

function equitySection(): Markup {
  return html`<section class="card" id="equity"><h2>Equity, drawdown and exposure</h2>
<div class="toolbar"><p class="legend" id="equity-legend"></p><span class="scales"></span></div>
<div class="chart tall" id="equity-chart" role="img" aria-label="Equity beside buy and hold, drawdowns, and the share of time with a position"></div>
<p class="hint">Click a time to see the klines there.</p></section>`
}
