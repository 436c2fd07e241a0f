import { type Amount, amountToText } from '../../../src/domain/numbers/amount.ts'
import { html, type Markup } from './markup.ts'

/** Nested data as folded lists, each with its title. */
export function settingsLists(lists: readonly (readonly [title: string, values: unknown])[]): Markup {
  return html`<div class="halves">${lists.map(
    ([title, values]) => html`
<details class="card"><summary>${title}</summary>${list(linesOf(values))}</details>`,
  )}</div>`
}

type Line = readonly [name: string, value: string]

function list(lines: readonly Line[]): Markup {
  return html`<dl class="settings">${lines.map(([name, value]) => html`<div class="figure"><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Every value of nested data with the path to it, in its order. */
function linesOf(value: unknown, path = ''): Line[] {
  if (typeof value === 'bigint') return [[path, amountToText(value as Amount)]] // settings have no other bigints
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[path, String(value)]]
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return entries.flatMap(([name, inner]) => linesOf(inner, path === '' ? String(name) : `${path}.${name}`))
}
