import { utcText } from '../../../src/domain/market-data/civil-date.ts'
import { type Amount, amountToText } from '../../../src/domain/numbers/amount.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { html, type Markup } from './markup.ts'

/** Settings and manifest: everything that the result follows from. */
export function settingsLists({ manifest, settings }: BacktestReport): Markup {
  // The configuration among the inputs is left out: the settings show it, with its defaults.
  const { from, to, inputs, ...rest } = manifest
  const { config: _, ...given } = inputs
  const manifestRows = linesOf({ ...rest, from: utcText(from), to: utcText(to), inputs: given })
  return html`<div class="halves">
<details class="card"><summary>Settings</summary>${list(linesOf(settings))}</details>
<details class="card"><summary>Manifest</summary>${list(manifestRows)}</details></div>`
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
