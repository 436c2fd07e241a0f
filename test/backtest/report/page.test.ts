import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resultHtml } from '../../../backtest/report/result-html.ts'
import { hasChromium, launchChromium } from './chromium.ts'
import { HOSTILE, waveReport } from './wave-report.ts'

const LAPTOP = { viewport: { width: 1366, height: 768 } }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** A machine with other work takes its time; the chart takes other klines once the wheel rests. */
const UNHURRIED = { interval: 300, timeout: 20_000 }

/** Round trips of the report: one every twelve of these klines. */
const KLINES = 6000
const TRIPS = 500

/** What runs in the page is text here, because the types of a browser are not those of Node. */
const PAINTED = `['#price-chart', '#equity-chart'].map(chart => {
  const seen = new Set()
  for (const canvas of document.querySelectorAll(chart + ' canvas')) {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    for (let index = 0; index < data.length; index += 4) {
      if (data[index + 3] === 255) seen.add([...data.subarray(index, index + 3)].join())
    }
  }
  return [...seen]
})`
const CORNER =
  "[...document.querySelector('#price-chart canvas').getContext('2d').getImageData(3, 3, 1, 1).data].join()"
const SCROLLED = "Math.abs(document.querySelector('#price').getBoundingClientRect().top) < 60"
const WIDTHS = '[document.documentElement.scrollWidth, window.innerWidth]'
/** A machine with other work draws late: each frame comes long after the chart looks at what is in view. */
const LATE_FRAMES = `window.requestAnimationFrame = draw => setTimeout(() => {
  draw(performance.now())
  window.hasDrawn = true
}, 400)`
const HAS_DRAWN = 'window.hasDrawn === true'
const BACKGROUND = 'getComputedStyle(document.body).backgroundColor'

interface Opened {
  readonly page: Page
  /** Errors of scripts, what they wrote to the console, and requests beside the page itself. */
  readonly complaints: readonly string[]
}

describe.skipIf(!hasChromium())('the page', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-page-'))
  const url = pathToFileURL(join(folder, 'report.html')).href
  let browser: Browser
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    writeFileSync(join(folder, 'report.html'), resultHtml(waveReport(KLINES)))
    browser = await launchChromium()
  })

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  })

  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  async function open(options: Parameters<Browser['newContext']>[0] = LAPTOP, before = ''): Promise<Opened> {
    const context = await browser.newContext(options)
    await context.addInitScript(before)
    contexts.push(context)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => complaints.push(`console: ${message.text()}`))
    page.on('pageerror', error => complaints.push(`error: ${error.message}`))
    page.on('request', request => {
      if (request.url() !== url) complaints.push(`request: ${request.url()}`)
    })
    await page.goto(url)
    await page.waitForSelector('html[data-ready]')
    await page.waitForSelector('#price-chart[data-interval]')
    return { page, complaints }
  }

  const viewOf = (page: Page) => page.locator('#price-chart').evaluate(chart => ({ ...chart.dataset }))

  it('opens from a file without an error, and without asking the network for anything', async () => {
    const { page, complaints } = await open()
    await page.getByRole('button', { name: '1W' }).click()
    await page.locator('#trips tbody tr').first().click()
    expect(complaints).toEqual([])
  })

  it('takes hostile texts for text', async () => {
    const { page } = await open()
    expect(await page.title()).toBe(`wave ${HOSTILE} on BTC/USDT 1d`)
    expect(await page.locator('h1').textContent()).toContain(HOSTILE)
    expect(await page.locator('#trips tbody tr').first().textContent()).toContain(HOSTILE)
    expect(await page.locator('img').count()).toBe(0)
  })

  it('paints klines, round trips, equity, drawdown and exposure', async () => {
    const { page } = await open()
    const [price, equity] = await page.evaluate<string[][]>(PAINTED)
    // --rising, --falling, --accent and --loss of the style, and --accent, --held and --loss.
    expect(price).toEqual(expect.arrayContaining(['169,179,193', '93,104,120', '31,86,216', '192,48,28']))
    expect(equity).toEqual(expect.arrayContaining(['31,86,216', '192,48,28']))
  })

  it('sorts the list by what is clicked, and back', async () => {
    const { page } = await open()
    const profits = () => page.locator('#trips tbody tr td:nth-child(9)').allTextContents()
    const asNumbers = (texts: readonly string[]) => texts.map(text => Number(text.replaceAll(',', '')))
    const head = page.getByRole('button', { name: 'Profit' })
    await head.click()
    const worst = asNumbers(await profits())
    expect(worst).toEqual(worst.toSorted((left, right) => left - right))
    expect(await page.locator('#trips th[aria-sort=ascending]').textContent()).toBe('Profit')
    await head.press('Enter')
    const best = asNumbers(await profits())
    expect(best).toEqual(best.toSorted((left, right) => right - left))
    expect(best[0]).toBeGreaterThan(worst[0] ?? 0)
    expect(await page.locator('#trips th[aria-sort=descending]').textContent()).toBe('Profit')
  })

  it('pages through the list, and shows wins or losses only', async () => {
    const { page } = await open()
    const shown = page.locator('#trips-page')
    expect(await shown.textContent()).toBe(`1 to 25 of ${TRIPS}`)
    await page.getByRole('button', { name: 'Last page' }).click()
    expect(await shown.textContent()).toBe(`476 to 500 of ${TRIPS}`)
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.locator('#trips-shown').selectOption('losses')
    const profits = await page.locator('#trips tbody tr td:nth-child(9)').allTextContents()
    expect(profits.every(text => text.startsWith('-'))).toBe(true)
  })

  it('marks the round trips that depend on the path inside a kline, and shows them alone', async () => {
    const { page } = await open()
    const marks = await page.locator('#trips tbody tr td:nth-child(16)').allTextContents()
    expect(marks).toEqual(Array.from({ length: 25 }, (_, row) => (row === 1 ? '?' : '')))
    await page.locator('#trips-shown').selectOption('ambiguous')
    expect(await page.locator('#trips-page').textContent()).toBe('1 to 1 of 1')
    expect(await page.locator('#trips tbody tr td').first().textContent()).toBe('2')
  })

  it('jumps from a row of the list to the klines around it, by mouse and by key', async () => {
    const { page } = await open()
    await page.locator('#trips tbody tr').nth(3).click()
    // The fourth round trip: entered 2024-01-02 14:00, exited 20:00; 20 klines on both sides.
    expect(await viewOf(page)).toEqual({ from: '2024-01-01 18:00', to: '2024-01-03 16:00', interval: '1h' })
    expect(await page.locator('#trip-legend').textContent()).toContain(
      'Round trip 4: short 10.00000 BTC · in 2024-01-02 14:00',
    )
    expect(await page.locator('#trips tr[aria-current=true] td').first().textContent()).toBe('4')
    await expect.poll(() => page.evaluate(SCROLLED), UNHURRIED).toBe(true)
    await page.getByRole('button', { name: 'Show round trip 2 on the chart' }).press('Enter')
    expect(await page.locator('#trip-legend').textContent()).toContain('Round trip 2:')
    expect(await page.evaluate('document.activeElement.id')).toBe('price')
  })

  it('steps from one round trip to the next', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Round trip ›' }).click()
    await page.getByRole('button', { name: 'Round trip ›' }).click()
    expect(await page.locator('#trip-legend').textContent()).toContain('Round trip 2:')
    await page.getByRole('button', { name: '‹ Round trip' }).click()
    expect(await page.locator('#trip-legend').textContent()).toContain('Round trip 1:')
  })

  it('takes finer klines when it is zoomed in, and coarser ones when it is zoomed out', async () => {
    const { page } = await open()
    const interval = async () => (await viewOf(page)).interval
    expect(await interval()).toBe('1d')
    await page.getByRole('button', { name: '1M' }).click()
    expect(await interval()).toBe('2h')
    await page.locator('#price-chart').hover()
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -300)
        return interval()
      }, UNHURRIED)
      .toBe('1h')
    await page.getByRole('button', { name: 'All' }).click()
    expect(await interval()).toBe('1d')
  })

  it('keeps what it is asked to show where frames come late', async () => {
    const { page } = await open(LAPTOP, LATE_FRAMES)
    await expect.poll(() => page.evaluate(HAS_DRAWN), UNHURRIED).toBe(true)
    // 250 days from 2024-01-01, and a hundredth of that, 60 hours, at both ends.
    const whole = { from: '2023-12-29 12:00', to: '2024-09-09 12:00', interval: '1d' }
    expect(await viewOf(page)).toEqual(whole)
    await page.getByRole('button', { name: '1M' }).click()
    await page.getByRole('button', { name: 'All' }).click()
    await page.getByRole('button', { name: '1M' }).click()
    // 30 days around the middle of the run, which is 2024-05-05.
    expect(await viewOf(page)).toEqual({ from: '2024-04-20 00:00', to: '2024-05-20 00:00', interval: '2h' })
  })

  it('offers a logarithmic scale for equity', async () => {
    const { page, complaints } = await open()
    const button = page.getByRole('button', { name: 'Logarithmic' })
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    await button.click()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    expect(complaints).toEqual([])
  })

  it('shows the meaning of a metric when its name is pointed at or focused, and hides it on Escape', async () => {
    const { page } = await open()
    const term = page.locator('.term', { hasText: 'Sharpe ratio' })
    const meaning = page.locator('#meaning-sharpe')
    expect(await meaning.isVisible()).toBe(false)
    await term.hover()
    expect(await meaning.textContent()).toContain('÷ their standard deviation')
    expect(await meaning.isVisible()).toBe(true)
    await page.mouse.move(0, 0)
    await term.focus()
    expect(await meaning.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await meaning.isVisible()).toBe(false)
  })

  it.each([
    ['a laptop', LAPTOP],
    ['a phone', PHONE],
  ])('has no part that sticks out of %s', async (_, options) => {
    const { page, complaints } = await open(options)
    const widths = await page.evaluate<number[]>(WIDTHS)
    expect(widths[0]).toBe(widths[1])
    const listWidths = await page
      .locator('#round-trips .scroll')
      .evaluate(list => [list.scrollWidth, list.clientWidth])
    expect(listWidths[0]).toBe(listWidths[1])
    expect(complaints).toEqual([])
  })

  it('is dark where the reader wants it, also when that changes while it is open', async () => {
    const { page } = await open({ ...LAPTOP, colorScheme: 'dark' })
    const colours = () => Promise.all([page.evaluate(BACKGROUND), page.evaluate(CORNER)])
    expect(await colours()).toEqual(['rgb(14, 18, 24)', '23,28,37,255'])
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(colours, UNHURRIED).toEqual(['rgb(244, 245, 248)', '255,255,255,255'])
  })
})
