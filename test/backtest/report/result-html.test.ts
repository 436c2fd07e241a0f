import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pageDataOf } from '../../../backtest/report/html/page-data-of.ts'
import { resultHtml } from '../../../backtest/report/result-html.ts'
import { METRIC_GROUPS } from '../../../backtest/report/text/metric-group.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import { sampleReport } from './sample-report.ts'
import { HOSTILE, waveReport } from './wave-report.ts'

const scriptsIn = (page: string) =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)

describe('resultHtml', () => {
  const page = resultHtml(waveReport(500))

  it('has the data of the page, deflated', () => {
    const [, data = ''] =
      /<script type="application\/octet-stream" id="data">([A-Za-z0-9+/=]+)<\/script>/.exec(page) ?? []
    const json = inflateRawSync(Buffer.from(data, 'base64')).toString()
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(pageDataOf(waveReport(500)))))
  })

  it('allows its own two scripts and no other, and no request', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
    const hashes = scriptsIn(page).map(
      script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    )
    expect(hashes).toHaveLength(2)
    expect(policy).toContain(`default-src 'none'; script-src ${hashes.join(' ')};`)
  })

  it('keeps the licence notice of the chart library, and names it for readers', () => {
    expect(scriptsIn(page)[0]).toMatch(/^\/\*!\n \* @license\n \* TradingView Lightweight Charts™ v5/)
    expect(page).toContain('<a href="https://www.tradingview.com/" rel="noreferrer">')
  })

  it('refers to nothing outside of itself', () => {
    const markup = page.replace(/<script.*?<\/script>/gs, '').replace(/<style>.*?<\/style>/s, '')
    expect([...markup.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target)).toEqual([
      '#price',
      '#equity',
      '#months',
      '#metrics',
      '#round-trips',
      '#settings',
      'https://www.tradingview.com/',
    ])
  })

  it('escapes hostile texts wherever they stand', () => {
    expect(page).not.toContain(HOSTILE)
    expect(page).not.toContain('<img')
  })

  it('has every metric with its meaning', () => {
    for (const { key, meaning } of METRIC_GROUPS.flatMap(({ metrics }) => metrics)) {
      expect(page).toContain(
        `id="meaning-${key}">${meaning.replaceAll('>', '&#62;').replaceAll("'", '&#39;')}</span>`,
      )
    }
  })

  it('says why a figure is not available', () => {
    expect(resultHtml(sampleReport())).toMatch(/>n\/a<small>needs at least 180 days, has 2<\/small>/)
  })

  it('has the months with their returns and those of buy and hold', () => {
    // 10,000 to 10,149.249 and 9000 to 9900 in two days.
    expect(resultHtml(sampleReport())).toContain('title="2 days: 1.49%; buy and hold 10.0%">1.5</td>')
  })

  it('has settings and manifest', () => {
    const sample = resultHtml(sampleReport())
    expect(sample).toContain('<dt>account.balance.USDT</dt><dd>10000</dd>')
    expect(sample).toContain('<dt>parameters.fast</dt><dd>5</dd>')
    expect(sample).toContain('<dt>from</dt><dd>2018-01-01T00:00:00.000Z</dd>')
  })

  it('begins with what changes the meaning of its figures, in a colour of warning', () => {
    const warned = resultHtml({ ...sampleReport(), orders: 1 })
    const [, shown = ''] =
      /<body>\n<div role="alert"><ul class="notes warnings">(.*?)<\/ul><\/div>/.exec(warned) ?? []
    expect(shown).toContain('<li>Denied 3 of 4 orders (75%): the figures are those of the others.')
    expect(warned).toMatch(/\.warnings \{[^}]*color: var\(--loss\)/)
    expect(resultHtml(sampleReport())).not.toContain('role="alert"')
  })

  it('says what the market cut off', () => {
    const cut = { symbol: 'BTC/USDT', purpose: 'entry', cause: 'fok', count: 1 } as const
    const cutOrders = [{ ...cut, ordered: steps(2_500_000), untraded: steps(2_500_000) }]
    expect(resultHtml({ ...sampleReport(), cutOrders })).toContain(
      '<li>Entries cut by FOK 1 ×: 25.00000 of 25.00000 BTC of BTC/USDT not traded.</li>',
    )
  })

  it('works for a run without round trips', () => {
    expect(resultHtml({ ...sampleReport(), roundTrips: [], metrics: waveReport(5).metrics })).toContain(
      'No position was closed.',
    )
  })

  it('is the same for the same report', () => {
    expect(resultHtml(waveReport(500))).toBe(page)
  })
})
