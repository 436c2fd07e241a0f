import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { studyHtml } from '../../../backtest/study-report/study-html.ts'
import { studyScript } from '../../../backtest/study-report/study-script.ts'
import { hasChromium } from '../report/chromium.ts'
import { offlinePage } from '../report/offline-page.ts'
import { HOSTILE, smallStudy } from './small-study.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const WIDTHS = '[document.documentElement.scrollWidth, window.innerWidth]'

describe.skipIf(!hasChromium())('the page of a study', { timeout: 60_000 }, () => {
  const open = offlinePage(() => studyHtml(smallStudy()))

  /** Texts of one column of the rows in view. */
  const column = (page: Page, place: number) =>
    page.locator(`.grid-row > :nth-child(${place})`).allTextContents()

  it('opens without an error, and without asking the network for anything', async () => {
    const { complaints } = await open()
    expect(complaints).toEqual([])
  })

  it('lists every trial with its exact parameters, the best first, and says why a figure is missing', async () => {
    const { page } = await open()
    // Sharpe ratios by hand: 1.5, 0.5, -1, none, and one that failed.
    expect(await column(page, 1)).toEqual(['0', '1', '2', '3', '4'])
    expect(await column(page, 3)).toEqual(['0.1', '0.2', '0.30000000000000004', '0.4', '0.5'])
    expect(await column(page, 5)).toEqual(['1.500', '0.500', '-1.000', 'n/a', 'n/a'])
    expect(await page.locator('.grid-row').nth(3).locator('> :nth-child(5)').getAttribute('title')).toContain(
      'the days are too few',
    )
  })

  it('sorts by what is clicked, and back, with missing figures last', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Sharpe', exact: true }).click()
    await expect.poll(() => column(page, 5)).toEqual(['-1.000', '0.500', '1.500', 'n/a', 'n/a'])
    expect(await page.locator('[aria-sort=ascending]').textContent()).toBe('Sharpe')
    await page.getByRole('button', { name: 'Sharpe', exact: true }).click()
    await expect.poll(() => column(page, 5)).toEqual(['1.500', '0.500', '-1.000', 'n/a', 'n/a'])
  })

  it('filters by figures and parameters, and names a column that there is not', async () => {
    const { page } = await open()
    const filter = page.locator('#filter')
    await filter.fill('sharpe>0 share>=0.2')
    await expect.poll(() => page.locator('#shown-count').textContent()).toBe('1 of 5 rows')
    expect(await column(page, 1)).toEqual(['1'])
    await filter.fill('totalReturn>=30%')
    await expect.poll(() => column(page, 1)).toEqual(['0'])
    await filter.fill('shrp>0')
    await expect
      .poll(() => page.locator('#filter-problem').textContent())
      .toContain('There is no column "shrp"')
  })

  it('shows the command of the trial that the keyboard chooses, quoted for a shell', async () => {
    const { page } = await open()
    await page.locator('#grid').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('#command').textContent()).toBe(
      `npm run backtest -- s.ts --param share=0.1 --param 'mode=${HOSTILE}'`,
    )
  })

  it('takes hostile texts for text', async () => {
    const { page } = await open()
    expect(await page.title()).toContain(HOSTILE)
    expect(await page.locator('h1').textContent()).toContain(HOSTILE)
    expect(await page.locator('img').count()).toBe(0)
  })

  it('shows the verdict with each reason, its figure and what was wanted', async () => {
    const { page } = await open()
    const cells = await page.locator('#verdict tbody tr').first().locator('> *').allTextContents()
    expect(cells).toEqual(['t out of sampleNo days.', 'undefined', 'above 1.000', 'Not passed'])
  })

  it('tells in words what its charts show', async () => {
    const { page } = await open()
    const label = (id: string) => page.locator(id).getAttribute('aria-label')
    expect(await label('#trial-chart')).toBe(
      'Sharpe of 4 trials in their order: the best is 1.500, trial 1 in order.',
    )
    expect(await label('#heat')).toContain(`best cell share 0.1, mode ${HOSTILE}: 1.500`)
    // (1.1 × 0.9 = 0.99: a loss of 1%.)
    expect(await label('#stitched')).toBe('Equity of 2 tests one after another: -1.00% at the end.')
    expect(await label('#window-scatter')).toContain('1 earn out of sample')
    // Paths end at -10%, +20% and -30%.
    expect(await label('#path-chart')).toBe(
      'Equity of 3 paths, each through all days: -10.00% at the end of the middle one; 2 lose.',
    )
    // Of the drawdowns 10%, 20%, 30% and 40% two are deeper than 20%.
    expect(await label('[data-drawdown=redrawn]')).toBe(
      'Bootstrapped: the actual drawdown is 20.0%; 50.0% are deeper.',
    )
  })

  it('fits a phone without scrolling sideways', async () => {
    const { page } = await open(PHONE)
    const [content, width] = await page.evaluate<[number, number]>(WIDTHS)
    expect(content).toBe(width)
  })

  it('says so where a browser cannot show its charts', async () => {
    const { page } = await open({}, 'delete window.DecompressionStream')
    expect(await page.getByRole('alert').first().textContent()).toMatch(
      /^Charts and the table of trials cannot be shown in this browser \(ReferenceError: DecompressionStream is not defined\)/,
    )
  })

  it('follows light and dark', async () => {
    const colours = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ colorScheme })
      colours.push(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'))
    }
    expect(colours).toEqual(['rgb(244, 245, 248)', 'rgb(14, 18, 24)'])
  })
})

describe('studyHtml', () => {
  it('is the same for the same study', () => {
    expect(studyHtml(smallStudy())).toBe(studyHtml(smallStudy()))
  })

  it('has one script in which each name is declared once', () => {
    const names = [...studyScript().matchAll(/^(?:async )?(?:function|class|const|let) (\w+)/gm)].map(
      ([, name]) => name,
    )
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('allows no request and no script but its own', () => {
    expect(studyHtml(smallStudy())).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; /)
    expect(studyHtml(smallStudy())).not.toMatch(/ on\w+="/)
  })
})
