/** @import { PageData } from '../page-data.ts' */
import { moneyText } from './money-text.js'
import { elementOf } from './read-data.js'
import { fixedText, lengthText, momentText, percentText } from './texts.js'

const ROWS_PER_PAGE = 25

/** The list of round trips: sorted by any column, a page at a time; a click on one shows it on the chart. */
export class TripList {
  #data
  #onSelect
  #table = /** @type {HTMLTableElement} */ (elementOf('trips'))
  /** @type {number[]} */
  #rows = []
  #page = 0
  #sortedBy = 'number'
  #isAscending = true
  #selected = -1

  /**
   * @param {PageData} data
   * @param {(row: number) => void} onSelect takes the place of the round trip that was chosen
   */
  constructor(data, onSelect) {
    this.#data = data
    this.#onSelect = onSelect
    for (const button of this.#table.querySelectorAll('button')) {
      button.addEventListener('click', () => this.#sortBy(button.dataset.sort ?? 'number'))
    }
    for (const button of document.querySelectorAll('[data-page]')) {
      button.addEventListener('click', () => this.#turn(button.getAttribute('data-page') ?? 'first'))
    }
    elementOf('trips-shown').addEventListener('change', () => this.#fill())
    this.#table.tBodies[0]?.addEventListener('click', event => {
      const row = /** @type {HTMLElement} */ (event.target).closest('tr')?.dataset.row
      if (row !== undefined) this.#onSelect(Number(row))
    })
    this.#fill()
  }

  /**
   * Lists the round trips of another market.
   * @param {PageData} data
   */
  show(data) {
    this.#data = data
    this.#selected = -1
    this.#fill()
  }

  /**
   * Marks a round trip, and turns to its page if it is shown at all.
   * @param {number} row
   */
  select(row) {
    this.#selected = row
    const place = this.#rows.indexOf(row)
    const page = place < 0 ? this.#page : Math.floor(place / ROWS_PER_PAGE)
    if (page !== this.#page) {
      this.#page = page
      this.#draw()
      return
    }
    // Rows that stay keep the focus.
    for (const tr of this.#table.tBodies[0]?.rows ?? []) {
      tr.setAttribute('aria-current', String(tr.dataset.row === String(row)))
    }
  }

  /** @param {string} key */
  #sortBy(key) {
    this.#isAscending = key === this.#sortedBy ? !this.#isAscending : true
    this.#sortedBy = key
    this.#fill()
  }

  #fill() {
    const { pnl, ambiguous } = this.#data.trips
    const shown = /** @type {HTMLSelectElement} */ (elementOf('trips-shown')).value
    const isShown = (/** @type {number} */ profit, /** @type {number} */ row) => {
      if (shown === 'ambiguous') return ambiguous?.[row] === 1
      return shown === 'all' || (shown === 'wins' ? profit > 0 : profit < 0)
    }
    this.#rows = pnl.flatMap((profit, row) => (isShown(profit, row) ? [row] : []))
    const sortedValue = this.#sortValue()
    const sign = this.#isAscending ? 1 : -1
    // Equals stay in the order of their exits.
    this.#rows.sort((left, right) => sign * compare(sortedValue(left), sortedValue(right)) || left - right)
    this.#page = 0
    for (const head of this.#table.querySelectorAll('th')) {
      const isSorted = head.querySelector('button')?.dataset.sort === this.#sortedBy
      head.setAttribute('aria-sort', isSorted ? (this.#isAscending ? 'ascending' : 'descending') : 'none')
    }
    this.#draw()
  }

  /** @returns {(row: number) => number | string} */
  #sortValue() {
    const { trips } = this.#data
    const key = this.#sortedBy
    if (key === 'number') return row => row
    if (key === 'duration') return row => (trips.exitTime[row] ?? 0) - (trips.entryTime[row] ?? 0)
    if (key === 'exitReason' || key === 'tag') return row => trips.names[trips[key][row] ?? -1] ?? ''
    const column = /** @type {readonly number[]} */ (trips[/** @type {'pnl'} */ (key)]) // every other column is of numbers
    return row => column[row] ?? 0
  }

  /** @param {string} where */
  #turn(where) {
    const last = this.#lastPage
    const pages = { first: 0, before: this.#page - 1, next: this.#page + 1, last }
    const wanted = pages[/** @type {keyof typeof pages} */ (where)]
    this.#page = Math.min(last, Math.max(0, wanted))
    this.#draw()
  }

  get #lastPage() {
    return Math.max(0, Math.ceil(this.#rows.length / ROWS_PER_PAGE) - 1)
  }

  #draw() {
    const start = this.#page * ROWS_PER_PAGE
    const rows = this.#rows.slice(start, start + ROWS_PER_PAGE).map(row => this.#rowOf(row))
    this.#table.tBodies[0]?.replaceChildren(...rows)
    const count = this.#rows.length
    elementOf('trips-page').textContent =
      count === 0
        ? 'none'
        : `${fixedText(start + 1, 0)} to ${fixedText(start + rows.length, 0)} of ${fixedText(count, 0)}`
    for (const button of document.querySelectorAll('[data-page]')) {
      const isBack = ['first', 'before'].includes(button.getAttribute('data-page') ?? '')
      const isAtEnd = isBack ? this.#page === 0 : this.#page === this.#lastPage
      button.toggleAttribute('disabled', isAtEnd)
    }
  }

  /** @param {number} row */
  #rowOf(row) {
    const tr = document.createElement('tr')
    tr.dataset.row = String(row)
    tr.setAttribute('aria-current', String(row === this.#selected))
    tr.append(...tripCells(this.#data, row))
    return tr
  }
}

/**
 * The cells of a round trip, in the order of the heads.
 * @param {PageData} data
 * @param {number} row
 */
function tripCells({ trips, market, quote }, row) {
  /** @param {readonly number[]} column */
  const at = column => column[row] ?? 0
  const { pricePrecision, quantityPrecision } = market
  const [entry, exit] = [at(trips.entryTime), at(trips.exitTime)]
  const tone = at(trips.pnl) < 0 ? 'loss' : 'gain'
  const number = cell('', '')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = String(row + 1)
  button.setAttribute('aria-label', `Show round trip ${row + 1} on the chart`)
  number.append(button)
  return [
    number,
    cell(at(trips.direction) > 0 ? 'long' : 'short', ''),
    cell(momentText(entry), ''),
    cell(fixedText(at(trips.entryPrice) / 10 ** pricePrecision, pricePrecision), 'wide'),
    cell(momentText(exit), 'wide'),
    cell(fixedText(at(trips.exitPrice) / 10 ** pricePrecision, pricePrecision), 'wide'),
    cell(fixedText(at(trips.quantity) / 10 ** quantityPrecision, quantityPrecision), 'wide'),
    cell(percentText(at(trips.returns)), tone),
    cell(moneyText(at(trips.pnl), quote), tone),
    cell(moneyText(at(trips.fees), quote), 'wide'),
    cell(lengthText(exit - entry), 'wide'),
    cell(percentText(at(trips.adverse)).replace('+', ''), 'wide'),
    cell(percentText(at(trips.favorable)).replace('+', ''), 'wide'),
    cell(trips.names[at(trips.exitReason)] ?? '', 'wide'),
    cell(trips.names[at(trips.tag)] ?? '', 'wide tag'),
    ...(trips.ambiguous === undefined ? [] : [pathCell(at(trips.ambiguous) === 1)]),
  ]
}

/** @param {boolean} isAmbiguous */
function pathCell(isAmbiguous) {
  const td = cell(isAmbiguous ? '?' : '', 'wide')
  if (isAmbiguous) td.title = 'Ambiguous: it depends on the path inside a kline.'
  return td
}

/**
 * @param {string} text
 * @param {string} className
 */
function cell(text, className) {
  const td = document.createElement('td')
  td.textContent = text
  td.className = className
  // What does not fit is cut off.
  if (className.includes('tag')) td.title = text
  return td
}

/**
 * @param {number | string} left
 * @param {number | string} right
 */
function compare(left, right) {
  if (left === right) return 0
  return left < right ? -1 : 1
}
