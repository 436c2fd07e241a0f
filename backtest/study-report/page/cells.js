/** @import { Column } from './columns.js' */
import { signOf } from './trial-chart.js'

/** Cells of a parameter with more different values than these, or of one whose values are not listed. */
const MOST_CELLS = 60

/**
 * Values of a parameter in cells.
 * @typedef {object} Cells
 * @property {number} count
 * @property {(row: number) => number} of the cell of a row
 * @property {readonly string[]} names
 */

/**
 * A cell for each value; of many, ranges of the same width.
 * @param {Column} column
 * @param {number} rows
 * @returns {Cells}
 */
export function cellsOf(column, rows) {
  const { values, at } = column
  if (
    values !== undefined &&
    (values.length <= MOST_CELLS || !values.every(value => typeof value === 'number'))
  ) {
    const shown = values.slice(0, MOST_CELLS)
    const places = new Map(values.map((value, place) => [value, place]))
    const isNumeric = values.every(value => typeof value === 'number')
    return {
      count: shown.length,
      of: row => (isNumeric ? (places.get(at(row)) ?? 0) : at(row)),
      names: shown.map(value => String(value)),
    }
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < rows; row++) {
    const value = at(row)
    if (value < least) least = value
    if (value > most) most = value
  }
  const count = MOST_CELLS / 2
  const width = (most - least) / count || 1
  return {
    count,
    of: row => Math.min(count - 1, Math.floor((at(row) - least) / width)),
    names: Array.from({ length: count }, (_, place) => shortNumber(least + (place + 0.5) * width)),
  }
}

/** @param {number} value */
function shortNumber(value) {
  return String(Number(value.toPrecision(3)))
}

/**
 * Sum, best and number of a figure in each cell.
 * @typedef {object} CellFigures
 * @property {Float64Array} sums
 * @property {Float64Array} bests NaN where there is none
 * @property {Uint32Array} counts
 */

/**
 * @param {Column} figure
 * @param {number} rows
 * @param {number} cells
 * @param {(row: number) => number} cellOf
 * @returns {CellFigures}
 */
export function figuresInCells(figure, rows, cells, cellOf) {
  const sign = signOf(figure)
  const figures = {
    sums: new Float64Array(cells),
    bests: new Float64Array(cells).fill(Number.NaN),
    counts: new Uint32Array(cells),
  }
  for (let row = 0; row < rows; row++) {
    const [cell, value] = [cellOf(row), figure.at(row)]
    if (Number.isNaN(value) || !(cell >= 0 && cell < cells)) continue
    figures.sums[cell] = (figures.sums[cell] ?? 0) + value
    figures.counts[cell] = (figures.counts[cell] ?? 0) + 1
    const best = figures.bests[cell] ?? Number.NaN
    if (Number.isNaN(best) || sign * value > sign * best) figures.bests[cell] = value
  }
  return figures
}
