import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { fileWith, SluiceProcess } from './sluice-process.ts'
import { TRIPPER } from './tripper.ts'

/** The tripper, who trades only once two klines have closed, because a report begins with the first. */
const LATER = TRIPPER.replace(
  "step: 'enter' }),",
  "step: 'enter', klines: 0 }),\n  onKline(_kline, { state }) {\n    state.klines++\n  },",
).replace('if (bid === undefined)', 'if (bid === undefined || state.klines < 2)')
const OVERFLOW = 'document.documentElement.scrollWidth - window.innerWidth'

/** Files of a bot that makes one round trip and leaves a bid behind. */
function written() {
  const strategy = fileWith('tripper.ts', LATER)
  const folder = dirname(strategy)
  const journal = join(folder, 'bot.journal')
  const config = fileWith(
    'bot.yaml',
    `bot: demo
venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(journal)} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
`,
  )
  return { config, journal, html: join(folder, 'report.html') }
}

async function run(...args: readonly string[]) {
  const process = new SluiceProcess(['src/main.js', 'report', ...args])
  return { exitCode: await process.exitCode, out: process.out, err: process.err }
}

describe.skipIf(!hasChromium())('npm run report', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  it('writes the page of a bot while it runs and after it was killed, which opens without a word of complaint', async () => {
    const { config, journal, html } = written()
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
    await bot.line('"msg":"round trip closed"')
    await bot.line('"msg":"kline"')
    const running = await run(journal, '--html', html)
    expect(running).toMatchObject({ exitCode: 0, err: '' })
    expect(running.out).toMatch(
      /^demo, .+: 10,000\.00 USDT became [\d,.]+ USDT \(-?[\d.]+%\) in 1 round trip \(2 fills\); 0 positions are open\.\nWritten to /,
    )
    bot.signal('SIGKILL')
    expect(await bot.exitCode).toBeNull()
    expect(await run(journal, '--html', html)).toMatchObject({ exitCode: 0, err: '' })

    const complaints: string[] = []
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(`file://${html}`)
    await page.waitForSelector('html[data-ready="true"]')
    expect(await page.locator('h1').innerText()).toBe('demo: tripper on BTC/USDT 1m')
    expect(await page.locator('#trips tbody tr').count()).toBe(1)
    // Trading was real, so that no path inside a kline is assumed.
    expect(await page.locator('#trips th').last().innerText()).toContain('Tag')
    expect(await page.locator('#price-legend').innerText()).toContain('1 round trip in view')
    expect(await page.locator('main').innerText()).toContain('From start to final equity')
    expect(Number(await page.evaluate(OVERFLOW))).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    await page.close()
  })
})
