import { describe, expect, it } from 'vitest'
import type { BotHealth } from '../../src/bot/log/bot-health.ts'
import type { BotStatus, UnprotectedStatus } from '../../src/bot/log/bot-status.ts'
import type { ComparisonUpdate } from '../../src/compare/comparison-messages.ts'
import { botNotice } from '../../src/observe/notices/bot-notice.ts'
import { HealthWatch } from '../../src/observe/notices/health-watch.ts'

const NOW = Date.UTC(2026, 10, 27, 23, 1, 40)
const STATUS = {
  time: '2026-11-27T23:01:40.000Z',
  ...{ unprotected: [], orders: [], held: [], comparison: 'agreed' },
  line: { failedCalls: 0, refusedData: 0, doubtedPrices: 0 },
} as unknown as BotStatus // as much of one as is looked at
const HEALTH: BotHealth = { clockUncertaintyMs: 20, uncommitted: 0, feedAgesMs: {} }
const UNPROTECTED: UnprotectedStatus = {
  ...{ book: 'E-BTC-USDT', symbol: 'E-BTC-USDT', purpose: 'stopLoss', cause: 'price' as const },
  ...{ clientOrderId: 'id-1', since: '2026-11-27T23:01:00.000Z', refusedTimes: 0 },
  why: 'Close the position at the exchange by hand if you do not want to wait.',
}

/** The sentences of looks at a bot after so many seconds. */
function looks(...shown: readonly (readonly [second: number, status: Partial<BotStatus>])[]) {
  const watch = new HealthWatch()
  return shown.flatMap(([second, status]) => {
    const time = NOW + second * 1000
    return watch
      .look({ status: { ...STATUS, ...status }, health: HEALTH, now: time, time })
      .map(({ state, sentence }) => `${state}: ${sentence}`)
  })
}

it.each([
  ['while it is held', [{ book: 'E-BTC-USDT' }], 'The stop-loss of E-BTC-USDT protects it again.'],
  ['with it', [], 'The position of E-BTC-USDT is closed.'],
])('tells how the want of protection ended %s, and asks for nothing more', (_when, held, sentence) => {
  const [raised, resolved, ...more] = looks(
    [0, { unprotected: [UNPROTECTED] }],
    [5, { held: held as unknown as BotStatus['held'] }],
  )
  expect(raised).toContain('IS NOT PROTECTED')
  expect([resolved, ...more]).toEqual([`resolved: ${sentence}`])
})

describe('live beside its backtest', () => {
  const [BEGIN, LATER] = ['2026-11-27T12:00:00.000Z', '2026-11-28T12:00:00.000Z']
  const FAILED = { type: 'failed', reason: 'No memory.' } as const

  /** What is told of looks at verdicts that follow each other, each with the begin of its span. */
  function told(
    ...updates: readonly (ComparisonUpdate | readonly [verdict: string, from?: string])[]
  ): readonly string[] {
    const watch = new HealthWatch()
    return updates.flatMap((given, second) => {
      const [now, comparison] = [NOW + second * 5000, 'type' in given ? given : updateOf(...given)]
      const seen = { status: STATUS, health: HEALTH, comparison, now, time: now }
      return watch.look(seen).map(({ state, kind, sentence }) => `${kind} ${state}: ${sentence}`)
    })
  }

  const updateOf = (verdict: string, from = BEGIN) =>
    ({
      type: 'compared',
      comparison: { verdict, from, sentence: `(${verdict})`, difference: '-5', quote: 'USDT' },
    }) as ComparisonUpdate // as much of one as is looked at

  it('is told once when it differs, and once more when it is back within the bound', () => {
    expect(
      told(
        { type: 'waiting' },
        ['asPromised'],
        ['differs'],
        ['differs'],
        FAILED,
        ['differs'],
        ['asPromised'],
      ),
    ).toEqual(['liveDiffers raised: (differs)', 'liveDiffers resolved: (asPromised)'])
  })

  it('is told anew when a part is unexplained, which is no end of the difference', () => {
    expect(told(['differs'], ['unexplained'], FAILED, ['differs'], ['asPromised'])).toEqual([
      'liveDiffers raised: (differs)',
      'liveDiffers raised: (unexplained)',
      'liveDiffers resolved: What could not be explained of the difference is explained now: it is no defect. (differs)',
      'liveDiffers resolved: (asPromised)',
    ])
  })

  it('takes nothing back where the compared span began anew', () => {
    expect(told(['unexplained'], ['asPromised', LATER])).toEqual([
      'liveDiffers raised: (unexplained)',
      'liveDiffers resolved: (asPromised)',
    ])
  })

  it('is not over after a restart before it was compared again', () => {
    const raised = botNotice({
      kind: 'liveDiffers',
      key: 'liveDiffers',
      state: 'raised',
      sentence: '(differs)',
      time: NOW,
    })
    const watch = new HealthWatch([raised])
    const look = (second: number, comparison: ComparisonUpdate) => {
      const now = NOW + second * 1000
      const notices = watch.look({ status: STATUS, health: HEALTH, comparison, now, time: now })
      return notices.map(({ state, sentence }) => `${state}: ${sentence}`)
    }
    expect([look(0, { type: 'waiting' }), look(120, { type: 'waiting' })]).toEqual([[], []])
    expect(look(125, updateOf('differs'))).toEqual([])
    expect(look(130, updateOf('asPromised'))).toEqual(['resolved: (asPromised)'])
  })
})

/** Calls that have failed since 23:01:11, the latest of them at a second of that minute. */
const failure = (second: number) => ({
  line: {
    ...STATUS.line,
    failedCalls: 2,
    lastFailure: `2026-11-27 23:01:${second}Z, tickers: No answer.`,
    failingSince: '2026-11-27T23:01:11.000Z',
  },
})

it('tells since when calls have failed, the latest of them, and that they go through again', () => {
  expect(looks([0, failure(39)], [30, failure(59)], [65, {}])).toEqual([
    'raised: Calls to the exchange have failed since 2026-11-27 23:01:11Z; the bot tries on. The latest: 2026-11-27 23:01:59Z, tickers: No answer.',
    'resolved: Calls to the exchange go through again.',
  ])
})

it('tells since when calls have failed to an exchange whose clock runs so fast that none seems to go on', () => {
  const fastFailure = (minute: number) => ({
    time: '2026-11-28T04:47:55.000Z',
    line: {
      ...STATUS.line,
      failedCalls: 1,
      lastFailure: `2026-11-28 04:4${minute}:59Z, tickers: No answer.`,
      lastFailedAt: `2026-11-28T04:4${minute}:59.000Z`,
    },
  })
  expect(looks([0, fastFailure(3)], [20, fastFailure(4)], [35, fastFailure(5)])).toEqual([
    'raised: Calls to the exchange have failed since 2026-11-28 04:43:59Z; the bot tries on. The latest: 2026-11-28 04:45:59Z, tickers: No answer.',
  ])
})

it('tells nothing of an exchange that was away for less than 30 s, however long its failures count', () => {
  expect(looks([0, failure(23)], [15, failure(34)], [35, failure(34)], [40, failure(34)], [50, {}])).toEqual(
    [],
  )
})
