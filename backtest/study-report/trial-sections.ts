import { html, type Markup } from '../report/html/markup.ts'
import type { PageTrials } from './study-page-data.ts'

/** Sections of the trials: the charts, and the table. Both are empty: the script fills them. */
export function trialSections(
  { columns, leading }: PageTrials,
  commandNote: string | undefined,
): { readonly charts: Markup; readonly table: Markup } {
  const placed = columns.map((column, place) => ({ ...column, place }))
  const figures = placed.filter(({ kind }) => kind === 'figure')
  const options = figures.map(
    ({ key, label, place }) =>
      html`<option value="${place}"${key === leading && html` selected`}>${label}</option>`,
  )
  const parameters = placed.filter(({ kind }) => kind === 'parameter')
  const slices = parameters.map(
    ({ label, place }) =>
      html`<figure class="plot"><div class="canvas short" data-slice="${place}" role="img" aria-label="Trials by ${label}"></div></figure>`,
  )
  const heat =
    parameters.length > 1 &&
    html`<div class="toolbar"><label>Across <select id="heat-x" autocomplete="off"></select></label><label>Up <select id="heat-y" autocomplete="off"></select></label>
<label>Each cell <select id="heat-of" autocomplete="off"><option value="mean">mean of its trials</option><option value="best">best of its trials</option></select></label></div>
<figure class="plot"><div class="canvas tall" id="heat" role="img" aria-label="Heat map of two parameters"></div><figcaption class="legend" id="heat-legend" aria-live="polite"></figcaption></figure>
<details><summary>Heat map as a table</summary><div class="scroll" id="heat-table" tabindex="0" role="region" aria-label="Heat map as a table"></div></details>`
  return {
    charts: html`<section class="card" id="trials"><h2>Trials in their order</h2>
<div class="toolbar"><label>Figure of the charts <select id="figure" autocomplete="off">${options}</select></label></div>
<figure class="plot"><div class="canvas" id="trial-chart" role="img" aria-label="Trials in their order"></div><figcaption class="legend" id="trial-legend" aria-live="polite"></figcaption></figure>
<details><summary>Trials that were the best so far, as a table</summary><div class="scroll" id="best-table" tabindex="0" role="region" aria-label="Trials that were the best so far"></div></details></section>
<section class="card" id="parameters"><h2>Parameters</h2>
${parameters.length === 0 && html`<p class="hint">The strategy has no parameters.</p>`}${heat}
<h3>By each parameter alone</h3><p class="hint">Line: mean of the trials of a value. Dots: the best of them.</p><div class="slices">${slices}</div></section>
<section class="card" id="halves"><h2>Older half against newer half of the days</h2>
<p class="hint">Each trial by its annual Sharpe ratio in both halves. What is best in one half by luck is ordinary in the other: a cloud without a slope.</p>
<figure class="plot"><div class="canvas" id="halves-chart" role="img" aria-label="Sharpe ratios of both halves"></div><figcaption class="legend" id="halves-legend" aria-live="polite"></figcaption></figure></section>
`,
    table: html`<section class="card" id="every-trial"><h2>Every trial</h2>
<div class="toolbar"><label class="filter">Filter <input id="filter" type="text" autocomplete="off" spellcheck="false" aria-describedby="filter-help filter-problem" placeholder="sharpe>1 roundTrips>=30"></label><output id="shown-count"></output></div>
<p class="hint" id="filter-help">Conditions with spaces between them: a column, one of &lt; &lt;= = != &gt;= &gt;, and a value; percent as 12%. Columns: <span id="filter-names"></span>.</p>
<p class="loss" id="filter-problem" role="alert"></p>
<div id="grid" role="grid" tabindex="0" aria-label="Every trial" aria-describedby="grid-help"><div id="grid-head" role="row" aria-rowindex="1"></div><div id="grid-space" role="presentation"><div id="grid-rows" role="rowgroup"></div></div></div>
<p class="hint" id="grid-help">Click a head to sort. Choose a trial with the arrow keys or a click to see its command. n/a: point at it to see why.</p>
<div id="chosen" aria-live="polite"><p id="chosen-text">No trial is chosen.</p><pre id="command" tabindex="0" hidden></pre><button type="button" id="copy" hidden>Copy the command</button>${
      commandNote !== undefined && html`<p class="hint">${commandNote}</p>`
    }</div></section>
`,
  }
}
