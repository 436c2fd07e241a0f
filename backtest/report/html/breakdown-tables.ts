import type { Breakdown } from '../text/report-section.ts'
import { html, type Markup } from './markup.ts'

/** Small tables of a report, each in a card. */
export function breakdownTables(breakdowns: readonly Breakdown[]): Markup {
  const cards = breakdowns.map(
    ({ title, head, rows }) => html`
<section class="card"><h3>${title}</h3><div class="scroll" tabindex="0" role="region" aria-label="${title}">
<table><thead><tr>${head.map(text => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div></section>`,
  )
  return html`<div class="breakdowns">${cards}</div>`
}

function cell(text: string, column: number): Markup {
  return column === 0 ? html`<th scope="row">${text}</th>` : html`<td>${text}</td>`
}
