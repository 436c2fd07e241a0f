import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../backtest/report/chromium.ts'
import { makeStudy } from '../research/large/made-study.ts'

const [given = ''] = new Command('shots')
  .description(
    'Takes pictures of every screen of the window of a trading bot, on a desk and on a phone, dark and light.',
  )
  .argument('<folder>', 'where the pictures are written')
  .parse().args

const SCREENS = ['overview', 'chart', 'orders', 'risk', 'research']
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const
/** Real time for which the bot trades before the first picture, ms; 120 minutes of its market each minute. */
const TRADED_MS = 40_000
const START = resolve(import.meta.dirname, '../../src/main.js')

const STRATEGY = `import { defineStrategy, enterLong, exit, sma } from ${JSON.stringify(resolve(import.meta.dirname, '../../src/strategy/index.ts'))}
export default defineStrategy({
  name: 'trend',
  indicators: () => ({ fast: sma(3), slow: sma(9) }),
  onKline(_kline, { position, indicators, plot }) {
    const [fast, slow] = [indicators.fast.value, indicators.slow.value]
    plot({ spread: fast - slow })
    if (position.direction === 'flat' && fast > slow)
      return enterLong({ trailingStop: { fraction: 0.002 }, takeProfit: { fraction: 0.01 }, tag: 'cross' })
    return position.direction === 'long' && fast < slow ? exit({ tag: 'cross' }) : undefined
  },
})
`

const folder = mkdtempSync(join(tmpdir(), 'sluice-shots-'))
const out = resolve(given)

function written(): string {
  const study = join(folder, 'study.sqlite')
  makeStudy(study, { trials: 300, days: 60 })
  const strategy = join(folder, 'trend.ts')
  writeFileSync(strategy, STRATEGY)
  const config = join(folder, 'bot.yaml')
  writeFileSync(
    config,
    `bot: demo
venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
risk: { limits: { maxNotional: 2000 } }
journal: { file: ${JSON.stringify(join(folder, 'record', 'bot.journal'))} }
comparison: { everyMs: 10000 }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
web: { study: ${JSON.stringify(study)} }
`,
  )
  return config
}

/** The value of a field in the first line of a process that has it. */
async function fieldOf(child: ChildProcess, field: string): Promise<string> {
  if (child.stdout === null) throw new Error('The process has no output.')
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes(`"${field}"`)) return JSON.parse(line)[field]
  throw new Error(`The process ended without a line with "${field}".`)
}

const sluice = (...args: readonly string[]) =>
  spawn(process.execPath, [START, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })

async function take(
  browser: Browser,
  url: string,
  device: keyof typeof DEVICES,
  colorScheme: 'dark' | 'light',
) {
  const context = await browser.newContext({ ...DEVICES[device], colorScheme })
  const page = await context.newPage()
  page.on('console', message => console.error(`${device} ${colorScheme}: ${message.text()}`))
  page.on('pageerror', error => console.error(`${device} ${colorScheme}: ${error.message}`))
  await page.goto(url)
  for (const screen of SCREENS) {
    await page.waitForSelector('nav a', { timeout: 120_000 })
    await page.click(`nav a[href="#${screen}"]`)
    await page.waitForSelector(`html[data-ready="${screen}"]`, { timeout: 120_000 })
    const why = page.locator('tr:has-text("ordered") button.link').first()
    if (screen === 'chart' && (await why.count()) > 0) await why.click()
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(out, `${screen}-${device}-${colorScheme}.png`), fullPage: true })
  }
  await context.close()
}

mkdirSync(out, { recursive: true })
const config = written()
const bot = sluice('start', '--config', config, '--json')
const browser = await launchChromium()
try {
  await fieldOf(bot, 'webUrl')
  bot.stdout?.resume()
  await new Promise(resolve => setTimeout(resolve, TRADED_MS))
  for (const device of ['desktop', 'phone'] as const)
    for (const colorScheme of ['dark', 'light'] as const) {
      const url = await fieldOf(sluice('bot', 'window', '--config', config, '--json'), 'webUrl')
      await take(browser, url, device, colorScheme)
    }
} finally {
  await browser.close()
  bot.kill('SIGTERM')
  await new Promise(resolve => bot.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}
