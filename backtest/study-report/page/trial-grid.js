/** @import { Column, Columns } from './columns.js' */
import { elementOf } from '../../report/page/read-data.js'
import { fixedText } from '../../report/page/texts.js'
import { sortedFigures } from './trial-chart.js'
import { filterName, filterOf } from './trial-filter.js'

const ROW_HEIGHT = 28
/** Browsers cut elements that are much higher; below it, each pixel stands for a part of a row. */
const MOST_HEIGHT = 8_000_000

/** All trials as a table of which only the rows in view exist: sorted by any column, filtered, one of them chosen. */
export class TrialGrid {
  #columns
  #shown
  #command
  #grid = elementOf('grid')
  #head = elementOf('grid-head')
  #space = elementOf('grid-space')
  #rows = elementOf('grid-rows')
  /** Rows that pass the filter, in the order shown. @type {Uint32Array} */
  #order = new Uint32Array()
  #sortedBy
  #isAscending = false
  #chosen = -1
  #ticket = 0

  /**
   * @param {Columns} columns
   * @param {readonly Column[]} shown all columns, decoded
   * @param {string} sortedBy
   * @param {string} command
   */
  constructor(columns, shown, sortedBy, command) {
    this.#columns = columns
    this.#shown = shown
    this.#command = command
    this.#sortedBy = sortedBy
    this.#isAscending = sortedBy === 'maxDrawdown'
    elementOf('filter-names').textContent = shown.map(({ meta }) => filterName(meta)).join(', ')
    this.#addHeads()
    this.#grid.setAttribute('aria-colcount', String(shown.length))
    this.#grid.addEventListener('scroll', () => this.#draw())
    this.#grid.addEventListener('keydown', event => this.#onKey(event))
    this.#rows.addEventListener('click', event => {
      const place = /** @type {HTMLElement} */ (event.target)
        .closest('[data-place]')
        ?.getAttribute('data-place')
      if (place != null) this.#choose(Number(place))
    })
    elementOf('filter').addEventListener('input', () => this.fill())
    elementOf('copy').addEventListener('click', () => this.#copy())
    new ResizeObserver(() => this.#draw()).observe(this.#grid)
  }

  /** Filters and sorts anew. */
  async fill() {
    const ticket = ++this.#ticket
    const { value } = /** @type {HTMLInputElement} */ (elementOf('filter'))
    const { test, problem = '' } = await filterOf(value, this.#columns)
    if (ticket !== this.#ticket) return // another filter was typed since
    elementOf('filter-problem').textContent = problem
    if (test === undefined) return
    this.#order = sortedRows(this.#columns.count, test, this.#sortColumn, this.#isAscending)
    this.#chosen = -1
    const [all, shown] = [this.#columns.count, this.#order.length]
    elementOf('shown-count').textContent = `${fixedText(shown, 0)} of ${fixedText(all, 0)} rows`
    this.#grid.setAttribute('aria-rowcount', String(shown + 1))
    this.#space.style.height = `${Math.min(MOST_HEIGHT, shown * ROW_HEIGHT)}px`
    this.#grid.scrollTop = 0
    this.#draw()
  }

  get #sortColumn() {
    return this.#shown.find(({ meta }) => meta.key === this.#sortedBy)
  }

  #addHeads() {
    const template = this.#shown.map(column => `${widthOf(column, this.#columns.count)}ch`).join(' ')
    document.documentElement.style.setProperty('--columns', template)
    this.#head.style.gridTemplateColumns = template
    for (const { meta } of this.#shown) {
      const head = document.createElement('div')
      head.setAttribute('role', 'columnheader')
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = meta.label
      button.title = meta.label
      button.addEventListener('click', () => this.#sortBy(meta.key))
      head.append(button)
      this.#head.append(head)
    }
    this.#markSorted()
  }

  #markSorted() {
    this.#shown.forEach(({ meta }, place) => {
      const sorted = this.#isAscending ? 'ascending' : 'descending'
      this.#head.children[place]?.setAttribute('aria-sort', meta.key === this.#sortedBy ? sorted : 'none')
    })
  }

  /** @param {string} key */
  #sortBy(key) {
    this.#isAscending = key === this.#sortedBy ? !this.#isAscending : true
    this.#sortedBy = key
    this.#markSorted()
    return this.fill()
  }

  /** Rows of the order that are hidden above for each pixel of scrolling. */
  get #perPixel() {
    const height = this.#space.clientHeight - this.#roomForRows
    const most = this.#order.length * ROW_HEIGHT - this.#roomForRows
    return height > 0 && most > height ? most / height : 1
  }

  get #roomForRows() {
    return Math.max(ROW_HEIGHT, this.#grid.clientHeight - this.#head.clientHeight)
  }

  #draw() {
    const hidden = (this.#grid.scrollTop * this.#perPixel) / ROW_HEIGHT
    const first = Math.max(0, Math.min(Math.floor(hidden), this.#order.length))
    const last = Math.min(this.#order.length, first + Math.ceil(this.#roomForRows / ROW_HEIGHT) + 1)
    const top = this.#grid.scrollTop - (hidden - first) * ROW_HEIGHT
    this.#rows.style.transform = `translateY(${top}px)`
    this.#rows.replaceChildren(
      ...Array.from({ length: last - first }, (_, index) => this.#rowAt(first + index)),
    )
  }

  /** @param {number} place */
  #rowAt(place) {
    const row = this.#order[place] ?? 0
    const element = document.createElement('div')
    element.className = 'grid-row'
    element.id = `place-${place}`
    element.dataset.place = String(place)
    element.setAttribute('role', 'row')
    element.setAttribute('aria-rowindex', String(place + 2))
    element.setAttribute('aria-selected', String(place === this.#chosen))
    element.style.gridTemplateColumns = 'var(--columns)'
    element.append(...this.#shown.map(column => cellOf(column, row)))
    return element
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.target !== this.#grid) return
    const page = Math.floor(this.#roomForRows / ROW_HEIGHT) - 1
    const last = this.#order.length - 1
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last - 1, End: last + 1 }
    const step = steps[/** @type {keyof typeof steps} */ (event.key)]
    if (step === undefined || last < 0) return
    event.preventDefault()
    this.#choose(Math.min(last, Math.max(0, this.#chosen + step)))
  }

  /** @param {number} place */
  #choose(place) {
    this.#chosen = place
    const top = place * ROW_HEIGHT
    const seen = this.#grid.scrollTop * this.#perPixel
    const room = this.#roomForRows - ROW_HEIGHT
    if (top < seen || top > seen + room)
      this.#grid.scrollTop = Math.max(0, top < seen ? top : top - room) / this.#perPixel
    this.#draw()
    this.#grid.setAttribute('aria-activedescendant', `place-${place}`)
    const row = this.#order[place] ?? 0
    const [number] = this.#shown
    elementOf('chosen-text').textContent = `Trial ${number?.text(row) ?? ''}:`
    const command = elementOf('command')
    command.textContent = this.#commandOf(row)
    command.hidden = false
    elementOf('copy').hidden = false
  }

  /** @param {number} row */
  #commandOf(row) {
    const words = this.#shown
      .filter(column => column.meta.kind === 'parameter' && column.text(row) !== '')
      .map(column => `--param ${quotedWord(`${column.meta.label}=${column.text(row)}`)}`)
    return [this.#command, ...words].join(' ')
  }

  async #copy() {
    await navigator.clipboard.writeText(elementOf('command').textContent ?? '')
    elementOf('copy').textContent = 'Copied'
  }
}

/**
 * @param {Column} column
 * @param {number} row
 */
function cellOf(column, row) {
  const cell = document.createElement('div')
  cell.setAttribute('role', 'gridcell')
  cell.textContent = column.text(row)
  if (cell.textContent === 'n/a')
    cell.title = `Not available: ${column.meta.missing ?? 'the trial has no result'}.`
  else if (cell.textContent.length > 12) cell.title = cell.textContent
  return cell
}

/**
 * Rows that pass, in order of a column; those without a value last, equals in the order of their trials.
 * @param {number} count
 * @param {(row: number) => boolean} test
 * @param {Column | undefined} column
 * @param {boolean} isAscending
 */
function sortedRows(count, test, column, isAscending) {
  const passing = new Uint32Array(count)
  let known = 0
  for (let row = 0; row < count; row++) if (test(row)) passing[known++] = row
  const rows = passing.slice(0, known)
  if (column === undefined) return rows
  const sorted = sortedFigures(column, count)
  // Each row goes to the place of its value among all values, and equals to the places after it, in their order.
  const rowAfter = new Uint32Array(sorted.length) // the row + 1, or 0
  const equals = new Uint32Array(sorted.length)
  const missing = new Uint32Array(known)
  let without = 0
  for (const row of rows) {
    const value = column.at(row)
    if (Number.isNaN(value)) missing[without++] = row
    else {
      const first = firstPlace(sorted, value, isAscending)
      const before = equals[first] ?? 0
      equals[first] = before + 1
      rowAfter[first + before] = row + 1
    }
  }
  let next = 0
  for (const after of rowAfter) if (after > 0) rows[next++] = after - 1
  rows.set(missing.subarray(0, without), next)
  return rows
}

/**
 * Place at which the equals of a value begin, in ascending or in descending order.
 * @param {Float64Array} sorted ascending
 * @param {number} value
 * @param {boolean} isAscending
 */
function firstPlace(sorted, value, isAscending) {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = sorted[middle] ?? 0
    if (isAscending ? other < value : other <= value) low = middle + 1
    else high = middle
  }
  return isAscending ? low : sorted.length - low
}

/**
 * Characters that a column needs, of a sample of its rows.
 * @param {Column} column
 * @param {number} count
 */
function widthOf(column, count) {
  let most = column.meta.label.length + 3
  const step = Math.max(1, Math.floor(count / 500))
  for (let row = 0; row < count; row += step) most = Math.max(most, column.text(row).length + 2)
  return Math.min(28, most + 1)
}

/**
 * A word as a shell takes it.
 * @param {string} word
 */
function quotedWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
