/** @import { StudyPageData, PageTrials } from '../study-page-data.ts' */
import { elementOf, readData } from '../../report/page/read-data.js'
import { Columns } from './columns.js'
import { showDrawdowns } from './drawdown-chart.js'
import { showHalves } from './halves-chart.js'
import { HeatChart } from './heat-chart.js'
import { showPaths } from './paths-chart.js'
import { SliceChart } from './slice-chart.js'
import { TrialChart } from './trial-chart.js'
import { TrialGrid } from './trial-grid.js'
import { showWalkForward } from './walk-charts.js'

/** @param {StudyPageData} data */
async function startPage({ quote, trials, walkForward, paths, drawdowns = [] }) {
  if (walkForward !== undefined) showWalkForward(walkForward)
  if (paths !== undefined) showPaths(paths)
  for (const one of drawdowns) {
    const container = document.querySelector(`[data-drawdown="${one.key}"]`)
    if (container instanceof HTMLElement) showDrawdowns(container, one)
  }
  if (trials !== undefined) await showTrials(trials, quote)
  document.documentElement.dataset.ready = 'true'
}

/**
 * @param {PageTrials} trials
 * @param {string} quote
 */
async function showTrials(trials, quote) {
  const columns = new Columns(trials.columns, trials.count, quote)
  const chart = new TrialChart(columns, trials)
  const heat = document.getElementById('heat') === null ? undefined : new HeatChart(columns)
  const slices = [...document.querySelectorAll('[data-slice]')].flatMap(container =>
    container instanceof HTMLElement ? [new SliceChart(container, columns)] : [],
  )
  const select = /** @type {HTMLSelectElement} */ (elementOf('figure'))
  const showFigure = async () => {
    const figure = await columns.columnAt(Number(select.value))
    await Promise.all([chart.show(figure), heat?.show(figure), ...slices.map(slice => slice.show(figure))])
  }
  select.addEventListener('change', showFigure)
  await showFigure()
  await showHalves(columns)
  const shown = await Promise.all(trials.columns.map(({ key }) => columns.column(key)))
  await new TrialGrid(columns, shown, trials.leading, trials.command).fill()
}

readData()
  .then(data => startPage(/** @type {StudyPageData} */ (/** @type {unknown} */ (data))))
  .catch(error => {
    document.documentElement.dataset.failed = String(error)
    const notice = document.createElement('p')
    notice.className = 'loss'
    notice.setAttribute('role', 'alert')
    notice.textContent = `Charts and the table of trials cannot be shown in this browser (${error}); a newer one may show them.`
    document.querySelector('main')?.prepend(notice)
    throw error
  })
