import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../cli/sluice-process.ts'
import { EXCHANGE_NAMES, exchangeFile, exchangePage } from './exchange-page.ts'

describe('the pages of exchanges', () => {
  it('are one for each profile, and linked from the page of exchanges', () => {
    const files = readdirSync(join(ROOT, 'docs/exchanges')).map(file => `docs/exchanges/${file}`)
    expect(files.toSorted()).toEqual(EXCHANGE_NAMES.map(exchangeFile).toSorted())
    const page = readFileSync(join(ROOT, 'docs/exchanges.md'), 'utf8')
    const linked = [...page.matchAll(/\]\(exchanges\/(\w+)\.md\)/g)].map(([, name = '']) => name)
    expect([...new Set(linked)].toSorted()).toEqual([...EXCHANGE_NAMES].toSorted())
  })

  it.each(EXCHANGE_NAMES)('say what config/profiles/%s.yaml says; npm run docs writes them', name => {
    expect(readFileSync(join(ROOT, exchangeFile(name)), 'utf8')).toBe(exchangePage(name))
  })

  it('name versions, gaps and what the bot does instead', () => {
    // By hand from venues.md: KoinBay has spot under /sapi/v1, LIMIT and MARKET only, and no list of transactions.
    const koinbay = exchangePage('koinbay')
    expect(koinbay).toContain('| spot | `https://openapi.koinbay.com` | `/sapi/v1`')
    expect(koinbay).toContain('There is no `futuresTransactions`. The bot derives funding')
    expect(koinbay).toContain('There are no futures klines of 1h')
    expect(koinbay).toContain('takes no IOC, FOK, POST_ONLY, STOP orders')
    expect(exchangePage('bitbaby')).toContain('the prefix `/spot/open` is not part of what is signed')
    expect(exchangePage('bitrue')).toContain('`/fapi/v2`')
  })

  it('say of market orders that count quote value what the bot does: it sends none, as test/bot/venue tests', () => {
    for (const name of ['bitbaby', 'bitrue'])
      expect(exchangePage(name)).toContain(
        'A market order that opens a position counts quote value instead of contracts, so none is sent: limit orders of contracts',
      )
  })
})
