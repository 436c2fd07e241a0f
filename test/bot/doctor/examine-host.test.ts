import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examineBot } from '../../../src/bot/doctor/examine-bot.ts'
import { examineClock } from '../../../src/bot/doctor/examine-venue.ts'
import type { Venue } from '../../../src/bot/venue/venue.ts'
import { loadBotConfig } from '../../../src/config/load-bot-config.ts'
import { type FakeCall, FakeHost, json, klinesUntil, page, pairEntry } from '../paper/fake-host.ts'

/** Findings of the doctor on a paper account at a host, with one call answered otherwise. */
async function examined({
  calls = {},
  symbol = 'BTC/USDT',
  kept = false,
}: {
  readonly calls?: Readonly<Record<string, FakeCall>>
  readonly symbol?: string
  readonly kept?: boolean
}) {
  const host = await new FakeHost().listen()
  onTestFinished(() => host.close())
  for (const [end, call] of Object.entries(calls)) host.calls.set(end, call)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'))
  const [path, journal] = [join(folder, 'bot.yaml'), join(folder, 'bot.journal')]
  if (kept) writeFileSync(`${journal}.exchange`, '')
  writeFileSync(
    path,
    `bot: examined
venue: { type: paper, spotUrl: "${host.url}", readMs: 200, balances: { USDT: 1000 }, folder: "${folder}" }
strategies: [{ file: strategies/sma-cross.ts, symbol: ${symbol}, interval: 1m, size: { quote: 100 } }]
journal: { file: "${journal}" }
`,
  )
  const { config, credentials } = loadBotConfig(path, {})
  const diagnosis = await examineBot(config, credentials, path)
  const of = (check: string) => diagnosis.findings.filter(finding => finding.check === check)
  return { ...diagnosis, of, journal, host }
}

/** Klines of the host with each changed. */
const changed =
  (change: (kline: ReturnType<typeof klinesUntil>[number]) => object): FakeCall =>
  () =>
    json(klinesUntil(Date.now(), 10).map(change))

describe('the doctor of a paper account', () => {
  it('finds nothing wrong with a host as the document has it, and says nothing of keys and signatures', async () => {
    const { isHealthy, findings, of, journal } = await examined({})
    expect([isHealthy, findings.filter(({ status }) => status !== 'ok')]).toEqual([true, []])
    expect(of('klines')).toMatchObject([
      { subject: 'BTC/USDT 1m', found: expect.stringMatching(/^There are klines; the latest opened at 20/) },
    ])
    expect(JSON.stringify(findings)).not.toMatch(/\bkeys?\b|signature|stamped|begins anew/i)
    expect(of('connection')[0]?.subject).toMatch(
      new RegExp(`looked at with a new account; a start begins one, and keeps it in ${journal}\\.exchange$`),
    )
  })

  it('does not take its own look for the account that is kept', async () => {
    const { of, journal } = await examined({ kept: true })
    expect(of('connection')[0]?.subject).toMatch(
      new RegExp(`looked at with a new account; a start goes on with the one in ${journal}\\.exchange$`),
    )
  })

  it.each<[string, FakeCall, RegExp]>([
    ['HTTP 404', () => ({ status: 404, body: '' }), /It answered HTTP 404 without JSON: it does not know/],
    ['a page', () => page(200), /The answer to spotKlines \(HTTP 200\) cannot be read: it is no JSON/],
    ['null', () => json(null), /^The exchange answers with an empty list\.$/],
    ['data: null', () => json({ code: 0, msg: '', data: null }), /cannot be read|empty list/],
    [
      'a high below the low',
      changed(kline => ({ ...kline, high: '1' })),
      /^10 of 10 klines cannot be used\. The one that opens at .* its high of 1 is below another of its prices\.$/,
    ],
    ['a negative volume', changed(kline => ({ ...kline, vol: '-3' })), /its volume is -3/],
    [
      'a time to come',
      changed(kline => ({ ...kline, idx: kline.idx + 86_400 })),
      /it lies ahead of the exchange's time/,
    ],
    [
      'a time between',
      changed(kline => ({ ...kline, idx: kline.idx + 7 })),
      /no 1m kline opens at such a time by UTC/,
    ],
  ])('finds klines with %s', async (_, call, found) => {
    const { isHealthy, of } = await examined({ calls: { '/klines': call } })
    expect([isHealthy, of('klines')]).toMatchObject([
      false,
      [{ status: 'problem', subject: 'BTC/USDT 1m', found: expect.stringMatching(found) }],
    ])
  })

  it('says how old the latest kline is where none came for long', async () => {
    const late = changed(kline => ({ ...kline, idx: kline.idx - 3600 }))
    const { isHealthy, of } = await examined({ calls: { '/klines': late } })
    expect([isHealthy, of('klines')]).toMatchObject([
      true,
      [
        {
          found: expect.stringMatching(
            /That is 6\d min ago: nothing was traded since, or the exchange is late\.$/,
          ),
        },
      ],
    ])
  })

  it('finds a price that is none, and an order book with an empty side', async () => {
    const day = { time: 1, high: null, low: null, open: null, last: null, vol: null, rose: '0' }
    const priceless = await examined({
      calls: { '/ticker': () => json(day), '/trades': () => json({ list: null }) },
    })
    expect(priceless.of('instrument')).toMatchObject([
      { status: 'problem', found: 'The exchange tells no price of BTC/USDT: its last price is 0.' },
    ])
    const empty = await examined({
      calls: { '/depth': () => json({ time: Date.now(), bids: [['99', '1']], asks: null }) },
    })
    expect([empty.isHealthy, empty.of('instrument')[0]]).toMatchObject([
      false,
      {
        status: 'problem',
        found: expect.stringMatching(/^Its order book shows no asks: orders at market fill nothing/),
      },
    ])
  })

  it.each([
    [
      'BTC/USD',
      { symbols: [pairEntry(), pairEntry('BTC', 'USDC'), pairEntry('DOGE', 'EUR')] },
      'The exchange does not list BTC/USD. Did you mean "BTC/USDT" or "BTC/USDC"?',
    ],
    ['BTC/USD', { symbols: null }, 'The exchange does not list BTC/USD. Its list is empty.'],
    ['XYZ/ABC', { symbols: [pairEntry()] }, 'The exchange does not list XYZ/ABC. It lists BTC/USDT.'],
  ])('names what is listed instead of %s', async (symbol, list, found) => {
    const { isHealthy, of, host } = await examined({ symbol, calls: { '/symbols': () => json(list) } })
    expect(isHealthy).toBe(false)
    expect(of('instrument')).toMatchObject([
      { subject: host.url, found, advice: expect.stringMatching(/^Name a symbol that the exchange lists/) },
    ])
  })
})

describe('the doctor of a slow line', () => {
  const venue = { description: 'host', clockOffsetMs: () => 0, clockUncertaintyMs: () => 1500 } as Venue
  const line = { isOnThisMachine: false, isPaper: true, readMs: 500, staleAfterMs: 2500 }

  it('tells how long a call takes, and what that means for what is read', () => {
    expect(examineClock(venue, line)).toMatchObject({
      status: 'problem',
      found:
        "The clock of this machine is 0 ms ahead of the exchange's, known to within 1500 ms. A call takes 3 s: order books and trades come every 3 s at best, not every 500 ms (venue.readMs), and are up to that old when a strategy or a stop sees them. They count as stale (polling.staleAfterMs is 2500 ms).",
    })
  })

  it('tells it also where a call takes longer than the pause between two reads only', () => {
    const slow = { ...venue, clockUncertaintyMs: () => 400 }
    expect(examineClock(slow, { ...line, isPaper: false })).toMatchObject({
      status: 'ok',
      found: expect.stringContaining(
        'A call takes 800 ms: prices come every 800 ms at best, not every 500 ms (polling.tickerMs)',
      ),
    })
    expect(examineClock({ ...venue, clockUncertaintyMs: () => 100 }, line).found).not.toContain(
      'A call takes',
    )
  })
})
