import { describe, expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { JournalWindow } from '../../src/web/sources/journal-window.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import { afterTest } from '../after-test.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { JournalLoad, loadFlipper } from '../bench/journal/journal-load.ts'
import { BOT, BotSession } from '../bot/bot-session.ts'
import { flipper } from '../bot/test-strategies.ts'
import { journalPath } from '../journal/journal-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { ServedWindow } from './served-window.ts'

const KEEP_ENTRIES = 2500

// biome-ignore lint/suspicious/noExplicitAny: the shape of each view is what a test looks at
const read = async (window: Pick<LiveWindow, 'read'>, view: string): Promise<any> => window.read(view, {})

/**
 * A journal that has dropped the oldest of 800 round trips. Each buys 0.1 BTC at an odd kline and sells at the next:
 * its price is 1 higher, but for every fiftieth round trip, where it is 99 lower.
 */
async function shown() {
  const path = journalPath()
  const journal = new Journal(path, { keepEntries: KEEP_ENTRIES })
  const load = await JournalLoad.begin(journal, 1000)
  for (let kline = 0; kline < 1600; kline++) load.step()
  journal.close()
  const window = await JournalWindow.open(path, loadFlipper)
  afterTest(() => window.close())
  return { path, window }
}

describe('round trips of a bot with more of them than its journal has entries for', () => {
  it('are all counted, exactly', async () => {
    const { path, window } = await shown()
    const reader = new JournalReader(path)
    const [first] = reader.entries()
    // Five entries a kline.
    expect(reader.lastSeq).toBeGreaterThan(8000)
    expect(first?.seq).toBeGreaterThan(4000)
    reader.close()
    const view = await read(window, 'orders')
    expect(view.trips).toHaveLength(200)
    // 784 × 0.1 = 78.4 won, 16 × 9.9 = 158.4 lost: -80, over 800 -0.1. The first kline closes in the first minute.
    expect(view.roundTrips.since).toBe('2026-01-01T00:01:00.000Z')
    expect(view.roundTrips.totals).toEqual([
      {
        ...{ quote: 'USDT', count: 800, won: 784, pnl: '-80', average: '-0.1' },
        ...{ best: '0.1', worst: '-9.9', gained: '78.4', lost: '158.4' },
      },
    ])
    expect(view.tripCount.all).toBe(800)
    const rows =
      String((await window.file('trips.csv'))?.content)
        .trimEnd()
        .split('\n').length - 1
    expect(view.tripCount.kept).toBe(rows)
    // 1600 minutes are a day and 160 minutes: 80 round trips.
    const { status } = await read(window, 'overview')
    expect(status.roundTrips.today).toMatchObject([{ book: 'BTC/USDT', quote: 'USDT', count: 80 }])
  })

  it.skipIf(!hasChromium())(
    'are all counted in the page, whose table says which of them it shows',
    { timeout: 60_000 },
    async () => {
      const { window } = await shown()
      const browser = await launchChromium()
      afterTest(() => browser.close())
      const served = await ServedWindow.open()
      served.server.serve(window)
      const page = await browser.newPage()
      await page.goto(served.server.loginUrl('read'))
      await page.waitForSelector('html[data-ready="overview"]')
      expect(await page.locator('[aria-label="Strategies"] tbody tr td').nth(4).innerText()).toBe('80')
      await page.click('nav a[href="#research"]')
      await page.waitForSelector('html[data-ready="research"]')
      const figures = await page.locator('section:has(h2:text-is("Round trips so far"))').innerText()
      for (const figure of ['2026-01-01 00:01:00', '800', '98.0%', '-80.00 USDT', '0.49'])
        expect(figures).toContain(figure)
      await page.click('nav a[href="#orders"]')
      await page.waitForSelector('html[data-ready="orders"]')
      expect(await page.locator('main').innerText()).toMatch(
        /The latest 200 of 800; the latest \d{3} in the CSV\./,
      )
    },
  )
})

describe('round trips of a bot that was started again', () => {
  it('are counted from the beginning of its journal, whatever of its entries a window remembers', async () => {
    const journal = new Journal(journalPath())
    const session = new BotSession({ strategy: flipper, journal })
    await session.start()
    await session.run(6 * MINUTE)
    const before = (await session.status()).roundTrips
    await session.leave(MINUTE)
    expect(before.totals[0]?.count).toBeGreaterThan(0)
    const window = new LiveWindow({ bot: BOT, serverNow: () => session.clock.now() })
    const again = new BotSession({ strategy: flipper, journal, beside: session, observer: window.observer })
    const bot = await again.create()
    window.show(bot)
    bot.start(error => again.failures.push(error))
    await again.run(1000)
    const view = await read(window, 'orders')
    expect(view.trips).toEqual([])
    expect(view.roundTrips).toEqual(before)
    await again.run(4 * MINUTE)
    const after = await read(window, 'orders')
    expect(after.roundTrips.totals[0].count).toBe((before.totals[0]?.count ?? 0) + after.trips.length)
    expect(after.trips.length).toBeGreaterThan(0)
    expect(after.roundTrips.today[0].count).toBe(after.roundTrips.totals[0].count)
    journal.close()
  })
})
