/** @import { Column, Columns } from './columns.js' */
/** @import { Area } from './plot.js' */
/** @import { Cells } from './cells.js' */
import { faded } from '../../report/page/palette.js'
import { elementOf } from '../../report/page/read-data.js'
import { cellsOf, figuresInCells } from './cells.js'
import { figureOf } from './columns.js'
import { tableOf, writeLegend } from './page-table.js'
import { Plot } from './plot.js'
import { signOf } from './trial-chart.js'

/**
 * A heat map, computed.
 * @typedef {object} Heat
 * @property {Column} figure
 * @property {Column} acrossColumn
 * @property {Column} upColumn
 * @property {Cells} across
 * @property {Cells} up
 * @property {Float64Array} values NaN where a cell has none
 * @property {number} best cell, -1 without any
 * @property {number} plateau cell with the best mean of itself and its neighbours, -1 without any
 * @property {number} least
 * @property {number} most
 */

/** A heat map of two parameters; the best cell and the best plateau are marked. */
export class HeatChart {
  #plot = new Plot(elementOf('heat'))
  #columns
  /** @type {Column | undefined} */
  #figure

  /** @param {Columns} columns */
  constructor(columns) {
    this.#columns = columns
    const parameters = columns.metas
      .map((meta, place) => ({ ...meta, value: String(place) }))
      .filter(({ kind }) => kind === 'parameter')
    ;['heat-x', 'heat-y'].forEach((id, place) => {
      const select = selectOf(id)
      select.append(...parameters.map(({ value, label }) => new Option(label, value)))
      // Two that were varied, where there are two.
      const varied = parameters.filter(
        ({ encoding }) => encoding.type !== 'codes' || encoding.values.length > 1,
      )
      select.value =
        ([...varied, ...parameters.filter(one => !varied.includes(one))][place] ?? parameters[0])?.value ?? ''
      select.addEventListener('change', () => this.#draw())
    })
    selectOf('heat-of').addEventListener('change', () => this.#draw())
  }

  /** @param {Column} figure */
  show(figure) {
    this.#figure = figure
    return this.#draw()
  }

  async #draw() {
    if (this.#figure === undefined) return
    const [acrossColumn, upColumn] = await Promise.all([
      this.#columns.columnAt(Number(selectOf('heat-x').value)),
      this.#columns.columnAt(Number(selectOf('heat-y').value)),
    ])
    const heat = heatOf(
      this.#figure,
      acrossColumn,
      upColumn,
      this.#columns.count,
      selectOf('heat-of').value === 'best',
    )
    this.#plot.show({
      across: cellAxis(heat.across, acrossColumn.meta.label),
      up: cellAxis(heat.up, upColumn.meta.label),
      layers: [area => drawCells(area, heat), area => drawMarks(area, heat)],
      summary: `${heat.figure.meta.label} by ${acrossColumn.meta.label} and ${upColumn.meta.label}: ${this.#markText(heat, heat.best, 'best cell')}, ${this.#markText(heat, heat.plateau, 'best plateau around')}.`,
      onPoint: (x, y) => this.#writeLegend(heat, Math.floor(x), Math.floor(y)),
    })
    this.#writeLegend(heat, -1, -1)
    elementOf('heat-table').replaceChildren(this.#table(heat))
  }

  /**
   * @param {Heat} heat
   * @param {number} column
   * @param {number} row
   */
  #writeLegend(heat, column, row) {
    const isInside = column >= 0 && column < heat.across.count && row >= 0 && row < heat.up.count
    const cell = row * heat.across.count + column
    writeLegend(elementOf('heat-legend'), [
      ['', `${this.#text(heat, heat.least)} pale to ${this.#text(heat, heat.most)} strong; red below 0`],
      ['accent', `Solid frame: ${this.#markText(heat, heat.best, 'best cell')}`],
      ['held', `Dashed frame: ${this.#markText(heat, heat.plateau, 'best plateau around')}`],
      ...(isInside ? [/** @type {const} */ (['', this.#markText(heat, cell, 'here')])] : []),
    ])
  }

  /**
   * @param {Heat} heat
   * @param {number} cell
   * @param {string} name
   */
  #markText(heat, cell, name) {
    if (cell < 0) return `no ${name}`
    const { across, up, acrossColumn, upColumn, values } = heat
    const [x, y] = [across.names[cell % across.count], up.names[Math.floor(cell / across.count)]]
    return `${name} ${acrossColumn.meta.label} ${x}, ${upColumn.meta.label} ${y}: ${this.#text(heat, values[cell] ?? Number.NaN)}`
  }

  /**
   * @param {Heat} heat
   * @param {number} value
   */
  #text({ figure }, value) {
    return figureOf(value, figure.meta, this.#columns.quote)
  }

  /** @param {Heat} heat */
  #table(heat) {
    const { across, up, acrossColumn, upColumn, values } = heat
    const rows = up.names.map((name, row) => [
      name,
      ...across.names.map((_, column) => this.#text(heat, values[row * across.count + column] ?? Number.NaN)),
    ])
    return tableOf([`${upColumn.meta.label} ↓ ${acrossColumn.meta.label} →`, ...across.names], rows)
  }
}

/**
 * @param {Column} figure
 * @param {Column} acrossColumn
 * @param {Column} upColumn
 * @param {number} rows
 * @param {boolean} isBest
 * @returns {Heat}
 */
function heatOf(figure, acrossColumn, upColumn, rows, isBest) {
  const [across, up] = [cellsOf(acrossColumn, rows), cellsOf(upColumn, rows)]
  const { sums, bests, counts } = figuresInCells(figure, rows, across.count * up.count, row => {
    const column = across.of(row)
    return column < across.count ? up.of(row) * across.count + column : -1
  })
  const values = isBest ? bests : sums.map((sum, cell) => sum / (counts[cell] ?? 0))
  const known = values.filter(value => !Number.isNaN(value))
  const sign = signOf(figure)
  const plateaus = values.map((_, cell) => sign * plateauAt(values, across.count, cell))
  return {
    ...{ figure, acrossColumn, upColumn, across, up, values },
    best: largestOf(values.map(value => sign * value)),
    plateau: largestOf(plateaus),
    least: known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    most: known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  }
}

/**
 * Mean of a cell and those one step away; NaN for a cell without a value, and for one with fewer than half of its neighbours.
 * @param {Float64Array} values
 * @param {number} columns
 * @param {number} cell
 */
function plateauAt(values, columns, cell) {
  const own = values[cell] ?? Number.NaN
  const column = cell % columns
  const near = [
    ...(column > 0 ? [cell - 1] : []),
    ...(column < columns - 1 ? [cell + 1] : []),
    cell - columns,
    cell + columns,
  ].filter(place => place >= 0 && place < values.length)
  const known = near.map(place => values[place] ?? Number.NaN).filter(value => !Number.isNaN(value))
  if (known.length === 0 || known.length < near.length / 2) return Number.NaN
  return (own + known.reduce((sum, value) => sum + value, 0)) / (known.length + 1)
}

/** @param {Float64Array} values */
function largestOf(values) {
  let best = -1
  values.forEach((value, cell) => {
    if (!Number.isNaN(value) && (best < 0 || value > (values[best] ?? 0))) best = cell
  })
  return best
}

/**
 * @param {Cells} cells
 * @param {string} label
 */
export function cellAxis({ count, names }, label) {
  return {
    ...{ from: 0, to: Math.max(1, count), label },
    text: (/** @type {number} */ place) => shortened(names[Math.floor(place)] ?? ''),
    ticks: names.map((_, place) => place + 0.5),
  }
}

/** @param {string} text */
function shortened(text) {
  return text.length > 14 ? `${text.slice(0, 13)}…` : text
}

/**
 * @param {Area} area
 * @param {Heat} heat
 */
function drawCells({ context, palette, x, y }, { figure, across, values, least, most }) {
  const strongest = Math.max(Math.abs(least), Math.abs(most)) || 1
  const isSigned = least < 0 && signOf(figure) > 0
  values.forEach((value, cell) => {
    const [column, row] = [cell % across.count, Math.floor(cell / across.count)]
    const [left, top] = [x(column), y(row + 1)]
    const [width, height] = [x(column + 1) - left, y(row) - top]
    if (Number.isNaN(value)) {
      context.fillStyle = faded(palette.line, 0.5)
      context.fillRect(left + width / 2 - 1, top + height / 2 - 1, 2, 2)
      return
    }
    const share = isSigned ? Math.abs(value) / strongest : (value - least) / (most - least || 1)
    context.fillStyle = faded(value < 0 ? palette.loss : palette.gain, 0.08 + 0.82 * share)
    context.fillRect(left, top, Math.max(1, width - 1), Math.max(1, height - 1))
  })
}

/**
 * @param {Area} area
 * @param {Heat} heat
 */
function drawMarks({ context, palette, x, y, width, height }, { across, up, best, plateau }) {
  /**
   * @param {number} cell
   * @param {number} around
   */
  const frame = (cell, around) => {
    const [column, row] = [cell % across.count, Math.floor(cell / across.count)]
    const [left, top] = [x(column - around), y(row + 1 + around)]
    context.strokeRect(left, top, x(column + 1 + around) - left, y(row - around) - top)
  }
  context.lineWidth = 2
  if (plateau >= 0) {
    context.strokeStyle = palette.text
    context.setLineDash([5, 4])
    frame(plateau, Math.min(1, width, height, across.count, up.count))
    context.setLineDash([])
  }
  if (best >= 0) {
    context.strokeStyle = palette.accent
    frame(best, 0)
  }
  context.lineWidth = 1
}

/** @param {string} id */
function selectOf(id) {
  return /** @type {HTMLSelectElement} */ (elementOf(id))
}
