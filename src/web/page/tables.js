import { element } from './elements.js'
import { countText, timeText } from './figures.js'

/** @import { Child } from './elements.js' */

/**
 * A table that scrolls by itself where the window is narrow; a sentence where it has no rows.
 * @param {string} name for screen readers
 * @param {readonly string[]} heads
 * @param {readonly (readonly Child[])[]} rows
 * @param {string} empty
 */
export function table(name, heads, rows, empty) {
  if (rows.length === 0) return element('p', { class: 'hint' }, empty)
  return element(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': name },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...heads.map(head => element('th', { scope: 'col' }, head)))),
      element(
        'tbody',
        {},
        ...rows.map(cells => element('tr', {}, ...cells.map(cell => element('td', {}, cell)))),
      ),
    ),
  )
}

/**
 * The same, where each row of a phone is a list of its cells, each behind its head: what matters is in sight without scrolling sideways.
 * The roles stay those of a table, which a browser takes from rows that are no table rows for the eye.
 * @param {string} name for screen readers
 * @param {readonly string[]} heads
 * @param {readonly (readonly Child[])[]} rows
 * @param {string} empty
 */
export function stackedTable(name, heads, rows, empty) {
  const made = table(name, heads, rows, empty)
  for (const [role, tags] of Object.entries({ table: 'table', rowgroup: 'thead, tbody', row: 'tr' }))
    for (const found of made.querySelectorAll(tags)) found.setAttribute('role', role)
  for (const head of made.querySelectorAll('th')) head.setAttribute('role', 'columnheader')
  for (const row of made.querySelectorAll('tbody tr'))
    for (const [column, cell] of [...row.children].entries()) {
      cell.setAttribute('role', 'cell')
      cell.setAttribute('data-head', heads[column] ?? '')
    }
  if (made.classList.contains('scroller')) made.classList.add('stacked')
  return made
}

/**
 * Says that a list of the latest rows is not all there is, and where the rest is; `undefined` where it is all.
 * @param {number} shown number of rows
 * @param {{ readonly all: number, readonly kept: number, readonly since?: number, readonly hasJournalFiles?: boolean }} count of all there were, since a time (ms UTC) where others were before it, and of those that the files have where these are not made of a journal
 */
export function latestText(shown, { all, kept, since, hasJournalFiles = false }) {
  if (shown >= all && since === undefined) return undefined
  const kind = shown >= all ? `All ${countText(all)}` : `The latest ${countText(shown)} of ${countText(all)}`
  const rest = hasJournalFiles
    ? 'all that the journal keeps'
    : kept >= all
      ? 'all of them'
      : `the latest ${countText(kept)}`
  return `${kind}${since === undefined ? '' : ` since ${timeText(since)}`}; ${rest} in the CSV.`
}

/**
 * Pairs of a name and a value.
 * @param {readonly (readonly [string, Child])[]} pairs
 */
export function pairs(pairs) {
  return element(
    'dl',
    { class: 'pairs' },
    ...pairs.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}

/**
 * A name in a cell: a long one wraps, so that it pushes no other column out of sight.
 * @param {string} name
 */
export function nameText(name) {
  return element('span', { class: 'name' }, name)
}

/**
 * A button that looks like a link.
 * @param {Child} text
 * @param {() => void} onClick
 */
export function linkButton(text, onClick) {
  return element('button', { type: 'button', class: 'link', onclick: onClick }, text)
}
