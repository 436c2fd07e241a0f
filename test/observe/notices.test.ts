import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import { heldBackTexts } from '../../src/bot/log/held-back-texts.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { Journal } from '../../src/journal/journal.ts'
import type { DeliveryResult } from '../../src/observe/channels/channel.ts'
import { heldSentence } from '../../src/observe/notices/daily-result.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { BotSession, type BotSessionOptions } from '../bot/bot-session.ts'
import { flipper } from '../bot/test-strategies.ts'
import { journalPath } from '../journal/journal-session.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { noticesWith, recordingChannel } from './recording-channel.ts'

const turns = () =>
  new Promise<void>(resolve => setImmediate(() => setImmediate(() => setImmediate(resolve))))
const fileOf = () => join(mkdtempSync(join(tmpdir(), 'sluice-notices-')), 'a.notices')
const plain = (sentence: string, more: object = {}) =>
  ({ kind: 'orderDenied', sentence, time: START, ...more }) as const

/** Buys whenever it holds nothing, with a stop-loss at 90. */
const holder = defineStrategy({
  name: 'holder',
  onKline: (_kline, { position }) =>
    position.direction === 'flat' ? enterLong({ stopLoss: 90 }) : undefined,
})

async function bot(
  options: Partial<BotSessionOptions>,
  config: object = {},
  answer?: () => Promise<DeliveryResult>,
) {
  const clock = new VirtualClock(START + 10 * MINUTE)
  const { channel, told, given } = recordingChannel(answer)
  const session = new BotSession({
    strategy: flipper,
    ...options,
    observer: { onEntry: entry => notices.observer.onEntry(entry) },
  })
  const { notices, lines } = noticesWith(channel, session.clock, config as Record<string, unknown>)
  const running = await session.create()
  running.start(error => session.failures.push(error))
  notices.begin('Nothing is held.', clock.now())
  notices.watch(running)
  return { session, told, given, notices, lines }
}

describe('the notices of a bot', () => {
  it('tell its fills and round trips, and what they came to', async () => {
    const { session, told, given } = await bot({})
    await session.run(4 * MINUTE)
    await turns()
    expect(told().slice(0, 4)).toEqual(['started', 'fill', 'fill', 'roundTrip'])
    expect(given[1]?.notice).toMatchObject({
      symbol: 'BTC/USDT',
      strategy: 'flipper',
      figures: { side: 'buy' },
    })
    // Bought and sold at 100 with 0.1% each way, and what one tick of spread may cost.
    expect(given[3]?.notice).toMatchObject({
      strategy: 'flipper',
      figures: { direction: 'long', quote: 'USDT' },
    })
    expect(given[3]?.notice.figures.pnl).toMatch(/^-/)
  })

  it('tell a denial once in ten minutes, and then how many more there were', async () => {
    const { session, given } = await bot({
      strategy: holder,
      risk: { limits: { maxNotional: amountOf('50') } },
    })
    await session.run(11 * MINUTE + 10_000)
    await turns()
    const denials = given.filter(({ notice }) => notice.kind === 'orderDenied')
    // One kline a minute: the first is told at once, the nine or ten after it at the end of the window.
    expect(denials).toHaveLength(2)
    expect(denials[0]?.notice.figures).toMatchObject({
      rule: 'maxNotional',
      limit: '50 USDT',
      actual: '100 USDT',
    })
    expect(denials[1]?.notice.figures.more).toMatch(/^(8|9|10)$/)
  })

  it('tell who commanded what, what holds trading back, and its end', async () => {
    const { session, told, given } = await bot({ strategy: holder })
    await session.operate('halt', { reason: 'planted' })
    await session.run(1000)
    await session.operate('resume')
    await session.run(1000)
    await turns()
    expect(told().filter(kind => kind !== 'fill')).toEqual([
      'started',
      'trading raised',
      'command',
      'trading resolved',
      'command',
    ])
    expect(given[2]?.notice).toMatchObject({
      figures: { command: 'halt', from: 'terminal', who: 'operator', ok: 'true' },
    })
    expect(JSON.stringify(given)).not.toContain('planted')
  })

  it('tell of a command that was refused that it was, as news of no weight', async () => {
    const { session, given } = await bot({ strategy: holder })
    await session.operate('pause', { symbol: 'DOGE/USDT', forMs: 1_800_000 })
    await turns()
    const [refused] = given.filter(({ notice }) => notice.kind === 'command')
    expect(refused?.notice.severity).toBe('info')
    expect(refused?.notice.sentence).toMatch(
      /^pause DOGE\/USDT for 30 min, by .+, refused: This bot does not trade DOGE\/USDT\./,
    )
  })

  it('tell a strategy that threw by its name, though it never traded, without its stack', async () => {
    const strategy = defineStrategy({
      name: 'broken',
      onKline: () => {
        throw new Error('no idea')
      },
    })
    const { session, given } = await bot({ strategy })
    await session.run(2 * MINUTE)
    await turns()
    const [failed] = given.filter(({ notice }) => notice.kind === 'strategyFailed')
    expect(failed?.notice).toMatchObject({ severity: 'critical', strategy: 'broken' })
    expect(failed?.notice.sentence).toContain('no idea')
    expect(failed?.notice.sentence).not.toContain('    at ')
  })

  it('tell once that the exchange is away and market data are stale, and once that both are over', async () => {
    const { session, told } = await bot({})
    await session.run(30_000)
    session.journeyOf = () => ({ refused: true })
    await session.run(3 * MINUTE)
    await turns()
    session.journeyOf = () => undefined
    await session.run(3 * MINUTE)
    await turns()
    const conditions = told().filter(kind => /exchangeAway|feedStale/.test(kind))
    expect(conditions.toSorted()).toEqual([
      'exchangeAway raised',
      'exchangeAway resolved',
      'feedStale raised',
      'feedStale resolved',
    ])
  })

  it('tell of an exchange that is away again within the window, and call the bot not well', async () => {
    const { session, told, notices } = await bot({})
    const run = async (ms: number, refused: boolean) => {
      session.journeyOf = () => (refused ? { refused } : undefined)
      await session.run(ms)
      await turns()
      return notices.isWell
    }
    expect(await run(30_000, false)).toBe(true)
    expect(await run(50_000, true)).toBe(false)
    expect(await run(60_000, false)).toBe(true)
    expect(await run(50_000, true)).toBe(false)
    expect(told().filter(kind => kind.startsWith('exchangeAway'))).toEqual([
      'exchangeAway raised',
      'exchangeAway resolved',
      'exchangeAway raised',
    ])
  })

  it('cost the bot nothing, whatever a channel does: the same requests at the same times', async () => {
    const sent = async (answer?: () => Promise<DeliveryResult>) => {
      const requests: string[] = []
      const { session } = await bot({}, {}, answer)
      session.journeyOf = call => {
        requests.push(`${session.clock.now()} ${call}`)
        return undefined
      }
      await session.run(10 * MINUTE)
      await turns()
      return requests.filter(text => text.includes('POST'))
    }
    const orders = await sent()
    expect(orders.length).toBeGreaterThan(5)
    expect(await sent(() => new Promise(() => {}))).toEqual(orders)
    expect(await sent(() => Promise.reject(new Error('a defect')))).toEqual(orders)
  })
})

describe('delivery', () => {
  it('tries again after 1, 2 and 4 s and as long as it is asked to wait, and keeps the order', async () => {
    const clock = new VirtualClock(START)
    const times: number[] = []
    const answers: DeliveryResult[] = [
      { type: 'failed', answer: 'HTTP 500' },
      { type: 'failed', answer: 'HTTP 500' },
      { type: 'failed', answer: 'HTTP 429', afterMs: 9000 },
    ]
    const { channel, given } = recordingChannel(() => {
      times.push(clock.now() - START)
      return answers.shift() ?? { type: 'delivered', answer: 'ok' }
    })
    const { notices, lines } = noticesWith(channel, clock)
    notices.take(plain('first', { key: 'a' }))
    notices.take(plain('second', { key: 'b' }))
    for (let second = 0; second < 20; second++) {
      await turns()
      await clock.advanceTo(clock.now() + 1000)
    }
    expect(times).toEqual([0, 1000, 3000, 12_000, 12_000])
    expect(given.map(({ notice }) => notice.sentence)).toEqual(['first', 'first', 'first', 'first', 'second'])
    expect(new Set(given.slice(0, 4).map(({ id }) => id)).size).toBe(1)
    expect(lines.map(line => JSON.parse(line).msg)).toEqual([
      'notices cannot be delivered; it is tried again',
      'notices are delivered again',
    ])
  })

  it('goes on after a restart with what was not confirmed, and with nothing else', async () => {
    const clock = new VirtualClock(START)
    const path = fileOf()
    const before = recordingChannel((_outgoing, count) =>
      count === 1 ? { type: 'delivered', answer: 'ok' } : { type: 'failed', answer: 'away' },
    )
    const first = noticesWith(before.channel, clock, { path })
    first.notices.take(plain('confirmed', { key: 'a' }))
    await turns()
    first.notices.take(plain('not confirmed', { key: 'b' }))
    await turns()
    // As after a SIGKILL: nothing is closed.
    const after = recordingChannel()
    const second = noticesWith(after.channel, clock, { path })
    second.notices.begin('Nothing is held.', START)
    await turns()
    expect(after.given.map(({ notice }) => notice.sentence)).toEqual([
      'not confirmed',
      'It trades. Nothing is held.',
    ])
    expect(after.given[0]?.id).toBe(before.given[1]?.id)
    // It had not said that it ended.
    const last = recordingChannel()
    noticesWith(last.channel, clock, { path }).notices.begin('', START)
    await turns()
    expect(last.told()).toEqual(['restarted'])
  })

  it('say at a start what holds the bot back, as the kill switch of before', async () => {
    const journal = new Journal(journalPath())
    const killed = new BotSession({ strategy: flipper, journal })
    await killed.start()
    await killed.run(MINUTE)
    await killed.operate('kill', { reason: 'a drill' })
    await killed.leave(MINUTE)
    const again = new BotSession({ strategy: flipper, journal, beside: killed })
    await again.start()
    const { channel, given } = recordingChannel()
    const { notices } = noticesWith(channel, again.clock)
    const status = await again.status()
    notices.begin(heldSentence(status), again.clock.now(), status.equity, heldBackTexts(status))
    await turns()
    expect(given[0]?.notice).toMatchObject({
      ...{ kind: 'started', severity: 'warning' },
      sentence:
        'It has started, held back. Trading of account is halted: The operator pulled the kill switch: a drill. Nothing is held.',
    })
    await again.leave(MINUTE)
    journal.close()
  })

  it('drops the mildest and oldest beyond its bound, and tells how many', async () => {
    const clock = new VirtualClock(START)
    let isAway = true
    const { channel, given } = recordingChannel(() =>
      isAway ? { type: 'failed', answer: 'away' } : { type: 'delivered', answer: 'ok' },
    )
    const { notices } = noticesWith(channel, clock, { queue: 10 })
    const outcomes: string[] = []
    notices.countOutcomes((name, outcome) => outcomes.push(`${name} ${outcome}`))
    for (let n = 1; n <= 12; n++) {
      const severity = n % 2 === 0 ? 'critical' : 'info'
      notices.take(plain(`${n}`, { key: `${n}`, severity }))
    }
    await turns()
    isAway = false
    await clock.advanceTo(START + 10_000)
    await turns()
    const told = given.slice(1).map(({ notice }) => notice.sentence)
    // 1 was on its way, so 3 and 5 went.
    expect(told.slice(0, 10)).toEqual(['1', '2', '4', '6', '7', '8', '9', '10', '11', '12'])
    expect(told[10]).toMatch(/^2 notices for one were dropped/)
    // The first was tried once in vain; ten of the notices and the one about the drops arrived.
    expect(outcomes.filter(one => one === 'one dropped')).toHaveLength(2)
    expect(outcomes.filter(one => one === 'one failed')).toHaveLength(1)
    expect(outcomes.filter(one => one === 'one delivered')).toHaveLength(11)
  })

  it('holds all but critical notices back in the quiet hours, and tells them together at their end', async () => {
    // 23:30 in Berlin, which is an hour ahead in January.
    const clock = new VirtualClock(Date.UTC(2026, 0, 10, 22, 30))
    const { channel, given } = recordingChannel()
    const { notices } = noticesWith(channel, clock, {
      timeZone: 'Europe/Berlin',
      quietHours: { from: '23:00', until: '07:00' },
    })
    const session = new BotSession({ strategy: holder })
    const running = await session.create()
    running.start(() => {})
    notices.watch(running)
    notices.take(plain('mild', { key: 'a' }))
    notices.take(plain('grave', { key: 'b', severity: 'critical' }))
    await turns()
    expect(given.map(({ notice }) => notice.sentence)).toEqual(['grave'])
    await clock.advanceTo(Date.UTC(2026, 0, 11, 6, 1))
    await turns()
    const told = ['grave', '1 notice came during the quiet hours:\n- mild']
    expect(given.map(({ notice }) => notice.sentence)).toEqual(told)
  })

  it('tells what came in the quiet hours before what comes after them, also before a look at the bot', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 11, 6, 59))
    const { channel, given } = recordingChannel()
    const { notices } = noticesWith(channel, clock, {
      timeZone: 'UTC',
      quietHours: { from: '23:00', until: '07:00' },
    })
    notices.take(plain('early', { key: 'a' }))
    await clock.advanceTo(Date.UTC(2026, 0, 11, 7))
    notices.take(plain('late', { key: 'b' }))
    await turns()
    expect(given.map(({ notice }) => notice.sentence)).toEqual([
      '1 notice came during the quiet hours:\n- early',
      'late',
    ])
  })

  it('sends a channel what is severe enough for it', async () => {
    const { channel, told } = recordingChannel(undefined, 'critical')
    const { notices } = noticesWith(channel, new VirtualClock(START))
    notices.take(plain('mild'))
    notices.take({ kind: 'liquidated', sentence: 'grave', time: START })
    await turns()
    expect(told()).toEqual(['liquidated'])
  })
})
