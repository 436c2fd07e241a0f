import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import { Command } from 'commander'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { wholeNumberOption } from '../../src/cli/option-values.ts'
import { webField } from '../../src/config/web-field.ts'
import { Journal } from '../../src/journal/journal.ts'
import { startWebServer, type WebServer } from '../../src/web/server/web-server.ts'
import { JournalWindow } from '../../src/web/sources/journal-window.ts'
import { launchChromium } from '../backtest/report/chromium.ts'
import { JournalLoad, loadFlipper } from '../bench/journal/journal-load.ts'
import { median } from '../bench/median.ts'
import { quantile } from '../bench/quantile.ts'

const { klines: KLINES, days: DAYS } = new Command('measure-window')
  .description(
    'Measures the window of a bot in Chromium: first view, weight, frames while panning, memory over days.',
  )
  .option(
    '--klines <number>',
    'klines that the bot has decided on, each with an order and a fill',
    wholeNumberOption(2000),
    500_000,
  )
  .option('--days <number>', 'days for which the page stays open, 1440 klines each', wholeNumberOption(1), 4)
  .parse()
  .opts<{ klines: number; days: number }>()

/** Defaults of the configuration of a journal. */
const [SNAPSHOT_ENTRIES, KEEP_ENTRIES] = [10_000, 1_000_000]
const DAY_KLINES = 1440
const ROUNDS = 5
const SCREENS = ['overview', 'chart', 'orders', 'risk', 'research']
const PAN_MS = 4000
const MB = 1e6

// Code of the page is text: types of a browser are not those of Node.
/** Time from the begin of the navigation until a screen is ready, ms. */
const READY = `new Promise(resolve => {
  const look = () => document.documentElement.dataset.ready === 'SCREEN' ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
})`
const WEIGHT = `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .reduce((sum, { encodedBodySize, name }) => sum + (name.includes('/api/') ? 0 : encodedBodySize), 0)`
const COUNT_FRAMES = `{
  globalThis.frames = []
  const next = time => { globalThis.frames.push(time); requestAnimationFrame(next) }
  requestAnimationFrame(next)
}`

const table = new Table({ head: ['what', 'measured', 'wanted'] })
const folder = mkdtempSync(join(tmpdir(), 'sluice-measure-'))
const journal = new Journal(join(folder, 'bot.journal'), { keepEntries: KEEP_ENTRIES })
const browser = await launchChromium()
try {
  const load = await JournalLoad.begin(journal, SNAPSHOT_ENTRIES)
  for (let kline = 0; kline < KLINES; kline++) load.step()
  const opened = performance.now()
  const window = await JournalWindow.open(join(folder, 'bot.journal'), loadFlipper)
  const opening = (performance.now() - opened) / 1000
  const server = await startWebServer({ ...webField.parse({}), onError: error => console.error(error) })
  server.serve(window)
  table.push([`journal of ${KLINES} klines opened`, `${opening.toFixed(1)} s`, ''])
  await measureViews(browser, server)
  await measureFrames(browser, server)
  await measureMemory(browser, server, () => {
    for (let kline = 0; kline < DAY_KLINES; kline++) load.step()
  })
  await server.close()
  window.close()
} finally {
  await browser.close()
  journal.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(table.toString())

/** First views by a fresh link each, with an empty cache, and the other screens from there. */
async function measureViews(chromium: Browser, server: WebServer): Promise<void> {
  const firsts: number[] = []
  const others = new Map<string, number[]>()
  let weight = 0
  for (let round = 0; round < ROUNDS; round++) {
    const page = await pageOf(chromium)
    await page.goto(server.loginUrl('read'), { waitUntil: 'commit' })
    firsts.push(Number(await page.evaluate(READY.replace('SCREEN', 'overview'))))
    weight = Number(await page.evaluate(WEIGHT))
    for (const screen of SCREENS.slice(1)) {
      const started = performance.now()
      await show(page, screen)
      others.set(screen, [...(others.get(screen) ?? []), performance.now() - started])
    }
    await page.context().close()
  }
  table.push(['first view, median of five', `${median(firsts).toFixed(0)} ms`, '1000 ms'])
  table.push(['first view, slowest of five', `${Math.max(...firsts).toFixed(0)} ms`, '1000 ms'])
  for (const [screen, times] of others)
    table.push([`screen ${screen}, median`, `${median(times).toFixed(0)} ms`, ''])
  table.push(['page, compressed', `${(weight / 1000).toFixed(0)} KB`, '300 KB'])
}

/** Frames while the chart is dragged to and fro. */
async function measureFrames(chromium: Browser, server: WebServer): Promise<void> {
  const page = await pageOf(chromium)
  await page.goto(server.loginUrl('read'))
  await show(page, 'chart')
  await page.locator('.ranges button').last().click()
  const box = await page.locator('.chart').boundingBox()
  if (box === null) throw new Error('There is no chart.')
  const [middle, width, height] = [box.x + box.width / 2, box.width / 3, box.y + 150]
  const session = await page.context().newCDPSession(page)
  // Time of the processor: on a busy machine a frame waits for others as well.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.mouse.move(middle, height)
  await page.mouse.down()
  await page.evaluate(COUNT_FRAMES)
  const before = await taskSeconds(session)
  const started = performance.now()
  while (performance.now() - started < PAN_MS) {
    const phase = ((performance.now() - started) / 1000) * Math.PI
    await page.mouse.move(middle + width * Math.sin(phase), height)
  }
  const busy = (await taskSeconds(session)) - before
  const frames = (await page.evaluate('globalThis.frames')) as readonly number[]
  await page.mouse.up()
  await page.context().close()
  const gaps = frames.slice(1).map((time, place) => time - (frames[place] as number)) // one before each
  const rate = (1000 * gaps.length) / ((frames.at(-1) ?? 0) - (frames[0] ?? 0))
  table.push(['frames a second while panning 1000 klines', rate.toFixed(1), '60'])
  table.push(['longest of 95% of the frames', `${quantile(gaps, 0.95).toFixed(1)} ms`, '17 ms'])
  table.push([
    'processor time of the page for a frame',
    `${((1000 * busy) / gaps.length).toFixed(1)} ms`,
    '16.7 ms',
  ])
}

/** Heaps of a page that shows all screens in turn and stays on the chart, and of the process that serves it, day after day. */
async function measureMemory(chromium: Browser, server: WebServer, day: () => void): Promise<void> {
  const page = await pageOf(chromium)
  page.on('console', message => table.push(['console', message.text(), 'silence']))
  page.on('pageerror', error => table.push(['error', error.message, 'silence']))
  await page.goto(server.loginUrl('read'))
  const session = await page.context().newCDPSession(page)
  for (let days = 0; days <= DAYS; days++) {
    if (days > 0) day()
    for (const screen of [...SCREENS, 'chart']) {
      await show(page, screen)
      await page.waitForTimeout(1500)
    }
    globalThis.gc?.()
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { nodes } = await session.send('Memory.getDOMCounters')
    table.push([
      `after ${days} days`,
      `page ${(usedSize / MB).toFixed(2)} MB, ${nodes} nodes; server and bot ${(process.memoryUsage().heapUsed / MB).toFixed(1)} MB`,
      'no growth',
    ])
  }
  await page.context().close()
}

async function pageOf(chromium: Browser): Promise<Page> {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } })
  return context.newPage()
}

async function show(page: Page, screen: string): Promise<void> {
  await page.click(`nav a[href="#${screen}"]`)
  await page.waitForSelector(`html[data-ready="${screen}"]`)
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}
