import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { viewText } from '../../src/observe/telegram/telegram-views.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import type { WindowSource } from '../../src/web/window-source.ts'
import { afterTest } from '../after-test.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { shadedEdges } from '../backtest/report/shaded-edges.ts'
import { BOT, BotSession, type BotSessionOptions } from '../bot/bot-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { ServedWindow } from './served-window.ts'

/** Buys twice, and gives a stop-loss to the first entry only. */
const halfCovered = defineStrategy({
  name: 'half',
  onKline: (_kline, { position }) => {
    if (position.direction === 'flat')
      return enterLong({ stopLoss: 90, takeProfit: 150, tag: 'the-fast-average-crossed-the-slow-one' })
    return position.quantity < 1.5 ? enterLong({ scaleIn: true }) : undefined
  },
})

/** A cell of a table: its width beside that of its text on one line, both px, and its number of lines. */
interface Cell {
  readonly text: string
  readonly natural: number
  readonly width: number
  readonly lines: number
}
/** The cells of the table of a name; text, because the types of a browser are not those of Node. */
const CELLS = `name => [...document.querySelectorAll('[aria-label="' + name + '"] td')].map(cell => {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom, lineHeight } = getComputedStyle(cell)
  const probe = document.createElement('span')
  probe.style.cssText = 'position:absolute;white-space:nowrap'
  probe.textContent = cell.innerText
  cell.append(probe)
  const natural = probe.offsetWidth
  probe.remove()
  const width = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  const height = cell.parentElement.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)
  return { text: cell.innerText, natural, width, lines: Math.round(height / parseFloat(lineHeight)) }
})`

describe.skipIf(!hasChromium())('the screens of a window', { timeout: 60_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser.close())

  async function shown(options: Partial<BotSessionOptions> = {}) {
    let session: BotSession | undefined
    const source = new LiveWindow({ bot: BOT, serverNow: () => session?.clock.now() ?? 0 })
    session = new BotSession({ strategy: halfCovered, ...options, observer: source.observer })
    const bot = await session.create()
    source.show(bot)
    bot.start(error => session?.failures.push(error))
    await session.run(5 * MINUTE)
    const { page, window } = await opened(source)
    await page.waitForSelector('html[data-ready="overview"]')
    return { session, bot, page, source, window }
  }

  async function opened(source: WindowSource, login = true) {
    const window = await ServedWindow.open()
    window.server.serve(source)
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    afterTest(() => page.close())
    await page.goto(login ? window.server.loginUrl('operate') : window.url)
    return { window, page }
  }

  it('say which part of a position no stop covers, as does Telegram', async () => {
    const { page, bot } = await shown()
    // Two entries of 1 BTC less a fee of 0.1% in base.
    expect(await page.locator('[aria-label="Positions"]').innerText()).toContain(
      '90.00 for 0.99900 of 1.99800 BTC; not covered: 0.99900 BTC',
    )
    await page.click('nav a[href="#orders"]')
    await page.waitForSelector('html[data-ready="orders"]')
    expect(await page.locator('[aria-label="Positions and their protection"]').innerText()).toContain(
      'no, not 0.99900 BTC',
    )
    const text = await viewText('positions', {
      operate: request => bot.operate(request),
      latest: () => [],
      result: () => '',
    })
    expect(text).toContain('stop-loss 90.00 (0.999 BTC), take-profit 150.00 (0.999 BTC)')
    expect(text).toContain('; not covered by a stop: 0.999 BTC')
  })

  it('print no decision over another column, and no denial out of sight', async () => {
    const { page } = await shown({ risk: { limits: { maxNotional: amountOf('50') } } })
    await page.click('nav a[href="#chart"]')
    await page.waitForSelector('html[data-ready="chart"]')
    const scroller = page.locator('[aria-label="Decisions"]')
    const row = scroller.locator('tbody tr').first()
    expect(await row.innerText()).toContain('risk.limits.maxNotional')
    const signal = await row.locator('td').nth(4).locator('span').boundingBox()
    const outcome = await row.locator('td').nth(5).locator('span').boundingBox()
    const frame = await scroller.boundingBox()
    if (signal === null || outcome === null || frame === null) throw new Error('A cell is not shown.')
    expect(signal.x + signal.width).toBeLessThanOrEqual(outcome.x)
    expect(outcome.x + outcome.width).toBeLessThanOrEqual(frame.x + frame.width + 1)
  })

  it('show the answer to a command with its time, until trading changes', async () => {
    const { page, bot, session } = await shown()
    await page.click('nav a[href="#risk"]')
    await page.waitForSelector('html[data-ready="risk"]')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/views/overview', async route => {
      await released
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/views/overview')
    const answered = page.waitForResponse('**/api/commands')
    await page.click('.commands button:text-is("resume")')
    await page.fill('#command-reason', 'a drill')
    await page.click('dialog button[type=submit]')
    await session.run(1000)
    await answered
    const state = page.locator('#state')
    // Trading could change while it is read.
    await asked
    expect(await state.innerText()).not.toMatch(/^At /)
    release()
    await state.filter({ hasText: /^At \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: / }).waitFor()
    void bot.operate({ command: 'halt', reason: 'elsewhere' })
    await session.run(MINUTE)
    await state.filter({ hasText: /^Live\.$/ }).waitFor({ timeout: 10_000 })
  })

  it('ask for a login when what was clicked is refused, and say it when nothing answers', async () => {
    const { page } = await shown()
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    await page.click('nav a[href="#chart"]')
    await page.waitForSelector('html[data-ready="chart"]')
    const decision = page.locator('[aria-label="Decisions"] button.link').first()
    await page.route('**/api/views/decision?*', route => route.abort())
    await decision.click()
    await page.locator('#state:has-text("The bot does not answer.")').waitFor()
    await page.unroute('**/api/views/decision?*')
    await page.context().clearCookies()
    await decision.click()
    await page.waitForSelector('html[data-ready="login"]')
    expect(complaints).toEqual([])
  })

  it('say what a command comes to on a bot that is halted, and when a pause ends here', async () => {
    const { page, bot, session } = await shown()
    const chosen = async (command: string) => {
      await page.selectOption('#command-command', command)
      return page.locator('dialog').innerText()
    }
    await page.click('button:text-is("Stop trading …")')
    expect(await page.inputValue('#command-command')).toBe('halt')
    await page.locator('dialog option[value="BTC/USDT"]').waitFor({ state: 'attached' })
    // A minute of the exchange passes within about a second here.
    await session.run(MINUTE)
    await page.selectOption('#command-command', 'pause')
    await page
      .locator('dialog p:text-matches("Counted by the exchange’s clock: until .*, in about .* here")')
      .waitFor()
    await page.click('dialog button:text-is("Not now")')
    void bot.operate({ command: 'halt', reason: 'a drill' })
    await session.run(MINUTE)
    await page.click('button:text-is("Halted: close or resume …")')
    expect(await page.inputValue('#command-command')).toBe('kill')
    await page.locator('dialog option[value="BTC/USDT"]').waitFor({ state: 'attached' })
    expect(await chosen('kill')).toContain('It is halted already: this closes what is held')
    expect(await chosen('halt')).toContain('this changes nothing')
    expect(await chosen('resume')).not.toContain('already')
  })

  it('name in an open form what is held as it changes, and with the answer what was closed unseen', async () => {
    const { page, bot, session } = await shown({
      strategy: defineStrategy({
        name: 'late',
        state: () => ({ klines: 0 }),
        onKline: (_kline, { state, position }) =>
          state.klines++ >= 6 && position.quantity < 2.5 ? enterLong({ scaleIn: true }) : undefined,
      }),
    })
    await page.click('nav a[href="#risk"]')
    await page.waitForSelector('html[data-ready="risk"]')
    await page.click('.commands button:text-is("flatten")')
    const held = (text: string) => page.locator('dialog p', { hasText: text }).waitFor()
    await held('Nothing is held.')
    await session.run(3 * MINUTE)
    await held('Held: BTC/USDT long 0.999')
    await session.run(MINUTE)
    await held('Held: BTC/USDT long 1.998')
    // What the form reads from now on is of before, until it is confirmed.
    const { status } = (await bot.operate({ command: 'status' })) as { readonly status: object }
    await page.evaluate(
      "document.querySelector('dialog button[type=submit]').addEventListener('click', event => { event.target.id = 'clicked' })",
    )
    await page.route('**/api/views/overview', async route => {
      const isConfirmed = (await page.locator('#clicked').count()) > 0
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...(!isConfirmed && { status }) } })
    })
    await session.run(MINUTE)
    await page.fill('#command-reason', 'a drill')
    await page.fill('#command-confirm', BOT)
    const answered = page.waitForResponse('**/api/commands')
    const sent = page.waitForRequest('**/api/commands')
    await page.click('dialog button[type=submit]')
    await sent
    await session.run(10_000)
    await answered
    await page
      .locator('#state', {
        hasText:
          /Closed: LONG 2\.9\d+ BTC of BTC\/USDT\. .*only since the form was read.*BTC\/USDT long 2\.9/,
      })
      .waitFor()
  })

  it('say in an open form that the bot does not answer, and close it with a logout in another tab', async () => {
    const { page, window } = await shown()
    await page.click('button:text-is("Stop trading …")')
    await page.route('**/api/views/overview', route => route.abort())
    await page.locator('dialog p:text-matches("The bot does not answer: what stands here is of ")').waitFor()
    await page.unroute('**/api/views/overview')
    await page.context().clearCookies()
    await page.waitForSelector('html[data-ready="login"]')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(await page.locator('main').innerText()).toContain('in another tab')
    expect(await page.locator('html[data-silent]').count()).toBe(0)
    expect(window.url).toBe(page.url().replace(/\/(#.*)?$/, ''))
  })

  it('shade the edge of a table that has more beyond it, on a phone', async () => {
    const { page } = await shown()
    const table = page.getByRole('region', { name: 'Strategies' })
    await page.setViewportSize({ width: 1600, height: 900 })
    expect(await shadedEdges(table)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    // A machine with other work takes its time, here and below.
    await expect.poll(() => shadedEdges(table), { timeout: 20_000 }).toEqual(['right'])
    await table.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => shadedEdges(table), { timeout: 20_000 }).toEqual(['left', 'right'])
  })

  it('leave a table where it was scrolled to, with the keyboard, when they are read anew', async () => {
    const { page, session } = await shown()
    await page.setViewportSize({ width: 390, height: 844 })
    const table = page.getByRole('region', { name: 'Strategies' })
    await table.focus()
    await table.evaluate(list => {
      list.scrollLeft = 60
      list.id = 'before'
    })
    await session.run(MINUTE)
    // Once it was read anew, another table is there.
    const state = `(list => [list.id, list.scrollLeft, document.activeElement === list])(document.querySelector('[aria-label="Strategies"]'))`
    await expect.poll(() => page.evaluate(state), { timeout: 20_000 }).toEqual(['', 60, true])
  })

  it('leave the keyboard on the button of a row when the rows are made anew', async () => {
    const { page, session } = await shown()
    await page.click('nav a[href="#orders"]')
    await page.waitForSelector('html[data-ready="orders"]')
    expect(await page.title()).toBe('Orders and positions · test · Sluice')
    const name = 'Orders that are over'
    const table = page.getByRole('region', { name })
    const button = table.getByRole('button').last()
    const id = await button.innerText()
    await button.focus()
    await button.evaluate(element => {
      element.id = 'before'
    })
    await session.run(MINUTE)
    // Once it was read anew, another button is there.
    const state = `[document.activeElement.id, document.activeElement.textContent]`
    await expect.poll(() => page.evaluate(state), { timeout: 20_000 }).toEqual(['', id])
  })

  it('say of a position without a stop that there is none', async () => {
    const { page } = await shown({
      strategy: defineStrategy({
        name: 'bare',
        onKline: (_kline, { position }) =>
          position.direction === 'flat' ? enterLong({ takeProfit: 150 }) : undefined,
      }),
    })
    await page.click('nav a[href="#orders"]')
    await page.waitForSelector('html[data-ready="orders"]')
    const table = page.locator('[aria-label="Positions and their protection"]')
    expect(await table.innerText()).toContain('no, there is no stop')
  })

  it('show all columns of the orders that are over on a desk of 1366 pixels', async () => {
    const { page, bot, session } = await shown()
    await bot.operate({ command: 'flatten' })
    await session.run(5000)
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.click('nav a[href="#orders"]')
    await page.waitForSelector('html[data-ready="orders"]')
    const table = page.getByRole('region', { name: 'Orders that are over' })
    expect(await table.innerText()).toContain('canceled, which never was at the exchange')
    expect(await shadedEdges(table)).not.toContain('right')
  })

  it('name every region of a decision once', async () => {
    const { page } = await shown()
    await page.click('nav a[href="#chart"]')
    await page.waitForSelector('html[data-ready="chart"]')
    await page.click('tr:has-text("was filled") button.link >> nth=-1')
    const names = `[...document.querySelectorAll('article.why [role="region"]')].map(one => one.ariaLabel)`
    await page.locator('article.why').waitFor()
    const found = (await page.evaluate(names)) as readonly string[] // the text above makes a list of texts
    expect(found.length).toBeGreaterThan(2)
    expect(new Set(found).size).toBe(found.length)
  })

  it('say of an exchange that is away that trading and the books are of before', async () => {
    const { page, session } = await shown()
    expect(await page.locator('main').innerText()).not.toContain('away')
    session.journeyOf = () => ({ refused: true })
    await session.run(MINUTE)
    const texts = `[...document.querySelectorAll('.tile dd .loss, .strip .warn strong')].map(one => one.innerText)`
    await expect
      .poll(() => page.evaluate(texts), { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['active, but the exchange is away', 'agreed before calls failed']))
  })

  it('say of a journal that no bot writes that nothing runs, and when its last entry was', async () => {
    const { session, source: running } = await shown()
    const stoppedAt = session.clock.now()
    const source: WindowSource = {
      ...{ bot: 'old', place: 'a/old.journal', isLive: false, version: () => 1 },
      read: async (view, query) => ({ ...((await running.read(view, query)) as object), stoppedAt }),
      file: async () => undefined,
      operate: async () => ({ ok: false, message: '', isUsage: true }),
    }
    const { page } = await opened(source)
    await page.waitForSelector('html[data-ready="overview"]')
    const tile = page.locator('.tile', { hasText: 'Trading' })
    expect(await tile.innerText()).toMatch(/not running\s+last entry 2024-01-01 00:15:00$/)
    expect(await page.locator('[aria-label="Strategies"] tbody').innerText()).toMatch(/not running$/)
    await page.click('nav a[href="#risk"]')
    await page.waitForSelector('html[data-ready="risk"]')
    expect(await page.locator('[aria-label="Trading by scope"] tbody').innerText()).toContain(
      'not running (active at the end)',
    )
  })

  it('give every row the height of its text on a phone, and squeeze no column to a word a line', async () => {
    const { page, bot, session } = await shown({ risk: { limits: { maxNotional: amountOf('50') } } })
    const reason = 'The market moves faster than this bot was tried on, so that it opens nothing until noon.'
    void bot.operate({ command: 'pause', reason, forMs: 30 * MINUTE }, { from: 'terminal', who: 'me' })
    await session.run(MINUTE)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [screen, table] of [
      ['chart', 'Decisions'],
      ['risk', 'Trading by scope'],
      ['orders', 'Orders that are over'],
    ] as const) {
      await page.click(`nav a[href="#${screen}"]`)
      await page.waitForSelector(`html[data-ready="${screen}"]`)
      const scroller = page.locator(`[aria-label="${table}"]`)
      if (screen === 'orders' && (await scroller.count()) === 0) continue
      const cells = await page.evaluate<readonly Cell[]>(`(${CELLS})('${table}')`)
      expect(cells.length).toBeGreaterThan(0)
      // A text that is wider than 16rem wraps at 16rem, any other does not wrap: 7 lines are enough for each of these.
      for (const { text, natural, width, lines } of cells)
        expect([table, text, width >= Math.min(natural, 256) - 1, lines <= 7]).toEqual([
          table,
          text,
          true,
          true,
        ])
    }
  })

  it('show all of a position and of a command on a phone without scrolling sideways, each figure behind its head', async () => {
    const { page, bot, session } = await shown()
    const reason = 'The market moves faster than this bot was tried on, so that it opens nothing until noon.'
    void bot.operate({ command: 'pause', reason, forMs: 30 * MINUTE }, { from: 'terminal', who: 'me' })
    await session.run(MINUTE)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [screen, name, heads] of [
      ['overview', 'Positions', ['Result', 'Stop']],
      ['orders', 'Positions and their protection', ['Stops cover all of it']],
      ['risk', 'Commands', ['Reason', 'Result']],
    ] as const) {
      await page.click(`nav a[href="#${screen}"]`)
      await page.waitForSelector(`html[data-ready="${screen}"]`)
      const table = page.getByRole('region', { name, exact: true })
      const row = table.getByRole('row').last()
      for (const head of heads) {
        const cell = row.locator(`[data-head="${head}"]`)
        const named = `[...document.querySelectorAll('[data-head="${head}"]')].map(one => getComputedStyle(one, '::before').content)`
        expect(await page.evaluate<readonly string[]>(named)).toContainEqual(expect.stringContaining(head))
        expect((await cell.innerText()).length).toBeGreaterThan(0)
      }
      for (const cell of await row.getByRole('cell').all()) {
        const box = await cell.boundingBox()
        expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
      }
      expect(await table.evaluate(list => list.scrollWidth - list.clientWidth)).toBe(0)
    }
  })

  it('say since when the connection is lost, and show what is of then in no colour of health', async () => {
    const { page, window } = await shown()
    expect(await page.locator('#as-of').innerText()).toBe('')
    await window.server.close()
    await page.waitForSelector('html[data-silent]')
    expect(await page.locator('#state').innerText()).toMatch(
      /^Nothing has come from the bot since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d by the clock of this device: .* The connection is tried again\.$/,
    )
    expect(await page.locator('h2.screen').innerText()).toMatch(
      /^Overview, as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d by the clock of this device$/,
    )
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).filter")).toBe(
      'grayscale(1)',
    )
  })

  it('write every moment alike on all five screens, and name its zone once', async () => {
    const { page, bot, session } = await shown()
    void bot.operate({ command: 'pause', reason: 'a drill', forMs: 30 * MINUTE })
    await session.run(MINUTE)
    const day = new Date(session.clock.now()).toISOString().slice(0, 10)
    for (const screen of ['overview', 'chart', 'orders', 'risk', 'research']) {
      await page.click(`nav a[href="#${screen}"]`)
      await page.waitForSelector(`html[data-ready="${screen}"]`)
      if (screen === 'chart') {
        await page.locator('[aria-label="Decisions"] button').last().click()
        await page.waitForSelector('article.why')
        // The entry's levels have the precision of the market.
        expect(await page.locator('article.why').innerText()).toContain('stop-loss 90.00, take-profit 150.00')
      }
      const text = await page.evaluate<string>('document.body.innerText')
      expect([screen, text.match(/UTC/g)]).toEqual([screen, ['UTC']])
      expect(text).toContain('Times are UTC, by the clock of the exchange.')
      // No moment is relative, in ISO 8601, or without its date.
      expect(
        text.match(/\d ?(?:s|min|h) ago|\dT\d\d:|\d\dZ|(?<!\d{4}-\d\d-\d\d )\b\d\d:\d\d:\d\d/g),
      ).toBeNull()
      if (screen !== 'research') expect(text).toContain(`${day} `)
    }
  })

  it('advise who logs in to a view of a journal to start it again, and ask for no password that there is not', async () => {
    const journal: WindowSource = {
      ...{ bot: 'old', isLive: false, version: () => 1, read: async () => undefined },
      file: async () => undefined,
      operate: async () => ({ ok: false, message: '', isUsage: true }),
    }
    const { window, page } = await opened(journal, false)
    await page.waitForSelector('html[data-ready="login"]')
    const text = await page.locator('main').innerText()
    expect(text).toContain('start it again')
    expect(text).not.toContain('bot -- window')
    expect(await page.locator('#password').count()).toBe(0)
    const late = await window.call('POST', '/api/login', {}, { token: 'x' })
    expect(late.json.error).toContain('start "npm run view" again')
  })
})
