/** @import { PageData } from '../page-data.ts' */
import { EquityChart } from './equity-chart.js'
import { moneyText } from './money-text.js'
import { paletteNow } from './palette.js'
import { PriceChart } from './price-chart.js'
import { buttonOf, rangeButtons } from './range-buttons.js'
import { elementOf, readData } from './read-data.js'
import { fixedText, lengthText, momentText, percentText } from './texts.js'
import { TripList } from './trip-list.js'

/** The script before this one makes the library global; nothing declares that to the type checker. */
const library = /** @type {{ LightweightCharts: typeof import('lightweight-charts') }} */ (
  /** @type {unknown} */ (globalThis)
).LightweightCharts

/** @param {PageData} data */
function start(data) {
  let selected = -1
  const palette = paletteNow()
  /** What the chart of the price and the list of round trips show. */
  let shown = data
  let price = priceChartOf(shown)
  const equity = new EquityChart(
    library,
    elementOf('equity-chart'),
    elementOf('equity-legend'),
    data,
    palette,
    time => {
      const half = Math.max((price.span.to - price.span.from) / 40, 60 * shown.klines.seconds)
      price.show(time - half, time + half)
      goToPrice()
    },
  )
  link()
  const list = new TripList(data, row => {
    select(row)
    goToPrice()
  })
  offerRanges(price)
  addEquityButtons(equity)
  addSteps(step => {
    const row = Math.min(shown.trips.pnl.length - 1, Math.max(0, selected + step))
    if (row >= 0) select(row)
  })
  price.showAll()
  document.getElementById('market-shown')?.addEventListener('change', event => {
    const place = Number(/** @type {HTMLSelectElement} */ (event.target).value)
    showMarket({ ...data, ...(place === 0 ? undefined : data.others?.[place - 1]) })
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    price.palette = paletteNow()
    equity.palette = paletteNow()
  })
  document.addEventListener('keydown', ({ key }) => {
    // A meaning that covers something can be sent away.
    if (key === 'Escape' && document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  document.documentElement.dataset.ready = 'true'

  /** @param {number} row */
  function select(row) {
    selected = row
    price.select(row)
    list.select(row)
    elementOf('trip-legend').textContent = tripText(shown, row)
  }

  /** @param {PageData} other */
  function showMarket(other) {
    shown = other
    selected = -1
    price.remove()
    price = priceChartOf(shown)
    link()
    list.show(shown)
    offerRanges(price)
    price.showAll()
    elementOf('trip-legend').textContent = 'Choose a round trip to see it up close.'
  }

  /** One crosshair for both charts: the time under it in one is marked in the other. */
  function link() {
    price.onCrosshair = time => {
      equity.crosshair = time === undefined ? undefined : time + price.shownSeconds
    }
    equity.onCrosshair = time => {
      price.crosshair = time
    }
  }

  /** @param {PageData} of */
  function priceChartOf(of) {
    return new PriceChart(
      library,
      elementOf('price-chart'),
      elementOf('price-legend'),
      of,
      paletteNow(),
      select,
    )
  }
}

/** @param {PriceChart} price */
function offerRanges(price) {
  document.querySelector('.ranges')?.replaceChildren(...rangeButtons(price))
}

/** Scrolls to the chart and takes the focus there, as a link would. */
function goToPrice() {
  const section = elementOf('price')
  section.scrollIntoView()
  section.focus({ preventScroll: true })
}

/**
 * Buttons of equity: for its scale, which is logarithmic where it would hide one of the two curves otherwise, and for the whole run.
 * @param {EquityChart} equity
 */
function addEquityButtons(equity) {
  const button = buttonOf('Logarithmic', () => {
    equity.isLogarithmic = !equity.isLogarithmic
    button.setAttribute('aria-pressed', String(equity.isLogarithmic))
  })
  button.setAttribute('aria-pressed', String(equity.isLogarithmic))
  document.querySelector('.scales')?.append(
    button,
    buttonOf('Whole run', () => equity.showAll()),
  )
}

/** @param {(step: 1 | -1) => void} onStep */
function addSteps(onStep) {
  for (const button of document.querySelectorAll('[data-trip]')) {
    button.addEventListener('click', () => onStep(button.getAttribute('data-trip') === 'next' ? 1 : -1))
  }
}

/**
 * A round trip in a sentence.
 * @param {PageData} data
 * @param {number} row
 */
function tripText({ trips, market, quote }, row) {
  /** @param {readonly number[]} column */
  const at = column => column[row] ?? 0
  const { pricePrecision, quantityPrecision, base } = market
  /** @param {readonly number[]} ticks */
  const price = ticks => fixedText(at(ticks) / 10 ** pricePrecision, pricePrecision)
  const [entry, exit] = [at(trips.entryTime), at(trips.exitTime)]
  const tag = trips.names[at(trips.tag)]
  return [
    `Round trip ${row + 1}: ${at(trips.direction) > 0 ? 'long' : 'short'} ${fixedText(at(trips.quantity) / 10 ** quantityPrecision, quantityPrecision)} ${base}`,
    `in ${momentText(entry)} at ${price(trips.entryPrice)}`,
    `out ${momentText(exit)} at ${price(trips.exitPrice)} by ${trips.names[at(trips.exitReason)] ?? ''}`,
    `${percentText(at(trips.returns))}, ${moneyText(at(trips.pnl), quote)} ${quote} after fees in ${lengthText(exit - entry)}`,
    ...(tag === undefined ? [] : [`tag ${tag}`]),
  ].join(' · ')
}

readData().then(start)
