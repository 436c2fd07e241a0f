import { describe, expect, it } from 'vitest'
import { botNotice, type GivenNotice } from '../../src/observe/notices/bot-notice.ts'
import { isWithinHours, localTime } from '../../src/observe/notices/local-time.ts'
import { NoticeGate } from '../../src/observe/notices/notice-gate.ts'

const WINDOW_MS = 600_000
const notice = (sentence: string, more: Partial<GivenNotice> = {}) =>
  botNotice({ kind: 'feedStale', key: 'feedStale BTC/USDT', sentence, time: 0, ...more })
const raised = (sentence: string, more: Partial<GivenNotice> = {}) =>
  notice(sentence, { state: 'raised', ...more })
const resolved = notice('It is over.', { state: 'resolved' })
const told = (notices: readonly { readonly sentence: string }[]) => notices.map(({ sentence }) => sentence)

describe('notices of one matter', () => {
  it('pass once in a window, and at its end comes the last with the number of the others', () => {
    const gate = new NoticeGate(WINDOW_MS)
    expect(told(gate.take(notice('1st'), 0))).toEqual(['1st'])
    for (const [at, text] of ['2nd', '3rd', '4th'].entries())
      expect(gate.take(notice(text), at + 1)).toEqual([])
    expect(gate.flush(WINDOW_MS - 1)).toEqual([])
    expect(told(gate.flush(WINDOW_MS))).toEqual(['4th (2 more of this since the last notice.)'])
    expect(gate.flush(3 * WINDOW_MS)).toEqual([])
    expect(told(gate.take(notice('5th'), 3 * WINDOW_MS))).toEqual(['5th'])
  })

  it('pass at once for other matters', () => {
    const gate = new NoticeGate(WINDOW_MS)
    gate.take(notice('a'), 0)
    expect(told(gate.take(notice('b', { key: 'feedStale ETH/USDT' }), 0))).toEqual(['b'])
  })

  it('do not wait where it became worse, nor at the end of a condition', () => {
    const gate = new NoticeGate(WINDOW_MS)
    gate.take(raised('stale'), 0)
    expect(gate.take(raised('stale for longer'), 1)).toEqual([])
    expect(told(gate.take(raised('grave', { severity: 'critical' }), 2))).toEqual([
      'grave (1 more of this since the last notice.)',
    ])
    expect(told(gate.take(resolved, 3))).toEqual(['It is over.'])
    expect(gate.raised).toEqual([])
  })

  it('say nothing of the end of what nobody was told, nor the same twice', () => {
    const gate = new NoticeGate(WINDOW_MS)
    expect(gate.take(resolved, 0)).toEqual([])
    gate.take(raised('stale'), 0)
    expect(gate.take(raised('stale'), 2 * WINDOW_MS)).toEqual([])
    gate.take(resolved, 2 * WINDOW_MS)
    expect(gate.take(resolved, 5 * WINDOW_MS)).toEqual([])
  })

  it('of a critical condition that begins anew wait a minute from its end at most', () => {
    const gate = new NoticeGate(WINDOW_MS)
    const critical = { severity: 'critical' } as const
    gate.take(raised('away', critical), 0)
    expect(told(gate.take(notice('It is over.', { state: 'resolved', ...critical }), 1))).toEqual([
      'It is over.',
    ])
    expect(gate.take(raised('away again', critical), 2)).toEqual([])
    expect(gate.flush(60_000)).toEqual([])
    expect(told(gate.flush(60_001))).toEqual(['away again'])
    expect(told(gate.take(notice('It is over.', { state: 'resolved', ...critical }), 60_002))).toEqual([
      'It is over.',
    ])
    expect(told(gate.take(raised('once more', critical), 120_002))).toEqual(['once more'])
  })

  it('that come and go within a window end with the last word', () => {
    const gate = new NoticeGate(WINDOW_MS)
    gate.take(raised('stale'), 0)
    gate.take(resolved, 1)
    expect(gate.take(raised('stale again'), 2)).toEqual([])
    // It is over before anybody heard that it had begun again.
    expect(gate.take(resolved, 3)).toEqual([])
    expect(gate.flush(WINDOW_MS + 1)).toEqual([])
  })

  it('that are over tell nothing else, however often they changed meanwhile', () => {
    const gate = new NoticeGate(WINDOW_MS)
    gate.take(raised('stale'), 0)
    gate.take(raised('stale for longer'), 1)
    const [over] = gate.take(resolved, 2)
    expect(over).toMatchObject({ sentence: 'It is over.', figures: { more: '1' } })
  })

  it('are known after a restart', () => {
    const before = new NoticeGate(WINDOW_MS)
    before.take(raised('stale'), 0)
    const after = new NoticeGate(WINDOW_MS, before.kept)
    expect(after.take(raised('stale'), 1)).toEqual([])
    expect(told(after.take(resolved, 2))).toEqual(['It is over.'])
  })
})

describe('hours of a day', () => {
  it.each([
    ['22:00', '07:00', '21:59', false],
    ['22:00', '07:00', '22:00', true],
    ['22:00', '07:00', '00:30', true],
    ['22:00', '07:00', '07:00', false],
    ['01:00', '05:00', '00:59', false],
    ['01:00', '05:00', '04:59', true],
    ['01:00', '05:00', '05:00', false],
  ])('from %s until %s have %s: %s', (from, until, time, isWithin) => {
    expect(isWithinHours(time, { from, until })).toBe(isWithin)
  })

  it.each([
    // Berlin is an hour ahead of UTC in winter and two in summer; the clocks went forward on 29 March 2026 at 01:00 UTC.
    [Date.UTC(2026, 2, 29, 0, 59), 'Europe/Berlin', { day: '2026-03-29', time: '01:59' }],
    [Date.UTC(2026, 2, 29, 1, 0), 'Europe/Berlin', { day: '2026-03-29', time: '03:00' }],
    [Date.UTC(2026, 6, 1, 22, 30), 'Europe/Berlin', { day: '2026-07-02', time: '00:30' }],
    [Date.UTC(2026, 6, 1, 22, 30), 'Asia/Kolkata', { day: '2026-07-02', time: '04:00' }],
    [Date.UTC(2026, 6, 1, 0, 5), 'UTC', { day: '2026-07-01', time: '00:05' }],
  ])('follow the time zone: %d in %s', (now, zone, local) => {
    expect(localTime(now, zone)).toEqual(local)
  })
})
