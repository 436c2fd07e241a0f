import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { resultHtml } from '../../../backtest/report/result-html.ts'
import { hasChromium, launchChromium } from './chromium.ts'
import { waveReport } from './wave-report.ts'

/** Two strategies on one market: the first has a quarter of the round trips. */
function severalReport(): BacktestReport {
  const report = waveReport(1200)
  const markets = ['a', 'b'].flatMap(strategy =>
    report.markets.map(market => ({ ...market, strategy, book: `BTC/USDT#${strategy}` })),
  )
  const roundTrips = report.roundTrips.map((trip, row) => ({
    ...trip,
    book: row % 4 === 0 ? 'BTC/USDT#a' : 'BTC/USDT#b',
  }))
  return { ...report, markets, roundTrips }
}

describe.skipIf(!hasChromium())('the page of several markets', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pages-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('shows the chart and the round trips of the market that is chosen', async () => {
    const report = severalReport()
    const first = report.roundTrips.filter(({ book }) => book === 'BTC/USDT#a').length
    const file = join(folder, 'report.html')
    writeFileSync(file, resultHtml(report))
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('pageerror', error => complaints.push(error.message))
      await page.goto(pathToFileURL(file).href)
      await page.waitForSelector('html[data-ready]')
      const listed = () => page.locator('#trips-page').textContent()
      expect(await listed()).toBe(`1 to 25 of ${first}`)
      expect(await page.locator('#market-shown option').allTextContents()).toEqual([
        'a on BTC/USDT 1h',
        'b on BTC/USDT 1h',
      ])
      await page.selectOption('#market-shown', '1')
      expect(await listed()).toBe(`1 to 25 of ${report.roundTrips.length - first}`)
      expect(await page.locator('#price-legend').textContent()).toContain(
        `${report.roundTrips.length - first} round trips in view`,
      )
      await page.click('#trips tbody tr:nth-child(2) button')
      expect(await page.locator('#trip-legend').textContent()).toMatch(/^Round trip 2: /)
      await page.selectOption('#market-shown', '0')
      expect(await listed()).toBe(`1 to 25 of ${first}`)
      expect(await page.locator('#price-chart table').count()).toBe(1)
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
