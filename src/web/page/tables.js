import { element } from './elements.js'

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
 * A button that looks like a link.
 * @param {Child} text
 * @param {() => void} onClick
 */
export function linkButton(text, onClick) {
  return element('button', { type: 'button', class: 'link', onclick: onClick }, text)
}
