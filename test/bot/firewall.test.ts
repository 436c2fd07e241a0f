import { describe, expect, it } from 'vitest'
import type { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import { createBotLog } from '../../src/bot/log/bot-log.ts'
import { StartPatience } from '../../src/bot/start/start-patience.ts'
import { failureOf } from '../../src/cli/failure.ts'
import { Journal } from '../../src/journal/journal.ts'
import type { FaultRuleInput } from '../../src/simulator/faults/fault-rule.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { journalPath } from '../journal/journal-session.ts'
import { klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'

const holder = defineStrategy({
  name: 'holder',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => (state.klines++ === 0 ? enterLong({ stopLoss: 90 }) : undefined),
})

/** A session that holds 1 BTC from minute 11 on, bought at 100; from minute 13 on the market stands at 85. */
async function holding(strategy = holder, onStop: 'cancel' | 'flatten' = 'cancel') {
  const klines = klinesOf(
    ...Array.from({ length: 60 }, (_, minute) => {
      const price = minute < 13 ? 100 : 85
      return [price, price, price, price] as const
    }),
  )
  const session = new BotSession({ strategy, klines, execution: { onStop, stopWithinMs: 20_000 } })
  await session.start()
  await session.run(MINUTE + 30_000)
  return session
}

function stage({ exchange, clock }: BotSession, rule: FaultRuleInput): void {
  exchange.stage({ type: 'setFault', time: clock.now(), rule })
}

describe('a bot behind a network that answers every call with a page', () => {
  it.each([403, 302, 404, 502, 200])(
    'of HTTP %i for five minutes goes on, says so, and sells by its stop-loss right after',
    async status => {
      const session = await holding()
      expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
      stage(session, { fault: 'page', status, until: '+5m' })
      await session.run(5 * MINUTE)
      expect(session.failures).toEqual([])
      expect(session.said('fill')).toHaveLength(1)
      const failed = session.said('a call to the exchange failed')
      expect(JSON.stringify(failed)).toMatch(
        status === 200 ? /it is no JSON/ : new RegExp(`It answered HTTP ${status} `),
      )
      expect((await session.status()).line.failedCalls).toBeGreaterThan(5)
      expect((await session.status()).line.lastFailure).toContain(`HTTP ${status}`)
      // The longest pause between two tickers that fail is 3 s.
      await session.run(5000)
      expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
      expect(session.failures).toEqual([])
      await session.run(MINUTE)
      await session.run(6 * MINUTE)
      expect((await session.status()).line).toMatchObject({ failedCalls: 0 })
    },
  )

  it('only for orders looks for the stop-loss that it sent, and sends another one', async () => {
    const session = await holding()
    stage(session, { fault: 'page', endpoint: 'POST /sapi/*', until: '+3m' })
    await session.run(10 * MINUTE)
    expect(session.failures).toEqual([])
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
  })

  it('names, when it ends, what is held and what rests at the exchange', async () => {
    const strategy = defineStrategy({
      name: 'both',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { state }) => {
        if (state.klines++ > 0) return undefined
        const order = { type: 'limit', price: 80 } as const
        return [
          enterLong({ stopLoss: 70 }),
          enterLong({ order, scaleIn: true, keep: true, size: { base: 2 } }),
        ]
      },
    })
    const session = await holding(strategy)
    const [id] = session.openIds
    stage(session, { fault: 'page' })
    const summary = await session.leave(MINUTE)
    expect(summary?.leftBehind).toMatch(
      new RegExp(
        `^Still held: long 0\\.999\\d* BTC of BTC/USDT\\. At the exchange rests: buy 2\\.0* BTC of BTC/USDT at 80 \\(${id}, \\d+\\)\\. ` +
          '1 protective order was in this process alone, not placed at the exchange, and fires no more: without a journal the next start knows nothing of what is held and protects nothing; close or protect it at the exchange yourself\\.$',
      ),
    )
    expect(session.said('the bot ends')).toEqual([
      expect.objectContaining({ level: 'warn', state: summary?.leftBehind }),
    ])
  })

  it('ends for a key that the exchange refuses in JSON, and names what is held', async () => {
    const session = await holding()
    const body = '{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}'
    session.journeyOf = call => (call.includes('account') ? { answer: { status: 403, body } } : undefined)
    await session.run(MINUTE)
    expect(session.failures).toEqual([expect.objectContaining({ exchangeCode: -2015 })])
    expect((await session.leave(MINUTE))?.leftBehind).toMatch(
      /^Still held: long 0\.999\d* BTC of BTC\/USDT\. No order of this bot rests/,
    )
  })
})

describe('a start behind a network that answers every call with a page', () => {
  /** A bot that is not started yet, and the pauses between the tries of its start, ms. */
  function waiting(journal?: Journal) {
    const pauses: number[] = []
    const lines: string[] = []
    const log = createBotLog({ level: 'info', readable: true, stream: { write: line => lines.push(line) } })
    const patience = (clock: VirtualClock) => {
      const patient = new StartPatience(clock, log)
      return (error: unknown) => {
        const pauseMs = patient.pauseAfter(error)
        if (pauseMs !== undefined) pauses.push(pauseMs)
        return pauseMs
      }
    }
    const session = new BotSession({ strategy: holder, patience, ...(journal && { journal }) })
    return { session, pauses, lines }
  }

  it.each([403, 502, 200])('of HTTP %i for a minute waits, says so, and trades', async status => {
    const { session, lines } = waiting()
    stage(session, { fault: 'page', status, until: '+1m' })
    await session.clock.passUntil(session.start(), 1000)
    expect(lines.join('')).toMatch(
      new RegExp(`HTTP ${status}.* The start tries it again until 2\\d{3}-.*Z, then it ends\\.`),
    )
    await session.run(2 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
    expect(session.failures).toEqual([])
  })

  it('waits likewise while the exchange fails inside, with HTTP 500 and JSON, and trades', async () => {
    const { session, lines } = waiting()
    const body = '{"code":-1001,"msg":"Internal error; unable to process your request."}'
    const until = session.clock.now() + MINUTE
    session.journeyOf = () => (session.clock.now() < until ? { answer: { status: 500, body } } : undefined)
    await session.clock.passUntil(session.start(), 1000)
    expect(lines.join('')).toMatch(/-1001.* The start tries it again until 2\d{3}-.*Z, then it ends\./)
    await session.run(2 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
    expect(session.failures).toEqual([])
  })

  it.each([
    [429, '45', 'HTTP 429'],
    [418, undefined, 'HTTP 418'],
  ])(
    'waits until a rate limit of HTTP %i ends, calls nothing before, and trades',
    async (status, retryAfter, why) => {
      const { session, lines, pauses } = waiting()
      let calls = 0
      session.journeyOf = () =>
        calls++ === 0 ? { answer: { status, body: '{}', ...(retryAfter && { retryAfter }) } } : undefined
      await session.clock.passUntil(session.start(), 1000)
      // A ban lasts two minutes where the exchange names no end.
      expect(pauses).toEqual([retryAfter === undefined ? 120_000 : 45_000])
      expect(lines.join('')).toMatch(
        /call again after 2.* The start tries it again until 2\d{3}-.*Z, then it ends\./,
      )
      expect(lines.join('')).toContain(why)
      await session.run(2 * MINUTE)
      expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
    },
  )

  it('ends at once with the end of a ban that is longer than it waits', async () => {
    const { session, pauses } = waiting()
    session.journeyOf = () => ({ answer: { status: 418, body: '{}', retryAfter: '3600' } })
    await expect(session.clock.passUntil(session.create(), 1000)).rejects.toThrow(/call again after 2\d{3}-/)
    expect(pauses).toEqual([])
  })

  it('ends after two minutes with a sentence, and has written nothing', async () => {
    const journal = new Journal(journalPath())
    const { session, pauses } = waiting(journal)
    const begunAt = session.clock.now()
    stage(session, { fault: 'page', status: 403 })
    const start = session.clock.passUntil(session.create(), 1000)
    await expect(start).rejects.toThrow(
      /^The exchange gave no answer to .*: It answered HTTP 403 without JSON/,
    )
    expect(failureOf(await start.catch((error: unknown) => error)).exitCode).toBe(1)
    // 2 s to begin with, then as long as pages have come for, at most 30 s.
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBe(120_000)
    expect(pauses.length).toBeLessThan(12)
    expect(session.clock.now() - begunAt).toBeLessThan(125_000)
    expect(journal.seq).toBe(0)
    journal.close()
  })

  it('ends at once where nothing answers at all', async () => {
    const { session, pauses } = waiting()
    session.journeyOf = () => ({ refused: true })
    await expect(session.clock.passUntil(session.create(), 1000)).rejects.toThrow('could not be reached')
    expect(pauses).toEqual([])
  })
})
