import { deflateRawSync } from 'node:zlib'
import { html, type Markup } from '../report/html/markup.ts'
import { offlinePage } from '../report/html/offline-page.ts'
import { pageStyle } from '../report/html/page-script.ts'
import { fixed, minuteText } from '../report/text/figure-text.ts'
import type { PageDrawdowns, PagePaths, PageWalkForward, StudyPageData } from './study-page-data.ts'
import { studyScript, studyStyle } from './study-script.ts'
import type { EncodedTrials } from './trial-columns.ts'
import { trialSections } from './trial-sections.ts'

/** One figure that a verdict looked at. */
export interface VerdictRow {
  /** Place of the figure in words: "Passed", "Against an edge", "Warning". */
  readonly word: string
  readonly tone: 'gain' | 'loss' | 'muted'
  readonly title: string
  /** The figure, or `undefined` in words. */
  readonly figure: string
  /** Why there is no figure. */
  readonly reason?: string | undefined
  /** "above 0.950". */
  readonly wanted: string
}

/** A table of a page; the first column names the row. */
export interface PageTable {
  readonly id: string
  readonly title: string
  readonly hint?: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Everything that a page of a study, of a walk-forward or of a verdict shows. */
export interface StudyPage {
  readonly title: string
  /** Span of the data, ms UTC. */
  readonly from: number
  readonly to: number
  readonly version: string
  readonly quote: string
  /** Sentences below the title. */
  readonly notes: readonly string[]
  readonly verdict?: {
    readonly answer: string
    /** Sentences before the reasons. */
    readonly summary: readonly string[]
    readonly rows: readonly VerdictRow[]
    readonly notes: readonly string[]
  }
  readonly trials?: EncodedTrials | undefined
  /** Parts of a trial that its command does not say. */
  readonly commandNote?: string
  readonly walkForward?: {
    readonly data: PageWalkForward
    readonly notes: readonly string[]
    readonly table: PageTable
  }
  readonly paths?: {
    readonly data: PagePaths
    readonly notes: readonly string[]
    readonly tables: readonly PageTable[]
  }
  readonly drawdowns?: { readonly data: readonly PageDrawdowns[]; readonly note: string }
  readonly tables?: readonly PageTable[]
}

/** A page as one file of HTML that opens without a network; the same input gives the same bytes. */
export function studyHtml(page: StudyPage): string {
  const { title, version, quote, trials, walkForward, paths, drawdowns } = page
  const data: StudyPageData = {
    quote,
    ...(trials && { trials: trials.trials }),
    ...(walkForward && { walkForward: walkForward.data }),
    ...(paths && { paths: paths.data }),
    ...(drawdowns && drawdowns.data.length > 0 && { drawdowns: drawdowns.data }),
  }
  return offlinePage({
    ...{ title, version, style: `${pageStyle()}${studyStyle()}`, body: body(page), scripts: [studyScript()] },
    data: [['data', deflateRawSync(JSON.stringify(data)).toString('base64')], ...(trials?.data ?? [])],
  })
}

function body(page: StudyPage): Markup {
  const {
    title,
    from,
    to,
    version,
    notes,
    verdict,
    trials,
    walkForward,
    paths,
    drawdowns,
    tables = [],
  } = page
  const parts: readonly (readonly [id: string, label: string])[] = [
    ...(verdict ? [['verdict', 'Verdict'] as const] : []),
    ...(trials
      ? ([
          ['trials', 'Trials'],
          ['parameters', 'Parameters'],
          ['halves', 'Halves'],
        ] as const)
      : []),
    ...(walkForward ? [['walk-forward', 'Walk-forward'] as const] : []),
    ...(paths ? [['paths', 'Paths'] as const] : []),
    ...(drawdowns ? [['drawdowns', 'Drawdowns'] as const] : []),
    ...tables.map(({ id, title: label }) => [id, label] as const),
    ...(trials ? [['every-trial', 'Every trial'] as const] : []),
  ]
  return html`<header>
<h1>${title}</h1>
<p>${minuteText(from)} to ${minuteText(to)} UTC</p>
<nav aria-label="Parts of the page">${parts.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>
</header>
<main>
${verdict && verdictSection(verdict)}
<ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul>
<noscript><p class="notes">Charts and the table of trials need JavaScript; everything else is here.</p></noscript>
${trials && trialSections(trials.trials, page.commandNote).charts}
${walkForward && walkForwardSection(walkForward)}
${paths && pathsSection(paths)}
${drawdowns && drawdownSection(drawdowns)}
${tables.map(tableSection)}
${trials && trialSections(trials.trials, page.commandNote).table}
</main>
<footer><p>Made by Sluice ${version}. Times are UTC. Ratios are annual, of daily returns.</p></footer>`
}

function verdictSection({ answer, summary, rows, notes }: NonNullable<StudyPage['verdict']>): Markup {
  const tone = answer === 'edge' ? 'gain' : answer === 'no edge' ? 'loss' : 'muted'
  return html`<section class="card verdict ${tone}" id="verdict"><h2>Verdict: <strong>${answer}</strong></h2>
${summary.map(sentence => html`<p>${sentence}</p>`)}
<div class="scroll" tabindex="0" role="region" aria-label="Reasons of the verdict"><table class="reasons"><thead><tr><th scope="col">Reason</th><th scope="col">Figure</th><th scope="col">Wanted</th><th scope="col">Result</th></tr></thead>
<tbody>${rows.map(reasonRow)}</tbody></table></div>
${notes.map(note => html`<p class="hint">${note}</p>`)}</section>
`
}

function reasonRow({ word, tone, title, figure, reason, wanted }: VerdictRow): Markup {
  return html`
<tr><th scope="row">${title}${reason !== undefined && html`<small>${reason}</small>`}</th><td>${figure}</td><td>${wanted}</td><td class="${tone}">${word}</td></tr>`
}

function walkForwardSection({ data, notes, table }: NonNullable<StudyPage['walkForward']>): Markup {
  const charts = data.parameters.map(
    (name, place) =>
      html`<figure class="plot"><div class="canvas short" data-drift="${place}" role="img" aria-label="${name} chosen in each window"></div></figure>`,
  )
  return html`<section class="card" id="walk-forward"><h2>Walk-forward</h2>
${notes.map(note => html`<p class="hint">${note}</p>`)}
<figure class="plot"><div class="canvas" id="stitched" role="img" aria-label="Equity of all tests one after another"></div><figcaption class="legend" id="stitched-legend" aria-live="polite"></figcaption></figure>
${charts}
<h3>In sample against out of sample</h3>
<figure class="plot"><div class="canvas" id="window-scatter" role="img" aria-label="Mean daily return of each window, in sample against out of sample"></div><figcaption class="legend" id="window-scatter-legend" aria-live="polite"></figcaption></figure>
<h3>${table.title}</h3>${plainTable(table)}</section>
`
}

function pathsSection({ notes, tables }: NonNullable<StudyPage['paths']>): Markup {
  return html`<section class="card" id="paths"><h2>Paths of combinatorial splits</h2>
${notes.map(note => html`<p class="hint">${note}</p>`)}
<figure class="plot"><div class="canvas" id="path-chart" role="img" aria-label="Equity along each path"></div><figcaption class="legend" id="path-legend" aria-live="polite"></figcaption></figure>
${tables.map(table => html`<h3>${table.title}</h3>${plainTable(table)}`)}</section>
`
}

function drawdownSection({ data, note }: NonNullable<StudyPage['drawdowns']>): Markup {
  const charts = data.map(
    ({ key, title }) => html`<section><h3>${title}</h3>
<figure class="plot"><div class="canvas short" data-drawdown="${key}" role="img" aria-label="${title}"></div><figcaption class="legend" data-legend="${key}"></figcaption></figure></section>`,
  )
  return html`<section class="card" id="drawdowns"><h2>Drawdowns by luck</h2>
<p class="hint">${note}</p><div class="halves">${charts}</div></section>
`
}

function tableSection(table: PageTable): Markup {
  return html`<section class="card" id="${table.id}"><h2>${table.title}</h2>
${table.hint !== undefined && html`<p class="hint">${table.hint}</p>`}${plainTable(table)}</section>
`
}

function plainTable({ title, head, rows }: PageTable): Markup {
  const cells = ([name = '', ...others]: readonly string[]) => html`
<tr><th scope="row">${name}</th>${others.map(text => html`<td>${text}</td>`)}</tr>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head.map(name => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(cells)}</tbody></table></div>`
}

/** A count of things in words. */
export function countText(count: number, one: string): string {
  return `${fixed(count, 0)} ${one}${count === 1 ? '' : 's'}`
}
