import { describe, expect, it } from 'vitest'
import { studyHtml } from '../../../backtest/study-report/study-html.ts'
import { TrialColumns } from '../../../backtest/study-report/trial-columns.ts'
import { hasChromium } from '../report/chromium.ts'
import { offlinePage } from '../report/offline-page.ts'
import { HOSTILE, smallStudy } from './small-study.ts'

/** Names that markup, JSON or objects could take for something else. Parsers of HTML replace NUL, carriage returns and lone surrogates. */
const ODD_NAMES = [
  ...['number', 'outcome', 'sharpe', 'Code', 's-x', 'p-x', '__proto__', 'constructor', 'toString'],
  ...['a,b', 'a b', ' ', '', '-1', '%', '$&', 'a"]b', '"\'`&amp;', '\\u0041', HOSTILE, '<!--<script>'],
  ...['nul\u0000', 'cr\r', 'crlf\r\n', 'lf\n', 'tab\t', 'line\u2028', 'half \ud800', '😀é', 'x'.repeat(5000)],
]

/** Two trials with a parameter of each name, whose values are 0 and 1; the objective has an odd name as well. */
function oddStudy() {
  const columns = new TrialColumns(['goal\r\u0000'], 'npm run backtest -- s.ts')
  for (const number of [0, 1]) {
    columns.add({
      number,
      outcome: 'finished',
      parameters: Object.fromEntries(ODD_NAMES.map(name => [name, number])),
      figures: { sharpe: number },
      scores: [10 + number],
    })
  }
  return { ...smallStudy(), title: ODD_NAMES.join(' '), trials: columns.encoded('s-goal\r\u0000') }
}

describe.skipIf(!hasChromium())('the page of a study with odd names', { timeout: 60_000 }, () => {
  const open = offlinePage(() => studyHtml(oddStudy()))

  it('becomes ready, and shows each parameter and the objective that leads', async () => {
    const { page, complaints } = await open()
    expect(complaints).toEqual([])
    const slices = page.locator('[data-slice]')
    const labels = await slices.evaluateAll(charts => charts.map(chart => chart.getAttribute('aria-label')))
    // The figure of each chart is the objective: 10 where the parameter is 0, 11 where it is 1.
    expect(labels).toEqual(
      ODD_NAMES.map(name => `goal\r\u0000 by ${name}: mean of each value 0: 10.000, 1: 11.000.`),
    )
    expect(await page.locator('#heat').getAttribute('aria-label')).toContain('best cell number 1, outcome 1')
  })

  it('writes each name as it is into the command of a trial', async () => {
    const { page } = await open()
    await page.locator('#grid').focus()
    await page.keyboard.press('ArrowDown')
    const command = await page.locator('#command').textContent()
    expect(command).toContain(' --param number=1 --param outcome=1 --param sharpe=1 ')
    expect(command).toContain(` --param '${HOSTILE}=1'`)
    expect(command).toContain(' --param __proto__=1 ')
  })
})
