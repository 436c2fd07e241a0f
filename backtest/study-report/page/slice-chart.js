/** @import { Column, Columns } from './columns.js' */
import { cellsOf, figuresInCells } from './cells.js'
import { cellAxis } from './heat-chart.js'
import { dotLayer, lineLayer } from './layers.js'
import { Plot } from './plot.js'
import { figureAxis } from './trial-chart.js'

/** One parameter: mean and best of the trials at each of its values. */
export class SliceChart {
  #plot
  #columns
  #place

  /**
   * @param {HTMLElement} container
   * @param {Columns} columns
   */
  constructor(container, columns) {
    this.#plot = new Plot(container)
    this.#columns = columns
    this.#place = Number(container.dataset.slice)
  }

  /** @param {Column} figure */
  async show(figure) {
    const { count, quote } = this.#columns
    const column = await this.#columns.columnAt(this.#place)
    const cells = cellsOf(column, count)
    const { sums, bests, counts } = figuresInCells(figure, count, cells.count, cells.of)
    /** @param {(cell: number) => number} of */
    const points = of =>
      cells.names
        .map((_, cell) => /** @type {const} */ ([cell + 0.5, of(cell)]))
        .filter(([, value]) => !Number.isNaN(value))
    const means = points(cell => (sums[cell] ?? 0) / (counts[cell] ?? 0))
    const best = points(cell => bests[cell] ?? Number.NaN)
    const shown = [...means, ...best].map(([, value]) => value)
    const { label, text } = figureAxis(figure, count, quote)
    const room = (Math.max(...shown) - Math.min(...shown)) * 0.08 || 1
    this.#plot.show({
      across: cellAxis(cells, column.meta.label),
      up:
        shown.length === 0
          ? { from: 0, to: 1, label, text }
          : { from: Math.min(...shown) - room, to: Math.max(...shown) + room, label, text },
      layers: [lineLayer(means, 'accent'), dotLayer(best, 'gain')],
      summary: `${figure.meta.label} by ${column.meta.label}: mean of each value ${means
        .slice(0, 20)
        .map(([place, value]) => `${cells.names[place - 0.5]}: ${text(value, 0.001)}`)
        .join(', ')}.`,
    })
  }
}
