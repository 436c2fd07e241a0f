import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { NewEntry } from '../../src/journal/journal.ts'
import { defineStrategy } from '../../src/strategy/index.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import { afterTest } from '../after-test.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { BOT, BotSession } from '../bot/bot-session.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { ServedWindow } from './served-window.ts'

const idler = defineStrategy({ name: 'idler', onKline: () => undefined })
const EURO = { ...SPOT_BTC, symbol: 'BTC/EUR', quote: 'EUR' }
const SESSION = { instruments: [SPOT_BTC, EURO], strategies: [] }

function tripEntry(symbol: string, pnl: string, minute: number): NewEntry {
  const time = START + minute * MINUTE
  const roundTrip = {
    ...{
      symbol,
      book: symbol,
      direction: 'long',
      quantity: steps(10),
      pnl: amountOf(pnl),
      fees: amountOf('0.1'),
    },
    ...{ entryTime: time - MINUTE, entryPrice: ticks(10_000), exitTime: time, exitPrice: ticks(10_000) },
    ...{ entryReason: 'entry', exitReason: 'exit' },
  }
  return {
    kind: 'event',
    time,
    body: { type: 'pricesSeen' },
    decisions: [{ type: 'roundTripClosed', roundTrip }],
  }
}

/** A bot that remembers 2,600 round trips in USDT, of which every fourth won 3.00 and the others lost 1.50, and one in EUR. */
async function shown() {
  let session: BotSession | undefined
  const window = new LiveWindow({ bot: BOT, serverNow: () => session?.clock.now() ?? 0 })
  const entries = Array.from({ length: 2600 }, (_, at) =>
    tripEntry('BTC/USDT', at % 4 === 0 ? '3' : '-1.5', at + 1),
  )
  window.remember([
    { kind: 'session', time: START, body: SESSION },
    ...entries,
    tripEntry('BTC/EUR', '0.1', 2601),
  ])
  session = new BotSession({ strategy: idler, observer: window.observer })
  const bot = await session.create()
  window.show(bot)
  bot.start(error => session?.failures.push(error))
  await session.run(2 * MINUTE)
  return window
}

describe('round trips of a bot with more of them than a table shows', () => {
  it('are all counted, by quote asset, and exactly', async () => {
    const window = await shown()
    // biome-ignore lint/suspicious/noExplicitAny: the shape of each view is what a test looks at
    const view: any = await window.read('orders', {})
    expect(view.trips).toHaveLength(200)
    expect(view.since).toBe(START + MINUTE)
    // 650 × 3 = 1950 won, 1950 × 1.5 = 2925 lost: -975, over 2600 -0.375.
    expect(view.tripTotals).toEqual([
      {
        ...{ quote: 'USDT', count: 2600, won: 650, pnl: '-975', average: '-0.375' },
        ...{ best: '3', worst: '-1.5', gained: '1950', lost: '2925' },
      },
      {
        ...{ quote: 'EUR', count: 1, won: 1, pnl: '0.1', average: '0.1' },
        ...{ best: '0.1', worst: '0.1', gained: '0.1', lost: '0' },
      },
    ])
    expect(view.tripCount.all).toBe(2601)
    const rows =
      String((await window.file('trips.csv'))?.content)
        .trimEnd()
        .split('\n').length - 1
    expect(view.tripCount.kept).toBe(rows)
    expect(view.overCount).toEqual({ all: 0, kept: 0 })
  })

  describe.skipIf(!hasChromium())('in the page', { timeout: 60_000 }, () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await launchChromium()
    })

    afterAll(() => browser.close())

    it('are all counted under Research, and the table says which of them it shows', async () => {
      const source = await shown()
      const window = await ServedWindow.open()
      window.server.serve(source)
      const page = await browser.newPage()
      afterTest(() => page.close())
      await page.goto(window.server.loginUrl('read'))
      await page.waitForSelector('html[data-ready="overview"]')
      await page.click('nav a[href="#research"]')
      await page.waitForSelector('html[data-ready="research"]')
      const figures = await page.locator('section:has(h2:text-is("Round trips so far"))').innerText()
      for (const figure of ['2,600', '25.0%', '-975.00 USDT', '0.67', '+0.100 EUR', 'no loss yet'])
        expect(figures).toContain(figure)
      await page.click('nav a[href="#orders"]')
      await page.waitForSelector('html[data-ready="orders"]')
      expect(await page.locator('main').innerText()).toMatch(
        /The latest 200 of 2,601; the latest 2,\d{3} in the CSV\./,
      )
    })
  })
})
