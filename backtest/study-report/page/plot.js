/** @import { Palette } from '../../report/page/palette.js' */
/** @import { Axis } from './scales.js' */
import { faded, paletteNow } from '../../report/page/palette.js'
import { ticksOf } from './scales.js'

/**
 * A place to draw at: axes to pixels, and the frame that they fill.
 * @typedef {object} Area
 * @property {CanvasRenderingContext2D} context
 * @property {Palette} palette
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {(value: number) => number} x
 * @property {(value: number) => number} y
 */

/**
 * What a plot shows.
 * @typedef {object} PlotContent
 * @property {Axis} across
 * @property {Axis} up
 * @property {readonly ((area: Area) => void)[]} layers
 * @property {string} summary for those who do not see it
 * @property {(x: number, y: number) => void} [onPoint] takes values that are pointed at
 */

const FONT = '11px system-ui, sans-serif'
const [TOP, BOTTOM, RIGHT] = [22, 36, 14]

/** A chart on a canvas that follows the size of its container and light and dark. */
export class Plot {
  /** @type {PlotContent | undefined} */
  #content
  #container
  #canvas = document.createElement('canvas')
  /** @type {Area | undefined} */
  #area

  /** @param {HTMLElement} container */
  constructor(container) {
    this.#container = container
    container.append(this.#canvas)
    new ResizeObserver(() => this.#draw()).observe(container)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw())
    this.#canvas.addEventListener('pointermove', event => this.#point(event))
    this.#canvas.addEventListener('pointerdown', event => this.#point(event))
  }

  /** @param {PlotContent} content */
  show(content) {
    this.#content = content
    this.#container.setAttribute('aria-label', content.summary)
    this.#draw()
  }

  /** @param {PointerEvent} event */
  #point({ offsetX, offsetY }) {
    const [area, content] = [this.#area, this.#content]
    if (area === undefined || content?.onPoint === undefined) return
    content.onPoint(
      valueAt(content.across, (offsetX - area.left) / area.width),
      valueAt(content.up, 1 - (offsetY - area.top) / area.height),
    )
  }

  #draw() {
    const content = this.#content
    const { clientWidth: width, clientHeight: height } = this.#container
    const context = this.#canvas.getContext('2d')
    if (content === undefined || context === null || width === 0) return
    const ratio = window.devicePixelRatio
    this.#canvas.width = width * ratio
    this.#canvas.height = height * ratio
    this.#canvas.style.width = `${width}px`
    this.#canvas.style.height = `${height}px`
    context.scale(ratio, ratio)
    context.font = FONT
    this.#area = areaOf(context, content, width, height)
    drawAxes(this.#area, content)
    context.save()
    context.beginPath()
    context.rect(this.#area.left, this.#area.top, this.#area.width, this.#area.height)
    context.clip()
    for (const layer of content.layers) layer(this.#area)
    context.restore()
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {PlotContent} content
 * @param {number} width
 * @param {number} height
 * @returns {Area}
 */
function areaOf(context, { across, up }, width, height) {
  const inside = height - TOP - BOTTOM
  const { values, step } = ticksOf(up, inside / 28)
  const widest = Math.max(20, ...values.map(value => context.measureText(up.text(value, step)).width))
  const left = Math.min(width / 3, Math.ceil(widest) + 10)
  const room = width - left - RIGHT
  return {
    context,
    palette: paletteNow(),
    ...{ left, top: TOP, width: room, height: inside },
    x: value => left + room * shareOf(across, value),
    y: value => TOP + inside * (1 - shareOf(up, value)),
  }
}

/**
 * @param {Axis} axis
 * @param {number} value
 */
function shareOf({ from, to, isLog }, value) {
  return isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from)
}

/**
 * @param {Axis} axis
 * @param {number} share
 */
function valueAt({ from, to, isLog }, share) {
  return isLog ? from * (to / from) ** share : from + share * (to - from)
}

/**
 * @param {Area} area
 * @param {PlotContent} content
 */
function drawAxes(area, { across, up }) {
  const { context, palette, left, top, width, height } = area
  context.strokeStyle = faded(palette.line, 0.7)
  context.fillStyle = palette.muted
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  const rows = ticksOf(up, height / 28)
  for (const value of rows.values) {
    line(context, left, area.y(value), left + width, area.y(value))
    context.fillText(up.text(value, rows.step), left - 6, area.y(value), left - 8)
  }
  context.textAlign = 'center'
  context.textBaseline = 'top'
  const columns = ticksOf(across, width / 64)
  let taken = Number.NEGATIVE_INFINITY
  for (const value of columns.values) {
    const text = across.text(value, columns.step)
    const half = context.measureText(text).width / 2
    const place = Math.min(left + width + RIGHT - half, Math.max(half, area.x(value)))
    if (across.ticks === undefined) line(context, area.x(value), top, area.x(value), top + height)
    if (place - half < taken + 6) continue
    taken = place + half
    context.fillText(text, place, top + height + 5)
  }
  context.textAlign = 'left'
  context.fillText(up.label, 0, 4, left + width)
  context.textAlign = 'right'
  context.fillText(across.label, left + width, top + height + 20, left + width)
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function line(context, x1, y1, x2, y2) {
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  context.stroke()
}
