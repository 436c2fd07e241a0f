import { dirname, join } from 'node:path'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resultHtml } from '../../backtest/report/result-html.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { offlinePage } from '../backtest/report/offline-page.ts'
import { sampleReport } from '../backtest/report/sample-report.ts'
import { fileWith, SluiceProcess } from './sluice-process.ts'

const SCREENS = ['overview', 'chart', 'orders', 'risk', 'research']
/** What axe finds serious, with the first place of each; text, because the types of a browser are not those of Node. */
const FINDINGS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes[0].html + ' (' + nodes[0].failureSummary + ')'))`

function configured(): string {
  const config = fileWith('bot.yaml', '')
  const folder = dirname(config)
  return fileWith(
    'bot.yaml',
    `bot: demo
venue: { type: simulated, speed: 120 }
strategies:
  - { file: strategies/sma-cross.ts, symbol: BTC/USDT, interval: 1m, parameters: { fast: 1, slow: 3 }, size: { quote: 2000 } }
risk: { limits: { maxNotional: 5000 } }
journal: { file: ${JSON.stringify(join(folder, 'bot.journal'))} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
comparison: { everyMs: 1000 }
web: {}
`,
  )
}

describe.skipIf(!hasChromium())('the window of a trading bot', { timeout: 240_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  it('has nothing serious for axe on any screen, in light and in dark', async () => {
    const config = configured()
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
    await bot.line('live beside the backtest')
    const findings: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const asked = new SluiceProcess(['src/main.js', 'bot', 'window', '--config', config, '--json'])
      const context = await browser.newContext({ colorScheme })
      const page = await context.newPage()
      await page.goto(JSON.parse(await asked.line('webUrl')).webUrl)
      await page.waitForSelector('html[data-ready="overview"]')
      await page.evaluate(axe.source)
      for (const screen of SCREENS) {
        await page.click(`nav a[href="#${screen}"]`)
        await page.waitForSelector(`html[data-ready="${screen}"]`)
        const found = (await page.evaluate(FINDINGS)) as readonly string[] // the text above makes a list of texts
        findings.push(...found.map(one => `${colorScheme} ${screen}: ${one}`))
      }
      await page.click('nav a[href="#chart"]')
      await page.waitForSelector('html[data-ready="chart"]')
      await page.click('tr:has-text("enter long") button.link')
      await page.locator('article.why').waitFor()
      const found = (await page.evaluate(FINDINGS)) as readonly string[] // as above
      findings.push(...found.map(one => `${colorScheme} why: ${one}`))
      await context.close()
    }
    expect(findings).toEqual([])
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
  })
})

describe.skipIf(!hasChromium()).each([
  ['most', '[role="alert"] li', { orders: 1 }],
  ['a few', '.cautions li', {}],
])('a report of which %s of the orders were denied', { timeout: 120_000 }, (_share, sentence, more) => {
  const open = offlinePage(() => resultHtml({ ...sampleReport(), ...more }))

  it('has nothing for axe, with what it says of that at its head', async () => {
    const { page } = await open()
    await page.evaluate(axe.source)
    expect(await page.locator(sentence).count()).toBeGreaterThan(0)
    const found = `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`
    expect(await page.evaluate(found)).toEqual([])
  })
})
