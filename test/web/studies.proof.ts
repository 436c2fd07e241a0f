import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparisonJson } from '../../src/compare/comparison-rows.ts'
import { StudyFile } from '../../src/studies/study-file.ts'
import type { StudyTrial } from '../../src/studies/study-trial.ts'
import { StudyReader } from '../../src/web/research/study-reader.ts'
import { afterTest } from '../after-test.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { sampleComparison } from '../compare/sample-comparison.ts'
import { ServedWindow } from './served-window.ts'

const DAY = 86_400_000
const FROM = Date.UTC(2024, 0, 1)
const HOSTILE = '</script><script>document.title=1</script><img src=x onerror="document.title=1">'
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const
const EMPTY = { orders: { trips: [], roundTrips: { totals: [], today: [] } }, comparison: { type: 'none' } }

const identity = {
  ...{ strategy: 'sma-cross', symbol: 'BTC/USDT', interval: '1h', code: 'c0', data: 'd0', config: 'f0' },
  ...{ from: FROM, to: FROM + 40 * DAY, isSpan: false },
}

function path(): string {
  return join(mkdtempSync(join(tmpdir(), 'sluice-studies-')), 'study.sqlite')
}

/** A trial of 40 days that earned one percent every second day, and `part` of it on the others. */
function trial(key: string, sharpe: number | null, changes: Partial<StudyTrial> = {}): StudyTrial {
  return {
    ...identity,
    ...{ key, outcome: 'finished', parameters: { fast: key.length, slow: 20 } },
    ...{ figures: { sharpe, netProfit: 1, maxDrawdown: 0.1, roundTrips: 3 }, firstDay: FROM / DAY },
    dailyReturns: Float64Array.from({ length: 40 }, (_, day) => (day % 2 === 0 ? 0.01 : 0.001 * key.length)),
    ...changes,
  }
}

function failed(key: string): StudyTrial {
  const { figures: _, firstDay: __, dailyReturns: ___, ...rest } = trial(key, null)
  return { ...rest, outcome: 'failed', problem: 'It threw.' }
}

/** A study of two strategies, one with a hostile name, a verdict on the other, and two trials of windows. */
function written(): string {
  const file = path()
  const study = new StudyFile(file)
  study.addTrial(trial('a', 1.5))
  study.addTrial(trial('bb', 2.25))
  study.addTrial(failed('ccc'))
  study.addTrial(trial('w1', 9, { isSpan: true, to: FROM + 10 * DAY }))
  study.addTrial(trial('w2', 9, { isSpan: true, to: FROM + 20 * DAY }))
  study.addTrial(trial('h', 0.5, { strategy: HOSTILE, parameters: { [HOSTILE]: HOSTILE } }))
  study.addVerdict({ ...identity, id: 'v/0', answer: 'edge' }, '<p>first</p>')
  study.addVerdict(
    { ...identity, id: 'v/1', answer: 'no edge' },
    `<title>${'verdict'}</title><p>of today</p>`,
  )
  study.close()
  return file
}

const QUERY = new URLSearchParams({
  ...{ strategy: 'sma-cross', data: 'd0', from: String(FROM), to: String(FROM + 40 * DAY) },
})

describe('the studies of a window', { timeout: 60_000 }, () => {
  it('lists each with its trials, its best and its latest verdict, and counts trials of windows apart', async () => {
    const studyPath = written()
    const window = await ServedWindow.open({}, { studyPath })
    const { json } = await window.call('GET', '/api/studies', await window.logIn('read'))
    const market = { symbol: 'BTC/USDT', interval: '1h', data: 'd0', from: FROM, to: FROM + 40 * DAY }
    expect(json).toEqual({
      ...{ type: 'studies', path: studyPath, trials: 6, parts: 2, more: 0 },
      studies: [
        {
          ...{ strategy: HOSTILE, ...market, finished: 1, failed: 0, bestSharpe: 0.5 },
          best: { [HOSTILE]: HOSTILE },
        },
        {
          ...{ strategy: 'sma-cross', ...market, finished: 2, failed: 1, bestSharpe: 2.25 },
          best: { fast: 2, slow: 20 },
          verdict: { id: 'v/1', answer: 'no edge' },
        },
      ],
    })
  })

  it('opens the page of a study and of a verdict, of no origin and with no request', async () => {
    const window = await ServedWindow.open({}, { studyPath: written() })
    const session = await window.logIn('read')
    const page = await window.call('GET', `/api/studies/page?${QUERY}`, session)
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('<h1>sma-cross on BTC/USDT 1h</h1>'),
    ])
    expect(page.text).toContain('2 trials, 1 failure')
    const verdict = await window.call('GET', '/api/verdicts/v%2F1', session)
    expect([verdict.status, verdict.text]).toEqual([200, '<title>verdict</title><p>of today</p>'])
    for (const { headers } of [page, verdict]) {
      expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts; default-src 'none';/)
      expect(headers['content-security-policy']).not.toMatch(/allow-same-origin|connect-src|https?:/)
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'content-type': 'text/html; charset=utf-8' })
    }
  })

  it.each([
    ['/api/studies/page', 400, 'Name a study by strategy, data, from and to.'],
    [`/api/studies/page?${QUERY}1`, 404, 'has no such study; read the list again.'],
    ['/api/verdicts/v2', 404, 'has no such verdict; read the list again.'],
  ])('says what is wrong with %s', async (url, status, error) => {
    const window = await ServedWindow.open({}, { studyPath: written() })
    const answer = await window.call('GET', url, await window.logIn())
    expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(error)])
  })

  it('shows no study to who is not logged in', async () => {
    const window = await ServedWindow.open({}, { studyPath: written() })
    for (const url of ['/api/studies', `/api/studies/page?${QUERY}`, '/api/verdicts/v%2F1'])
      expect((await window.call('GET', url)).status).toBe(401)
  })

  it.each<[string, () => string | undefined, string]>([
    ['no study file is read', () => undefined, 'No study file is read here; name one with web.study, '],
    ['there is none', path, ' yet. A backtest or a search makes it: npm run optimize -- '],
    ['it is empty', emptied, ' has no trials yet. A backtest or a search keeps some: npm run optimize -- '],
    ['it is no study', noStudy, ' cannot be used as a study file (file is not a database)'],
  ])('says what to do where %s', async (_name, file, reason) => {
    const window = await ServedWindow.open({}, { studyPath: file() })
    const { status, json } = await window.call('GET', '/api/studies', await window.logIn())
    expect([status, json]).toEqual([200, { type: 'none', reason: expect.stringContaining(reason) }])
  })

  it('writes nothing to a study, reads it once for each state, and sees what was added since', async () => {
    const file = written()
    const bytes = readFileSync(file)
    const reader = new StudyReader(file)
    afterTest(() => reader.close())
    const first = await reader.list()
    expect(await reader.list()).toBe(first)
    expect(readFileSync(file)).toEqual(bytes)
    const study = new StudyFile(file)
    study.addTrial(trial('dddd', 3))
    study.close()
    expect(await reader.list()).toMatchObject({ trials: 7 })
  })

  it('makes no bot wait: a page of twenty thousand trials leaves the event loop four fifths of its time', async () => {
    const file = path()
    const study = new StudyFile(file)
    for (let number = 0; number < 20_000; number++)
      study.addTrial(trial(`${number}`, number / 20_000, { parameters: { fast: number, slow: 3 } }))
    study.close()
    const reader = new StudyReader(file)
    afterTest(() => reader.close())
    const [started, cpu] = [performance.now(), performance.eventLoopUtilization()]
    const [list, page] = await Promise.all([
      reader.list(),
      reader.ask({ type: 'study', strategy: 'sma-cross', data: 'd0', from: FROM, to: FROM + 40 * DAY }),
    ])
    const seconds = (performance.now() - started) / 1000
    expect(list).toMatchObject({ trials: 20_000 })
    expect(page.type).toBe('page')
    // Most of the time this thread has nothing to do; with the reading in it, it would have all of it.
    expect(performance.eventLoopUtilization(cpu).utilization, `in ${seconds} s`).toBeLessThan(0.2)
  })
})

function emptied(): string {
  const file = path()
  new StudyFile(file).close()
  return file
}

function noStudy(): string {
  const file = path()
  writeFileSync(file, 'Not a database, but a text that is long enough to be none. '.repeat(20))
  return file
}

describe.skipIf(!hasChromium())('the studies of the research screen', { timeout: 60_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser.close())

  async function open(
    studyPath: string | undefined,
    views: Readonly<Record<string, unknown>> = EMPTY,
  ): Promise<{ page: Page; complaints: string[] }> {
    const window = await ServedWindow.open({}, { studyPath }, views)
    const context = await browser.newContext(PHONE)
    afterTest(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    context.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    const url = window.server.loginUrl('operate')
    await page.goto(`${url.split('#')[0]}#login=${url.split('#login=')[1]}`)
    await page.waitForSelector('nav a[aria-current]')
    // The bot of this test has no overview.
    await page.waitForLoadState('networkidle')
    complaints.length = 0
    await page.click('nav a[href="#research"]')
    await page.locator('#studies table, #studies p:not(:has-text("being read"))').first().waitFor()
    return { page, complaints }
  }

  it('shows hostile names as text, on a phone without overflow, and opens pages that reach nothing', async () => {
    const { page, complaints } = await open(written())
    const rows = page.locator('#studies tbody tr')
    expect(await rows.count()).toBe(2)
    expect(await rows.nth(0).innerText()).toContain(HOSTILE)
    expect(await rows.nth(1).innerText()).toMatch(
      /2, and 1 failed\s+2.25\s+fast=2 slow=20\s+no edge\s+every trial/,
    )
    expect(await page.locator('#studies p').first().innerText()).toContain('6 trials in ')
    expect(await page.locator('#studies img, #studies script').count()).toBe(0)
    expect(
      await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
    ).toBeLessThanOrEqual(0)
    for (const row of [0, 1]) {
      const opened = page.waitForEvent('popup')
      await rows.nth(row).locator('a:has-text("every trial")').click()
      const study = await opened
      await study.waitForSelector('html[data-ready]')
      expect(await study.locator('h1').innerText()).toBe(
        `${row === 0 ? HOSTILE : 'sma-cross'} on BTC/USDT 1h`,
      )
      expect(await study.title()).not.toBe('1')
      expect(await study.evaluate('origin')).toBe('null')
      expect(await study.evaluate('window.opener')).toBeNull()
      const reached = `fetch('/api/session').then(() => 'reached', () => 'refused')`
      expect(await study.evaluate(reached)).toBe('refused')
      await study.close()
    }
    expect(await page.title()).toContain('demo')
    expect(complaints.filter(line => !line.includes('/api/session'))).toEqual([])
  })

  it('marks a comparison whose round trips earn less than the backtest predicts as bad news, with its sentence', async () => {
    const comparison = {
      ...{ verdict: 'asPromised', sentence: 'Live traded as the backtest promised: by 1.', quote: 'USDT' },
      ...{ parts: [], orders: [], live: '-18', backtest: '-19', difference: '1' },
      ...{ from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' },
    }
    const headline = async (live: number, isInside: boolean) => {
      const predicted = { lower: -2, upper: -1, live, isInside, trips: 9, liveTrips: 9 }
      const views = { ...EMPTY, comparison: { type: 'compared', comparison: { ...comparison, predicted } } }
      const { page } = await open(undefined, views)
      const status = page.locator('#comparison [role=status]')
      return [await status.innerText(), await status.getAttribute('class')]
    }
    expect(await headline(-1.5, true)).toEqual(['Live traded as the backtest promised: by 1.', null])
    expect(await headline(-3, false)).toEqual(['Live traded as the backtest promised: by 1.', 'loss'])
    expect(await headline(-0.5, false)).toEqual(['Live traded as the backtest promised: by 1.', null])
  })

  it('names the asset of quantities of orders that differ from the backtest', async () => {
    const comparison = comparisonJson(sampleComparison())
    const { page } = await open(undefined, { ...EMPTY, comparison: { type: 'compared', comparison } })
    expect(await page.locator('#comparison').innerText()).toContain('1.000 BTC at 100.00')
  })

  it('says what to run where there is no study', async () => {
    const { page } = await open(path())
    expect(await page.locator('#studies').innerText()).toContain('npm run optimize -- ')
  })
})
