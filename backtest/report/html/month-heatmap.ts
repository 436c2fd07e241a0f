import type { MonthReturn } from '../../metrics/returns/months.ts'
import { fixed } from '../text/figure-text.ts'
import { MONTH_NAMES, yearsOf } from '../text/month-table.ts'
import { html, type Markup } from './markup.ts'

/** The strongest colour, as a share of gain or loss in the background, at which the text is still legible. */
const STRONGEST = 45

/** Months as a table of coloured cells; the largest return has the strongest colour. */
export function monthHeatmap(months: readonly MonthReturn[]): Markup {
  const largest = Math.max(0.01, ...months.map(({ value }) => Math.abs(value ?? 0)))
  const years = yearsOf(months).map(
    ({ year, months: ofYear, value }) => html`
<tr><th scope="row">${year}</th>${ofYear.map(month => monthCell(month, largest))}<td class="total">${percent(value)}</td></tr>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Returns by month">
<table class="heatmap"><thead><tr><th scope="col">Year</th>${MONTH_NAMES.map(name => html`<th scope="col">${name}</th>`)}<th scope="col">Total</th></tr></thead>
<tbody>${years}</tbody></table></div>`
}

function monthCell(month: MonthReturn | undefined, largest: number): Markup {
  if (month === undefined) return html`<td></td>`
  const { value, benchmark, days } = month
  if (value === null) return html`<td title="${days} days, nothing left to earn with">-</td>`
  const held = benchmark === null ? '' : `; buy and hold ${percent(benchmark)}%`
  const strength = Math.round((Math.abs(value) / largest) * STRONGEST)
  return html`<td class="${value < 0 ? 'down' : 'up'}" style="--strength:${strength}%" title="${days} days: ${fixed(value * 100, 2)}%${held}">${percent(value)}</td>`
}

function percent(value: number | null): string {
  return value === null ? '' : fixed(value * 100, 1)
}
