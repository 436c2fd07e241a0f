import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { metricsOf } from '../../../backtest/metrics/metrics.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { resultHtml } from '../../../backtest/report/result-html.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { hasChromium } from './chromium.ts'
import { type OpenedPage, offlinePage } from './offline-page.ts'
import { shadedEdges } from './shaded-edges.ts'
import { HOSTILE, waveReport } from './wave-report.ts'

const LAPTOP = { viewport: { width: 1366, height: 768 } }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** A machine with other work takes its time; the chart takes other klines once the wheel rests. */
const UNHURRIED = { interval: 300, timeout: 20_000 }

/** Round trips of the report: one every twelve of these klines. */
const KLINES = 6000
const HOUR = 3_600_000
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

/** Equity and drawdown at the close of a kline, from the report itself, as they are shown. */
function accountAt(row: number): { readonly worth: string; readonly drawdown: string } {
  const { equity } = waveReport(KLINES).equity
  const worths = Array.from({ length: row + 1 }, (_, place) => equity[place] ?? 0)
  const [worth, peak] = [worths.at(-1) ?? 0, Math.max(10_000, ...worths)]
  const fixed = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return { worth: fixed(worth), drawdown: `${fixed((worth / peak - 1) * 100)}%` }
}

/** The last 100 hours of the run have two series, a stop that moved, a target, and two orders that came to nothing. */
function recordedReport(): BacktestReport {
  const report = waveReport(KLINES)
  const { openTime, close } = report.markets[0]?.klines ?? { openTime: [], close: [] }
  const [rows, time]: [number[], number[]] = [[], []]
  for (let row = KLINES - 100; row < KLINES; row++) {
    rows.push(row)
    time.push((openTime[row] ?? 0) + HOUR)
  }
  const end = openTime[KLINES - 1] ?? 0
  const charts = new Map([
    [
      'BTC/USDT',
      {
        series: new Map([
          ['above', { time, value: rows.map(row => (close[row] ?? 0) + 1) }],
          ['count', { time, value: rows.map(row => -row) }],
        ]),
        levels: [
          { kind: 'stop' as const, price: 9_000, from: end - 30 * HOUR, to: end - 20 * HOUR },
          { kind: 'stop' as const, price: 9_150, from: end - 20 * HOUR },
          { kind: 'target' as const, price: 11_000, from: end - 30 * HOUR },
        ],
        ends: [
          { kind: 'canceled' as const, price: 9_500, time: end - 10 * HOUR, text: 'expired' },
          { kind: 'denied' as const, time: end - 10 * HOUR, text: `maxPosition: ${HOSTILE}` },
        ],
      },
    ],
  ])
  const holds = [{ mode: 'halted', source: 'operator', reason: 'a drill', since: end }] as const
  const tradingChanges = [
    { type: 'tradingStateChanged', time: end, scope: {}, before: 'active', mode: 'halted', holds } as const,
  ]
  return { ...report, charts, tradingChanges }
}

describe.skipIf(!hasChromium())('the page', { timeout: 60_000 }, () => {
  const openReport = offlinePage(() => resultHtml(recordedReport()))

  async function open(...[options = LAPTOP, before]: Parameters<typeof openReport>): Promise<OpenedPage> {
    const opened = await openReport(options, before)
    await opened.page.waitForSelector('#price-chart[data-interval]')
    return opened
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
    // --rising, --falling (as wicks), --accent and --loss of the style, and --accent, --held and --loss.
    expect(price).toEqual(expect.arrayContaining(['46,158,98', '216,88,75', '31,86,216', '192,48,28']))
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

  it('names exit reasons in words, in the list, in the table of groups and beside the chart', async () => {
    const { page } = await open()
    // Every third round trip of the wave ends by its stop-loss, the others by a signal.
    const reasons = await page.locator('#trips tbody tr td:nth-child(14)').allTextContents()
    expect(reasons).toEqual(Array.from({ length: 25 }, (_, row) => (row % 3 === 0 ? 'stop-loss' : 'exit')))
    const groups = page.locator('.breakdowns section', { hasText: 'By exit reason' }).locator('tbody th')
    expect(await groups.allTextContents()).toEqual(['exit', 'stop-loss'])
    await page.getByRole('button', { name: 'Round trip ›' }).click()
    expect(await page.locator('#trip-legend').textContent()).toContain(' by stop-loss · ')
    expect(await page.evaluate<string>('document.body.innerText')).not.toContain('stopLoss')
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

  it('says at the crosshair what every curve, level and order of a kline is, and marks the time in the other chart', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: '1W' }).click()
    const legend = page.locator('#price-legend')
    const chart = page.locator('#price-chart')
    const { width = 0 } = (await chart.boundingBox()) ?? {}
    // A week of hours ends at the right, where the axis is; 40 pixels on, the crosshair is near the last klines.
    await expect
      .poll(async () => {
        await chart.hover({ position: { x: width * 0.87, y: 60 } })
        return legend.textContent()
      }, UNHURRIED)
      .toContain('volume')
    const text = (await legend.textContent()) ?? ''
    const time = Date.parse(`${/(\d{4}-\d\d-\d\d \d\d:\d\d)/.exec(text)?.[1]?.replace(' ', 'T')}Z`)
    const row = (time - Date.UTC(2024, 0, 1)) / HOUR
    const close = Number(/close ([\d.]+)/.exec(text)?.[1])
    expect(row).toBeGreaterThan(KLINES - 30)
    expect(await legend.locator('[data-series=above]').textContent()).toBe(`above ${(close + 1).toFixed(2)}`)
    expect(await legend.locator('[data-series=count]').textContent()).toBe(
      `count -${row.toLocaleString('en')}.0`,
    )
    const { worth, drawdown } = accountAt(row)
    expect(await legend.locator('[data-series=equity]').textContent()).toBe(`equity ${worth}`)
    expect(await legend.locator('[data-series=drawdown]').textContent()).toBe(`drawdown ${drawdown}`)
    const spans = await legend.locator('span:not(.key)').allTextContents()
    expect(spans).toEqual(
      expect.arrayContaining([
        'target 110.00',
        row >= KLINES - 20 ? 'stop 91.50' : expect.stringContaining('stop 9'),
      ]),
    )
    // The other chart has points of eight hours, at most 1,200 of 6,000: that which the kline's close belongs to.
    const other = /^(\S+ \S+) UTC/.exec((await page.locator('#equity-legend').textContent()) ?? '')?.[1]
    const point = Date.parse(`${other?.replace(' ', 'T')}Z`)
    expect(point - (time + HOUR)).toBeGreaterThanOrEqual(0)
    expect(point - (time + HOUR)).toBeLessThan(8 * HOUR)
  })

  it('names every curve beside the klines in its colour while nothing is pointed at', async () => {
    const { page } = await open()
    expect(await page.locator('#price-legend .key').allTextContents()).toEqual([
      ...['entry', 'exit with a profit', 'exit with a loss', 'denied', 'canceled'],
      'above',
      'count',
      'equity',
      'drawdown',
    ])
  })

  it('keeps in view what it showed when a phone is turned, and shows the whole run of equity when asked', async () => {
    const { page } = await open({ viewport: { width: 844, height: 390 } })
    const { from, to } = await viewOf(page)
    await page.setViewportSize({ width: 390, height: 844 })
    const kept = async () => {
      const view = await viewOf(page)
      const shift = (one = '', other = '') => Math.abs(Date.parse(`${one}Z`) - Date.parse(`${other}Z`)) / HOUR
      return Math.max(shift(view.from, from), shift(view.to, to))
    }
    // The run has 6,000 hours; klines of a day or more may move by some of them.
    await expect.poll(kept, UNHURRIED).toBeLessThan(150)
    const chart = page.locator('#equity-chart')
    const firstShown = async () => {
      await chart.hover({ position: { x: 4, y: 60 } })
      return (await page.locator('#equity-legend').textContent())?.slice(0, 7)
    }
    await expect.poll(firstShown, UNHURRIED).toBe('2024-01')
    // Dragged away to the right, the run begins in the middle of the chart.
    await page.mouse.down()
    await page.mouse.move(200, 300, { steps: 8 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Whole run' }).click()
    await expect.poll(firstShown, UNHURRIED).toBe('2024-01')
  })

  it('draws curves that are no prices, equity and drawdown in panes of their own below the price', async () => {
    const { page } = await open()
    // Each pane is a row of the table that the library makes, with a row between; the last row is the axis of time.
    expect(await page.locator('#price-chart table tr').count()).toBe(4 + 3 + 1)
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
    // The last 30 days of the run, whose last kline closes at 2024-09-07.
    expect(await viewOf(page)).toEqual({ from: '2024-08-08 00:00', to: '2024-09-07 00:00', interval: '2h' })
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

  it.each(['light', 'dark'] as const)(
    'shades the edges of a table that has more beyond them, on a phone in %s, and lets the keyboard scroll it',
    async colorScheme => {
      const { page } = await open({ ...PHONE, colorScheme })
      const table = page.getByRole('region', { name: 'By exit reason' })
      expect(await shadedEdges(table)).toEqual(['right'])
      await table.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => shadedEdges(table), UNHURRIED).toEqual(['left', 'right'])
      await table.evaluate(element => element.scrollTo(element.scrollWidth, 0))
      expect(await shadedEdges(table)).toEqual(['left'])
    },
  )

  it('shades no table that is seen whole', async () => {
    const { page } = await open()
    expect(await shadedEdges(page.getByRole('region', { name: 'By exit reason' }))).toEqual([])
  })

  it('lets the keyboard scroll every table, under a name', async () => {
    const { page } = await open(PHONE)
    const regions = await page
      .locator('.scroll')
      .evaluateAll(found => found.map(one => [one.tabIndex, one.role, one.ariaLabel]))
    expect(regions.length).toBeGreaterThan(5)
    for (const region of regions) expect(region).toEqual([0, 'region', expect.stringMatching(/./)])
  })

  it('is dark where the reader wants it, also when that changes while it is open', async () => {
    const { page } = await open({ ...LAPTOP, colorScheme: 'dark' })
    const colours = () => Promise.all([page.evaluate(BACKGROUND), page.evaluate(CORNER)])
    expect(await colours()).toEqual(['rgb(14, 18, 24)', '23,28,37,255'])
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(colours, UNHURRIED).toEqual(['rgb(244, 245, 248)', '255,255,255,255'])
  })
})

/** The wave on an account of 1,000 USDT, whose first round trip lost less than a cent. */
function smallReport(): BacktestReport {
  const report = waveReport(600)
  const [first, ...others] = report.roundTrips
  if (first === undefined) throw new Error('The wave has round trips.')
  const roundTrips = [{ ...first, pnl: amountOf('-0.0034') }, ...others]
  const { time, equity } = report.equity
  const curve = {
    ...report.equity,
    time,
    startEquity: 1000,
    equity: Array.from(equity, worth => worth - 9000),
  }
  const { markets, benchmark, fills, openPositions } = report
  const metrics = metricsOf({
    curve,
    ...(benchmark && { benchmark }),
    markets,
    roundTrips,
    fills,
    openPositions,
  })
  return { ...report, roundTrips, equity: curve, metrics }
}

describe.skipIf(!hasChromium())('money on the page of a small account', { timeout: 60_000 }, () => {
  const openReport = offlinePage(() => resultHtml(smallReport()))

  it('has two decimals in tiles, tables, lists and the legend of equity alike, and more only where it would vanish', async () => {
    const { page } = await openReport(LAPTOP)
    await page.waitForSelector('#price-chart[data-interval]')
    await page.getByRole('button', { name: 'Round trip ›' }).click()
    const body = await page.evaluate<string>('document.body.innerText')
    const named = [...body.matchAll(/(-?\d[\d,]*(?:\.\d+)?) USDT/g)].map(([, amount = '']) => amount)
    const cells = (selector: string) => page.locator(selector).allTextContents()
    const bare = [
      ...(await cells('.tile:has(dt:text("USDT")) dd:not(.note)')),
      ...(await cells('#trips tbody td:nth-child(9)')),
      ...(await cells('#trips tbody td:nth-child(10)')),
      ...(await cells('.breakdowns section:has(h3:text("From start")) td')),
    ]
    expect(named.length).toBeGreaterThan(30)
    expect(bare.length).toBeGreaterThan(50)
    const texts = [...new Set([...named, ...bare])]
    const unusual = texts.filter(text => !/^-?(\d{1,3},)*\d{1,3}\.\d\d$/.test(text))
    expect(unusual).toEqual(['-0.0034'])
    expect(texts).toContain('1,000.00')
  })
})
