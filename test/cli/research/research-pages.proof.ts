import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hasChromium } from '../../backtest/report/chromium.ts'
import { offlinePage } from '../../backtest/report/offline-page.ts'
import { HOSTILE } from '../../backtest/study-report/small-study.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { waveCsv } from '../klines.ts'
import { ROOT } from '../sluice-process.ts'

/** A strategy whose name and options would be scripts if a page took them for markup. */
const STRATEGY = `
import { choice, defineStrategy, enterLong, exit, integer } from '${join(ROOT, 'src/strategy/index.ts')}'
export default defineStrategy({
  name: 'lag ${HOSTILE}',
  parameters: {
    lag: integer({ default: 5, min: 1, max: 100, description: 'Klines back.' }),
    mode: choice({ default: 'near', options: ['near', '${HOSTILE}'], description: 'Any.' }),
  },
  history: ({ lag }) => lag + 1,
  warmUp: ({ lag }) => lag,
  onKline: ({ close }, { history, parameters: { mode } }) =>
    close > history[0].close === (mode === 'near') ? enterLong() : exit(),
})
`

const CONFIG = `
account: { type: spot, balance: { USDT: 10000 } }
validate: { resamples: 100, controls: 9, windows: 3, repeats: 1 }
`

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const folder = mkdtempSync(join(tmpdir(), 'sluice-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes the page of a command, and returns it. */
async function pageOf(command: string, name: string, options: readonly string[]): Promise<string> {
  const [strategy, data, config, html] = ['lag.ts', 'wave.csv', 'pages.yaml', `${name}.html`].map(file =>
    join(folder, file),
  ) as [string, string, string, string]
  writeFileSync(strategy, STRATEGY)
  writeFileSync(data, waveCsv(1800))
  writeFileSync(config, CONFIG)
  const { exitCode, err } = await sluiceHere(
    ...[command, strategy, '--data', data, '--symbol', 'BTC/USDT', '--interval', '1h', '--config', config],
    ...['--study', join(folder, 'study.sqlite'), '--sampler', 'grid', '--param', 'lag=3:12:3', ...options],
    ...['--html', html],
  )
  expect([0, 3, 4], err).toContain(exitCode)
  return readFileSync(html, 'utf8')
}

describe.skipIf(!hasChromium()).each([
  {
    command: 'optimize',
    name: 'search',
    options: [],
    parts: ['trials', 'parameters', 'halves', 'every-trial'],
  },
  { command: 'walk-forward', name: 'windows', options: ['--windows', '3'], parts: ['walk-forward'] },
  { command: 'walk-forward', name: 'folds', options: ['--combinatorial', '4:2'], parts: ['paths'] },
  {
    ...{ command: 'validate', name: 'verdict', options: [] },
    parts: ['verdict', 'trials', 'walk-forward', 'drawdowns', 'stress', 'controls', 'every-trial'],
  },
])('the page of npm run $command, $name', { timeout: 60_000 }, ({ command, name, options, parts }) => {
  const page = () => pageOf(command, name, options)
  const open = offlinePage(page)

  it('opens without a network and without an error, and has its parts', async () => {
    const { page: opened, complaints } = await open()
    expect(complaints).toEqual([])
    expect(
      await opened.locator('nav a').evaluateAll(links => links.map(link => link.getAttribute('href'))),
    ).toEqual(expect.arrayContaining(parts.map(part => `#${part}`)))
    for (const part of parts) expect(await opened.locator(`#${part}`).isVisible()).toBe(true)
    const charts = opened.locator('.canvas canvas')
    for (const chart of await charts.all()) expect((await chart.boundingBox())?.width).toBeGreaterThan(100)
    expect(await charts.count()).toBeGreaterThan(0)
  })

  it('takes names for text', async () => {
    const { page: opened } = await open()
    expect(await opened.locator('h1').textContent()).toBe(`lag ${HOSTILE} on BTC/USDT 1h`)
    expect(await opened.locator('img').count()).toBe(0)
    expect(await opened.locator('body').innerText()).toContain(HOSTILE)
  })

  it('fits a phone without scrolling sideways', async () => {
    const { page: opened, complaints } = await open(PHONE)
    expect(complaints).toEqual([])
    const [content, width] = await opened.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, window.innerWidth]',
    )
    expect([content, width]).toEqual([390, 390])
  })

  it('allows no request and no script but its own, and is the same bytes for the same study', async () => {
    const html = await page()
    expect(html).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">/,
    )
    expect(html).not.toMatch(/<[^>]+ on\w+=/)
    expect(await page()).toBe(html)
  })
})
