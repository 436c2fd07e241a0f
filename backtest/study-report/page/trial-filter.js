/** @import { TrialColumn } from '../study-page-data.ts' */
/** @import { Column, Columns } from './columns.js' */

/** @typedef {'<' | '<=' | '=' | '!=' | '>=' | '>'} Comparison */

/**
 * The name of a column in a filter.
 * @param {TrialColumn} meta
 */
export function filterName({ key, label, kind }) {
  return kind === 'parameter' || key.startsWith('s-') ? label : key
}

/**
 * The test that a filter makes of rows: all of its conditions.
 * @param {string} text
 * @param {Columns} columns
 * @returns {Promise<{ test?: (row: number) => boolean, problem?: string }>}
 */
export async function filterOf(text, columns) {
  /** @type {((row: number) => boolean)[]} */
  const tests = []
  for (const word of text
    .trim()
    .split(/\s+/)
    .filter(one => one !== '')) {
    const [, name = '', comparison = '', wanted = ''] = /^(.+?)(<=|>=|!=|=|<|>)(.+)$/.exec(word) ?? []
    if (comparison === '') return { problem: `"${word}" is no condition; write one such as sharpe>1.` }
    const meta = columns.metas.find(one => filterName(one).toLowerCase() === name.toLowerCase())
    if (meta === undefined) return { problem: `There is no column "${name}"; the columns are listed above.` }
    const column = await columns.column(meta.key)
    const isText = column.values?.some(value => typeof value === 'string') === true
    const number = Number(wanted.replace('%', '')) / (wanted.endsWith('%') ? 100 : 1)
    if (isText) tests.push(textTest(column, /** @type {Comparison} */ (comparison), wanted))
    else if (wanted === 'n/a')
      tests.push((/** @type {number} */ row) => Number.isNaN(column.at(row)) === (comparison === '='))
    else if (Number.isNaN(number)) return { problem: `"${wanted}" is no number, and "${name}" has numbers.` }
    else tests.push(numberTest(column, /** @type {Comparison} */ (comparison), number))
  }
  return { test: row => tests.every(test => test(row)) }
}

/**
 * A text is = where it contains what is wanted, whatever the case; numbers among texts are compared as numbers.
 * @param {Column} column
 * @param {Comparison} comparison
 * @param {string} wanted
 * @returns {(row: number) => boolean}
 */
function textTest({ text }, comparison, wanted) {
  const lower = wanted.toLowerCase()
  if (comparison === '=') return row => text(row).toLowerCase().includes(lower)
  if (comparison === '!=') return row => !text(row).toLowerCase().includes(lower)
  return row => compares(Number(text(row)), comparison, Number(wanted))
}

/**
 * @param {Column} column
 * @param {Comparison} comparison
 * @param {number} wanted
 * @returns {(row: number) => boolean}
 */
function numberTest({ at }, comparison, wanted) {
  return row => compares(at(row), comparison, wanted)
}

/**
 * @param {number} value
 * @param {Comparison} comparison
 * @param {number} wanted
 */
function compares(value, comparison, wanted) {
  switch (comparison) {
    case '<':
      return value < wanted
    case '<=':
      return value <= wanted
    case '=':
      return value === wanted
    case '!=':
      return value !== wanted
    case '>=':
      return value >= wanted
    case '>':
      return value > wanted
  }
}
