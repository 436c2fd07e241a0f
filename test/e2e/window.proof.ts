import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { fileWith, ROOT, SluiceProcess } from './sluice-process.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  colorScheme: 'dark',
} as const
const HOSTILE = '<img src=x onerror="document.title=1">'
const SCREENS = ['overview', 'chart', 'orders', 'risk', 'research']
const AUDITED = 'td:text-is("a drill of kill")'
/** What runs in the page is text here, because the types of a browser are not those of Node. */
const OVERFLOW = 'document.documentElement.scrollWidth - window.innerWidth'
const COMPRESSED = `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .reduce((sum, { encodedBodySize, name }) => sum + (name.includes('/api/') ? 0 : encodedBodySize), 0)`

/** Files of a bot that always holds, with a stop-loss, an indicator, and a tag that is markup. */
function written() {
  const strategy = fileWith(
    'holder.ts',
    `import { defineStrategy, enterLong, sma } from ${JSON.stringify(join(ROOT, 'src/strategy/index.ts'))}
export default defineStrategy({
  name: 'holder',
  indicators: () => ({ average: sma(3) }),
  onKline: (_kline, { position }) =>
    position.direction === 'flat' ? enterLong({ stopLoss: { fraction: 0.5 }, tag: ${JSON.stringify(HOSTILE)} }) : undefined,
})
`,
  )
  const folder = dirname(strategy)
  const file = join(folder, 'record', 'bot.journal')
  const config = fileWith(
    'bot.yaml',
    `bot: demo
venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
risk: { limits: { maxNotional: 2000 } }
journal: { file: ${JSON.stringify(file)} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
web: {}
`,
  )
  return { config, file }
}

const urlIn = (line: string | undefined): string => JSON.parse(line ?? '{}').webUrl

describe.skipIf(!hasChromium())('the window of a bot in a process of its own', { timeout: 120_000 }, () => {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  })

  afterAll(() => browser.close())

  async function open(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext(options)
    contexts.push(context)
    const page = await context.newPage()
    page.on('console', message => complaints.push(`console: ${message.text()}`))
    page.on('pageerror', error => complaints.push(`error: ${error.message}`))
    page.on('request', request => {
      if (new URL(request.url()).host !== new URL(url).host && !request.url().startsWith('data:'))
        complaints.push(`request: ${request.url()}`)
    })
    await page.goto(url)
    return page
  }

  const show = async (page: Page, screen: string) => {
    await page.click(`nav a[href="#${screen}"]`)
    await page.waitForSelector(`html[data-ready="${screen}"]`)
  }

  async function command(page: Page, name: string, confirm?: string) {
    await page.click(`.commands button:text-is("${name}")`)
    await page.fill('#command-reason', `a drill of ${name}`)
    if (confirm !== undefined) await page.fill('#command-confirm', confirm)
    await page.click('dialog button[type=submit]')
  }

  it('shows all screens, follows a why, is stopped by its page, and shows its journal when it has ended', async () => {
    const { config, file } = written()
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
    await bot.line('"purpose":"stopLoss"')
    // The link of the start may be too old by now.
    const asked = new SluiceProcess(['src/main.js', 'bot', 'window', '--config', config, '--json'])
    const url = urlIn(await asked.line('webUrl'))
    expect(new URL(urlIn(bot.lines[1])).origin).toBe(new URL(url).origin)

    const page = await open(url)
    await page.waitForSelector('html[data-ready="overview"]')
    expect(page.url()).not.toContain('login')
    expect(await page.evaluate(COMPRESSED)).toBeLessThan(300_000)
    for (const screen of SCREENS) await show(page, screen)

    await show(page, 'chart')
    await page.locator('tr:has-text("enter long"):has-text("ordered") button.link').last().click()
    const why = page.locator('article.why')
    await why.waitFor()
    // The chart of the report: indicators by name at the crosshair, the stop of the position, and spans to choose.
    await page.locator('.chart').hover({ position: { x: 200, y: 100 }, force: true })
    await page.locator('.legend:has-text("volume") [data-series="average"]').waitFor()
    expect(await page.locator('.legend').innerText()).toMatch(/Klines of 1m · .+ close [\d,.]+/)
    expect(await page.locator('.ranges button').last().innerText()).toBe('All')
    const text = await why.innerText()
    for (const part of [
      'The 1m kline of BTC/USDT closed at',
      'average',
      `tag ${HOSTILE}`,
      'risk.limits.maxNotional',
      '2,000.00 USDT',
      'accepted by the exchange',
      'filled',
      'stop-loss',
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/\d+ ms/)
    expect(await page.locator('main img').count()).toBe(0)

    // A hold of one instrument is told beside the mode of the account.
    const reduce = ['src/main.js', 'bot', 'reduce', 'BTC/USDT', '--reason', 'news', '--config', config]
    expect(await new SluiceProcess(reduce).exitCode).toBe(0)
    await show(page, 'risk')
    await show(page, 'overview')
    expect(await page.locator('.tiles').innerText()).toMatch(
      /active, BTC.USDT reducing\s+The operator .+: news/,
    )
    expect(await page.locator('[aria-label="Strategies"]').innerText()).toContain('reducing')

    await show(page, 'risk')
    await command(page, 'pause')
    await page.locator('td:has-text("reducing")').first().waitFor()
    await command(page, 'kill', 'another')
    await page.locator('dialog [role=alert]:has-text("type the name of the bot: demo")').waitFor()
    await page.fill('#command-confirm', 'demo')
    await page.click('dialog button[type=submit]')
    await page.locator('td:has-text("halted")').first().waitFor()
    await page.locator(AUDITED).waitFor()
    // Eight seconds of the venue are less than one of a busy machine.
    expect(await page.locator(`tr:has(${AUDITED})`).innerText()).toMatch(
      /operate at 127\.0\.0\.1\s+window\s+(Closed|Still being closed): LONG/,
    )
    // A closing that is not over yet is said in the form, which stays.
    await page
      .locator('dialog:not([open]), dialog [role=alert]:has-text("Still being closed")')
      .first()
      .waitFor({ state: 'attached' })
    if (await page.locator('dialog[open]').isVisible()) await page.click('dialog button:has-text("Not now")')
    await show(page, 'overview')
    expect(await page.locator('.tiles').innerText()).toContain('halted')
    await page.click('button:has-text("Log out")')
    await page.waitForSelector('html[data-ready="login"]')

    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
    expect(bot.err).toBe('')
    const list = async (name: string) => {
      const listed = new SluiceProcess(['src/main.js', 'bot', name, '--config', config, '--last', '100'])
      expect(await listed.exitCode).toBe(0)
      return listed.out
    }
    expect(await list('trades')).toMatch(
      /BTC.USDT LONG [\d.]+ BTC from [\d.,]+ to [\d.,]+: [+-]?[\d.,]+ USDT after fees of .+ USDT \(operator's command\)/,
    )
    expect(await list('orders')).toMatch(/SELL [\d.]+ BTC, market, operator's command: filled/)
    expect(await list('log')).toContain('signal of holder: enter long')
    const journal = new SluiceProcess(['src/main.js', 'view', file, '--json'])
    const past = await open(urlIn(await journal.line('webUrl')), PHONE)
    await past.waitForSelector('html[data-ready="overview"]')
    expect(await past.locator('#state').innerText()).toContain('journal')
    expect(await past.locator('button.stop').count()).toBe(0)
    expect(Number(await past.evaluate(OVERFLOW))).toBeLessThanOrEqual(0)
    await show(past, 'risk')
    expect(Number(await past.evaluate(OVERFLOW))).toBeLessThanOrEqual(0)
    await past.locator(AUDITED).waitFor()
    await show(past, 'chart')
    await past.locator('tr:has-text("enter long") button.link').last().click()
    await past.locator('article.why').waitFor()
    expect(await past.locator('article.why').innerText()).toContain('passed')
    // A page that is left open would look for its server.
    await past.close()
    journal.signal('SIGTERM')
    expect(await journal.exitCode).toBe(0)

    const copy = join(dirname(file), 'copy.journal')
    expect(await new SluiceProcess(['src/main.js', 'backup', file, copy]).exitCode).toBe(0)
    // A journal that is not there takes no other away.
    const both = new SluiceProcess(['src/main.js', 'view', file, copy, `${copy}.none`, '--json'])
    const several = await open(urlIn(await both.line('webUrl')), PHONE)
    await several.waitForSelector('html[data-ready="overview"]')
    expect(await several.locator('[aria-label="Bots"] tbody tr').count()).toBe(2)
    const read: string[] = []
    several.on('request', request => read.push(request.url()))
    await several.selectOption('#bot', '1')
    await show(several, 'orders')
    expect(read.some(url => url.endsWith('/api/views/orders?bot=1'))).toBe(true)
    expect(await several.locator('a[download]').first().getAttribute('href')).toContain('bot=1')
    expect(Number(await several.evaluate(OVERFLOW))).toBeLessThanOrEqual(0)
    await several.close()
    both.signal('SIGTERM')
    expect(await both.exitCode).toBe(0)
    // A browser notes in its console that a session is missing, and that a command was refused.
    expect(complaints.filter(line => !/status of 40[01]/.test(line))).toEqual([])
  })
})
