/** @import { Area } from './plot.js' */
import { faded } from '../../report/page/palette.js'

/** Points above which a plot shows how many there are at a place. */
const MOST_POINTS = 5000
const DENSITY_CELL = 3

/** @typedef {(row: number) => number} Values */
/** @typedef {'accent' | 'gain' | 'loss' | 'held' | 'text' | 'muted'} Colour */

/**
 * Points of all rows: as dots, or, of many, as how many there are in small cells. Those without both values are left out.
 * @param {number} count
 * @param {Values} across
 * @param {Values} up
 * @returns {(area: Area) => void}
 */
export function pointLayer(count, across, up) {
  return area =>
    count > MOST_POINTS ? drawDensity(area, count, across, up) : drawDots(area, count, across, up)
}

/**
 * @param {Area} area
 * @param {number} count
 * @param {Values} across
 * @param {Values} up
 */
function drawDots({ context, palette, x, y }, count, across, up) {
  context.fillStyle = faded(palette.accent, count > 500 ? 0.45 : 0.7)
  for (let row = 0; row < count; row++) {
    const [left, top] = [x(across(row)), y(up(row))]
    if (Number.isNaN(left) || Number.isNaN(top)) continue
    context.beginPath()
    context.arc(left, top, count > 500 ? 2 : 3, 0, 2 * Math.PI)
    context.fill()
  }
}

/**
 * @param {Area} area
 * @param {number} count
 * @param {Values} across
 * @param {Values} up
 */
function drawDensity({ context, palette, x, y, left, top, width, height }, count, across, up) {
  const columns = Math.ceil(width / DENSITY_CELL)
  const rows = Math.ceil(height / DENSITY_CELL)
  const counts = new Uint32Array(columns * rows)
  let most = 1
  for (let row = 0; row < count; row++) {
    const column = Math.floor((x(across(row)) - left) / DENSITY_CELL)
    const line = Math.floor((y(up(row)) - top) / DENSITY_CELL)
    if (!(column >= 0 && column < columns && line >= 0 && line < rows)) continue
    const cell = line * columns + column
    const here = (counts[cell] ?? 0) + 1
    counts[cell] = here
    if (here > most) most = here
  }
  counts.forEach((here, cell) => {
    if (here === 0) return
    context.fillStyle = faded(palette.accent, 0.12 + (0.88 * Math.log1p(here)) / Math.log1p(most))
    const [column, line] = [cell % columns, Math.floor(cell / columns)]
    context.fillRect(left + column * DENSITY_CELL, top + line * DENSITY_CELL, DENSITY_CELL, DENSITY_CELL)
  })
}

/**
 * A line through points, or steps that hold each value until the next.
 * @param {readonly (readonly [x: number, y: number])[]} points
 * @param {Colour} colour
 * @param {{ isStepped?: boolean, isDashed?: boolean, isThin?: boolean }} [look]
 * @returns {(area: Area) => void}
 */
export function lineLayer(points, colour, { isStepped = false, isDashed = false, isThin = false } = {}) {
  return ({ context, palette, x, y }) => {
    context.strokeStyle = isThin ? faded(palette[colour], 0.55) : palette[colour]
    context.lineWidth = isThin ? 1 : 2
    context.setLineDash(isDashed ? [6, 4] : [])
    context.beginPath()
    points.forEach(([across, up], place) => {
      const before = points[place - 1]
      if (isStepped && before !== undefined) context.lineTo(x(across), y(before[1]))
      if (place === 0) context.moveTo(x(across), y(up))
      else context.lineTo(x(across), y(up))
    })
    context.stroke()
    context.setLineDash([])
    context.lineWidth = 1
  }
}

/**
 * A dot at each point, with a ring of the background.
 * @param {readonly (readonly [x: number, y: number])[]} points
 * @param {Colour} colour
 * @returns {(area: Area) => void}
 */
export function dotLayer(points, colour) {
  return ({ context, palette, x, y }) => {
    for (const [across, up] of points) {
      context.beginPath()
      context.arc(x(across), y(up), 4, 0, 2 * Math.PI)
      context.fillStyle = palette[colour]
      context.fill()
      context.strokeStyle = palette.card
      context.stroke()
    }
  }
}

/**
 * A bar for each range, from 0 up.
 * @param {readonly (readonly [from: number, to: number, height: number])[]} bars
 * @param {Colour} colour
 * @returns {(area: Area) => void}
 */
export function barLayer(bars, colour) {
  return ({ context, palette, x, y }) => {
    context.fillStyle = faded(palette[colour], 0.65)
    for (const [from, to, height] of bars) {
      context.fillRect(x(from), y(height), Math.max(1, x(to) - x(from) - 1), y(0) - y(height))
    }
  }
}
