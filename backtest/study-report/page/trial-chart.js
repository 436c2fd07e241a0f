/** @import { Column, Columns } from './columns.js' */
/** @import { PageTrials } from '../study-page-data.ts' */
import { elementOf } from '../../report/page/read-data.js'
import { fixedText } from '../../report/page/texts.js'
import { figureOf } from './columns.js'
import { lineLayer, pointLayer } from './layers.js'
import { tableOf, writeLegend } from './page-table.js'
import { Plot } from './plot.js'
import { axisAround, decimalsFor } from './scales.js'

/** Figures of which less is better. */
const LESS_IS_BETTER = ['maxDrawdown', 'longestDurationMs']

/**
 * 1 where more of a figure is better, -1 where less is.
 * @param {Column} column
 */
export function signOf({ meta }) {
  return LESS_IS_BETTER.includes(meta.key) ? -1 : 1
}

/**
 * The axis of a figure around its values, in its unit. Of many trials, the worst 0.5% are left out, which would squeeze the others.
 * @param {Column} column
 * @param {number} count
 * @param {string} quote
 * @param {readonly number[]} [others] further values on the axis
 */
export function figureAxis(column, count, quote, others = []) {
  const [low, high] = rangeOf(column, count)
  const { meta } = column
  const unit = {
    percent: ' (%)',
    money: ` (${quote})`,
    duration: ' (days)',
    ratio: '',
    count: '',
    value: '',
  }[meta.unit]
  return axisAround(
    Math.min(low, ...others),
    Math.max(high, ...others),
    `${meta.label}${unit}`,
    (value, step) => axisFigure(value, step, meta.unit),
  )
}

/** Values that were sorted, which takes long for very many. @type {WeakMap<Column, Float64Array>} */
const sortedValues = new WeakMap()

/**
 * All values of a column that are known, the least first.
 * @param {Column} column
 * @param {number} count
 */
export function sortedFigures(column, count) {
  const before = sortedValues.get(column)
  if (before !== undefined) return before
  const values = new Float64Array(count)
  let known = 0
  for (let row = 0; row < count; row++) {
    const value = column.at(row)
    if (!Number.isNaN(value)) values[known++] = value
  }
  const sorted = values.subarray(0, known).sort()
  sortedValues.set(column, sorted)
  return sorted
}

/**
 * Least and most of a figure on an axis.
 * @param {Column} column
 * @param {number} count
 * @returns {readonly [number, number]}
 */
function rangeOf(column, count) {
  const sorted = sortedFigures(column, count)
  const known = sorted.length
  const [least, most] = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN]
  const isMany = known > 1000
  const low = isMany && signOf(column) > 0 ? (sorted[Math.floor(known * 0.005)] ?? least) : least
  const high = isMany && signOf(column) < 0 ? (sorted[Math.ceil(known * 0.995)] ?? most) : most
  return [low, high]
}

/**
 * @param {number} value
 * @param {number} step
 * @param {string} unit
 */
function axisFigure(value, step, unit) {
  const scale = unit === 'percent' ? 100 : unit === 'duration' ? 1 / 86_400_000 : 1
  return fixedText(value * scale, decimalsFor(step * scale))
}

/** Trials in their order, the best so far, and the best that luck alone would give. */
export class TrialChart {
  #plot = new Plot(elementOf('trial-chart'))
  #columns
  #trials

  /**
   * @param {Columns} columns
   * @param {PageTrials} trials
   */
  constructor(columns, trials) {
    this.#columns = columns
    this.#trials = trials
  }

  /** @param {Column} figure */
  async show(figure) {
    const { count, quote } = this.#columns
    const names = await this.#columns.column('number')
    const best = bestSoFar(figure, count)
    const luck = figure.meta.key === 'sharpe' ? this.#trials.luck : []
    const last = best.at(-1)
    /** @type {(readonly [number, number])[]} */
    const steps = [
      ...best.map(row => /** @type {const} */ ([row + 1, figure.at(row)])),
      ...(last === undefined ? [] : [/** @type {const} */ ([count, figure.at(last)])]),
    ]
    this.#plot.show({
      across: {
        ...axisAround(1, count, 'trials, in their order', value => fixedText(value, 0)),
        from: 1 - Math.max(1, count * 0.02),
        to: count + Math.max(1, count * 0.02),
      },
      up: figureAxis(figure, count, quote, [
        ...luck.map(([, value]) => value),
        ...steps.map(([, value]) => value),
      ]),
      layers: [
        pointLayer(count, row => row + 1, figure.at),
        lineLayer(steps, 'gain', { isStepped: true }),
        lineLayer(luck, 'loss', { isDashed: true }),
      ],
      summary: summaryOf(figure, this.#trials, last, luck.at(-1)?.[1], quote),
    })
    const bestText = last === undefined ? 'No trial has one' : `Best so far, at the end ${figure.text(last)}`
    writeLegend(elementOf('trial-legend'), [
      ['accent', `${figure.meta.label} of ${trialsText(this.#trials.finished)}`],
      ['gain', bestText],
      ...(luck.length > 0
        ? [
            /** @type {const} */ ([
              'loss',
              `Best expected by luck alone, at the end ${fixedText(luck.at(-1)?.[1] ?? 0, 3)} of ${trialsText(this.#trials.counted)}`,
            ]),
          ]
        : []),
    ])
    elementOf('best-table').replaceChildren(
      tableOf(
        ['After trials', 'Trial', figure.meta.label],
        best.map(row => [fixedText(row + 1, 0), names.text(row), figure.text(row)]),
      ),
    )
  }
}

/**
 * Rows that were better than all before them.
 * @param {Column} figure
 * @param {number} count
 */
function bestSoFar(figure, count) {
  const sign = signOf(figure)
  const rows = []
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < count; row++) {
    const value = sign * figure.at(row)
    if (!(value > best)) continue
    best = value
    rows.push(row)
  }
  return rows
}

/**
 * @param {Column} figure
 * @param {PageTrials} trials
 * @param {number | undefined} best
 * @param {number | undefined} luck
 * @param {string} quote
 */
function summaryOf({ meta, text }, { finished, counted }, best, luck, quote) {
  const end =
    best === undefined ? 'no trial has one' : `the best is ${text(best)}, trial ${best + 1} in order`
  const byLuck =
    luck === undefined
      ? ''
      : `; by luck alone ${figureOf(luck, meta, quote)} would be expected of ${trialsText(counted)}`
  return `${meta.label} of ${trialsText(finished)} in their order: ${end}${byLuck}.`
}

/** @param {number} count */
function trialsText(count) {
  return `${fixedText(count, 0)} ${count === 1 ? 'trial' : 'trials'}`
}
