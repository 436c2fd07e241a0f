import pino from 'pino'
import { expect, it } from 'vitest'
import { FailedCalls } from '../../../src/bot/log/failed-calls.ts'
import { logLineText } from '../../../src/bot/text/log-lines.ts'

it('says of calls that go through again when the last of them failed, not that they fail', () => {
  const lines: Readonly<Record<string, string>>[] = []
  const log = pino({ base: null }, { write: line => lines.push(JSON.parse(line)) })
  const [begin, clock] = [Date.UTC(2026, 0, 1), { now: 0 }]
  const calls = new FailedCalls({ now: () => clock.now }, () => begin + clock.now, log)
  // The exchange is away for 44 s, and answers from then on.
  for (; clock.now <= 60_000; clock.now += 1000) {
    if (clock.now <= 44_000) calls.failed('klines', 'It was away.')
    calls.look()
  }
  expect(lines.map(({ msg = '', ...fields }) => logLineText(msg, fields))).toEqual([
    'A call to the exchange failed (klines): It was away.',
    'A call to the exchange has failed 45 times since 2026-01-01 00:00:00Z (klines), the last time at 2026-01-01 00:00:44Z: It was away.',
  ])
})
