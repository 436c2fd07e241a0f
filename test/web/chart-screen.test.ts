import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineStrategy } from '../../src/strategy/index.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import { afterTest } from '../after-test.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { BOT, BotSession } from '../bot/bot-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { ServedWindow } from './served-window.ts'

const idler = defineStrategy({ name: 'idler', onKline: () => undefined })

describe.skipIf(!hasChromium())('the chart screen', { timeout: 60_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser.close())

  /** A bot five minutes after its start, an empty page, and the address at which the page is logged in to its window. */
  async function served() {
    let session: BotSession | undefined
    const shown = new LiveWindow({ bot: BOT, serverNow: () => session?.clock.now() ?? 0 })
    session = new BotSession({ strategy: idler, observer: shown.observer })
    const bot = await session.create()
    shown.show(bot)
    bot.start(error => session?.failures.push(error))
    await session.run(5 * MINUTE)
    const window = await ServedWindow.open()
    window.server.serve(shown)
    const page = await browser.newPage()
    afterTest(() => page.close())
    return { session, page, url: window.server.loginUrl('read') }
  }

  it('draws nothing of an answer that comes when another screen is shown', async () => {
    const { session, page, url } = await served()
    const complaints: string[] = []
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(url)
    await page.waitForSelector('html[data-ready="overview"]')
    await page.click('nav a[href="#chart"]')
    await page.waitForSelector('html[data-ready="chart"]')
    // The next answer for the chart is held until the overview is shown.
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/views/chart*', async route => {
      asked.resolve()
      await held.promise
      await route.continue()
      answered.resolve()
    })
    await session.run(MINUTE)
    await asked.promise
    await page.click('nav a[href="#overview"]')
    await page.waitForSelector('html[data-ready="overview"]')
    const drawn = page.waitForResponse('**/api/views/chart*')
    held.resolve()
    await answered.promise
    await (await drawn).finished()
    await page.evaluate('new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 100)))')
    expect(await page.locator('#state').innerText()).toBe('Live; you may look.')
    expect(complaints).toEqual([])
  })

  it('says so where a screen is chosen while the bot does not answer, and reads it once it does', async () => {
    const { session, page, url } = await served()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(error.message))
    await page.goto(url)
    await page.waitForSelector('html[data-ready="overview"]')
    await page.route('**/api/views/**', route => route.abort())
    await page.click('nav a[href="#orders"]')
    await page.waitForSelector('html[data-ready="orders"]')
    expect(await page.locator('#unread').innerText()).toBe(
      'The bot does not answer: this screen is read once it does.',
    )
    await page.unroute('**/api/views/**')
    await session.run(MINUTE)
    await page.locator('#unread').waitFor({ state: 'detached' })
    expect(await page.locator('#main').innerText()).toContain('Nothing is held.')
    expect(errors).toEqual([])
  })
})
