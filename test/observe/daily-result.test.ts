import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import type { BotStatus } from '../../src/bot/log/bot-status.ts'
import { afterTest } from '../after-test.ts'
import { noticesWith, recordingChannel } from './recording-channel.ts'

const HOUR = 3_600_000
/** Noon in Berlin, an hour ahead of UTC in January. */
const NOON = Date.UTC(2026, 0, 10, 11)

function statusAt(time: number, usdt: string): BotStatus {
  return {
    ...{
      bot: 'test',
      time: new Date(time).toISOString(),
      unprotected: [],
      strategies: [],
      orders: [],
      held: [],
    },
    ...{ line: { failedCalls: 0, refusedData: 0, doubtedPrices: 0 }, equity: { USDT: usdt }, trading: [] },
    comparison: 'agreed',
  } as unknown as BotStatus // what notices read
}

it('tells the result of the day at its time of the place, over a restart, and begins anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-day-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const config = { path: join(folder, 'a.notices'), digestAt: '08:00', timeZone: 'Europe/Berlin' }
  const clock = new VirtualClock(NOON)
  let equity = '10000'
  const { channel, given } = recordingChannel()
  const health = { uncommitted: 0, clockUncertaintyMs: 0, feedAgesMs: {} }
  const operate = async () => ({ ok: true, message: '', status: statusAt(clock.now(), equity) }) as const
  const results = () => given.map(({ notice }) => notice).filter(({ kind }) => kind === 'dailyResult')
  const trip = (key: string, pnl: string) =>
    ({ kind: 'roundTrip', key, sentence: key, figures: { quote: 'USDT', pnl }, time: clock.now() }) as const

  const before = noticesWith(channel, clock, config)
  before.notices.begin('', NOON, { USDT: equity })
  // Lost before the first look.
  equity = '9990'
  before.notices.watch({ operate, health })
  await clock.advanceTo(NOON + HOUR)
  before.notices.take({ kind: 'fill', key: '1', sentence: 'A fill.', time: clock.now() })
  before.notices.take(trip('2', '19.5'))
  await clock.advanceTo(NOON + 2 * HOUR)
  expect(results()).toEqual([])
  await before.notices.close(0)

  const { notices } = noticesWith(channel, clock, config)
  notices.watch({ operate, health })
  notices.take(trip('3', '-4.250000000000000012'))
  notices.take({ kind: 'orderDenied', key: '4', sentence: 'Denied.', time: clock.now() })
  equity = '10012.5'
  await clock.advanceTo(NOON + 20 * HOUR - 1000)
  expect(results()).toEqual([])
  await clock.advanceTo(NOON + 20 * HOUR + 10_000)
  // 10,012.5 − 10,000 = 12.5; 19.5 − 4.25 = 15.25, one of two with a profit.
  expect(results().map(({ sentence }) => sentence)).toEqual([
    'Since 2026-01-10 11:00:00Z: Equity 10,012.50 USDT (+12.50 USDT). Round trips closed: 2, 1 with a profit, +15.25 USDT after fees. Fills: 1, denials: 1, rejections: 0. Nothing is held.',
  ])
  expect(results()[0]?.figures).toMatchObject({ 'realised USDT': '15.25' })
  equity = '10010'
  await clock.advanceTo(NOON + 44 * HOUR + 10_000)
  expect(results().at(-1)?.sentence).toMatch(
    /Equity 10,010\.00 USDT \(-2\.50 USDT\)\. No round trip was closed\. Fills: 0, denials: 0, rejections: 0\./,
  )
  expect(results()).toHaveLength(2)
  await notices.close(0)
})
