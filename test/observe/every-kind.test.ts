import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import type { BotHealth } from '../../src/bot/log/bot-health.ts'
import type { BotStatus } from '../../src/bot/log/bot-status.ts'
import type { ComparisonUpdate } from '../../src/compare/comparison-messages.ts'
import { NoticeSecrets } from '../../src/config/notice-secrets.ts'
import { noticesField } from '../../src/config/notices-field.ts'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import type { TradingHold } from '../../src/domain/events/trading-hold.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Fill } from '../../src/domain/orders/fill.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { BotNotices } from '../../src/observe/bot-notices.ts'
import { Outbox } from '../../src/observe/channels/outbox.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../src/observe/notices/bot-notice.ts'
import { afterTest } from '../after-test.ts'
import { idleSession } from '../bot/state/idle-session.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { fakeHttp, type Reply } from './fake-http.ts'
import { fakeSmtp } from './fake-smtp.ts'
import { fakeTelegram } from './fake-telegram.ts'

/** Half a minute before the end of the quiet hours and the time of the daily result. */
const NOW = Date.UTC(2026, 0, 2, 7, 59, 30)
const SYMBOL = SPOT_BTC.symbol
const TOKEN = '123:planted-token'
const STRANGER = 666

const STATUS = {
  ...{
    bot: 'test',
    time: new Date(NOW).toISOString(),
    unprotected: [],
    strategies: [],
    orders: [],
    held: [],
  },
  ...{ line: { failedCalls: 0, refusedData: 0, doubtedPrices: 0 }, equity: { USDT: '10000' }, trading: [] },
  comparison: 'agreed',
} as unknown as BotStatus // what notices read
const HEALTH = { uncommitted: 0, clockUncertaintyMs: 0, feedAgesMs: {} }

/** A market order of 2 BTC that came to a status. */
const order = (status: Order['status'], more: object = {}) =>
  ({
    request: {
      ...{
        clientOrderId: 'id-1',
        strategy: 'cross',
        symbol: SYMBOL,
        book: SYMBOL,
        side: 'buy',
        purpose: 'entry',
      },
      ...{ spec: { type: 'market' }, quantity: steps(2000), reduceOnly: false, decidedAt: NOW },
    },
    ...{ status, filledQuantity: steps(0), ...more },
  }) as unknown as Order // risk approved it once

const fill: Fill = {
  ...{
    id: '1',
    clientOrderId: 'id-1',
    symbol: SYMBOL,
    side: 'buy',
    price: ticks(10_000),
    quantity: steps(2000),
  },
  ...{ fee: amountOf('0.002'), feeAsset: 'BTC', liquidity: 'taker', time: NOW },
}
const hold: TradingHold = { mode: 'halted', source: 'operator', reason: 'A drill.', since: NOW }
const closed = {
  symbol: SYMBOL,
  book: SYMBOL,
  direction: 'long',
  quantity: steps(2000),
  price: ticks(9000),
} as const

/** The notices of a bot with a channel of each type on loopback; `config`: further settings. */
async function notifying(config: object = {}, before: (outbox: Outbox) => void = () => {}) {
  const clock = new VirtualClock(NOW)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kinds-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.notices')
  const earlier = new Outbox(path)
  before(earlier)
  earlier.close()
  const away = { now: false }
  const answer = (reply: Reply) => (away.now ? { status: 500 } : reply)
  const telegram = await fakeTelegram()
  telegram.replyToMessages(() => answer({ status: 200, body: { ok: true, result: {} } }))
  const hook = await fakeHttp(() => answer({ status: 200 }))
  const smtp = await fakeSmtp(() => (away.now ? '451 4.3.0 later' : '250 2.0.0 queued'))
  const settings = noticesField.parse({
    ...config,
    channels: {
      phone: { type: 'telegram', chat: 8, apiUrl: telegram.url, operate: [8] },
      hook: { type: 'webhook', url: hook.url, secretEnv: 'HOOK_SECRET' },
      mail: {
        ...{ type: 'mail', host: '127.0.0.1', port: smtp.port, security: 'none' },
        ...{ user: 'me', from: 'a@example.com', to: ['b@example.com'] },
      },
    },
  })
  const secrets = new NoticeSecrets(
    new Map([
      ['SLUICE_TELEGRAM_TOKEN', TOKEN],
      ['HOOK_SECRET', 'planted-secret'],
      ['SLUICE_SMTP_PASSWORD', 'planted-password'],
    ]),
  )
  const lines: string[] = []
  const log = pino({ base: null }, { write: line => lines.push(line) })
  const redact = (text: string) => secrets.redact(text)
  const notices = BotNotices.open({ config: settings, bot: 'test', log, secrets, path, clock, redact })
  afterTest(() => notices.close())
  const seen: { status: BotStatus; health: BotHealth; comparison?: ComparisonUpdate } = {
    status: STATUS,
    health: HEALTH,
  }
  const bot = {
    operate: async () => ({ ok: true, message: '', status: seen.status }) as const,
    get health() {
      return seen.health
    },
  }
  notices.observer.onEntry({ kind: 'session', time: NOW, body: idleSession() })
  return {
    ...{ clock, notices, telegram, hook, smtp, away, lines },
    start: () => notices.watch(bot, STATUS, NOW, () => seen.comparison),
    /** What the comparison with the backtest says from now on. */
    compares: (comparison: object) => {
      seen.comparison = { type: 'compared', comparison } as ComparisonUpdate // as much of one as notices read
    },
    /** An event after which the engine reports this. */
    reports: (output: EngineOutput) =>
      notices.observer.onEntry({ kind: 'event', time: NOW, body: {}, decisions: [output] }),
    /** What the bot shows from now on, for half a minute and a bit. */
    shows: async (status: object, health: Partial<BotHealth> = {}) => {
      seen.status = { ...STATUS, ...status }
      seen.health = { ...HEALTH, ...health }
      await clock.advanceTo(clock.now() + 40_000)
    },
  }
}

type Told = Awaited<ReturnType<typeof notifying>>

/** How each kind comes about in a bot that trades. */
const SITUATIONS: Readonly<Record<NoticeKind, (told: Told) => unknown>> = {
  started: () => {},
  restarted: () => {},
  interrupted: () => {},
  startFailed: ({ notices }) =>
    notices.take({ kind: 'startFailed', sentence: `It fails with ${TOKEN}.`, time: NOW }),
  stopped: ({ notices }) => notices.end('Nothing is held.', undefined, NOW),
  failed: ({ notices }) => notices.end('Nothing is held.', `It broke at ${TOKEN}.`, NOW),
  fill: ({ reports }) => reports({ type: 'fillBooked', fill, order: order('filled') }),
  roundTrip: ({ reports }) =>
    reports({
      type: 'roundTripClosed',
      roundTrip: {
        ...{ ...closed, entryTime: NOW, entryPrice: ticks(10_000), exitTime: NOW, exitPrice: ticks(11_000) },
        ...{ pnl: amountOf('19.5'), fees: amountOf('0.5'), entryReason: 'entry', exitReason: 'takeProfit' },
      },
    }),
  orderDenied: ({ reports }) =>
    reports({
      type: 'denied',
      time: NOW,
      denial: {
        ...{ rule: 'maxNotional', limit: '50 USDT', actual: '200 USDT', message: 'It is too large.' },
        intent: {
          ...{ clientOrderId: 'id-1', strategy: 'cross', symbol: SYMBOL, side: 'buy', purpose: 'entry' },
          ...{ plan: { type: 'market' }, quantity: amountOf('2'), reduceOnly: false, decidedAt: NOW },
          referencePrice: ticks(10_000),
        },
      },
    }),
  orderRejected: ({ reports }) =>
    reports({ type: 'orderChanged', order: order('rejected', { reason: `No ${TOKEN}.` }), time: NOW }),
  groupOverfilled: ({ reports }) => reports({ type: 'groupOverfilled', first: 'id-0', fill }),
  liquidated: ({ reports }) =>
    reports({ type: 'positionLiquidated', liquidation: { ...closed, fee: amountOf('1') }, time: NOW }),
  accountEmpty: ({ shows }) => shows({ nothingLeft: 'The account has nothing left.' }),
  closedOutside: ({ reports }) =>
    reports({
      type: 'positionLiquidated',
      liquidation: { ...closed, by: 'others', fee: amountOf('1') },
      time: NOW,
    }),
  trading: ({ reports }) =>
    reports({
      type: 'tradingStateChanged',
      scope: {},
      before: 'active',
      mode: 'halted',
      holds: [hold],
      time: NOW,
    }),
  command: ({ notices }) =>
    notices.observer.onEntry({
      ...{ kind: 'operator', time: NOW },
      body: {
        ...{ origin: { from: 'terminal', who: 'me' }, request: { command: 'halt', reason: TOKEN } },
        ...{ ok: true, message: 'Trading of the account is halted.' },
      },
    }),
  strategyFailed: ({ reports }) =>
    reports({
      type: 'strategyFailed',
      strategy: 'cross',
      symbol: SYMBOL,
      book: SYMBOL,
      error: new InvariantError(`It read ${TOKEN}.`),
    }),
  strategyEnded: ({ reports }) =>
    reports({
      ...{ type: 'strategyEnded', strategy: 'cross', symbol: SYMBOL, book: SYMBOL },
      why: 'It has seen enough.',
    }),
  instrumentHalted: ({ reports }) =>
    reports({
      type: 'instrumentHalted',
      symbol: SYMBOL,
      reason: 'Less is there than was bought.',
      time: NOW,
    }),
  unprotected: ({ shows }) =>
    shows({
      unprotected: [
        {
          ...{ book: SYMBOL, symbol: SYMBOL, purpose: 'stopLoss', clientOrderId: 'id-2', refusedTimes: 3 },
          ...{ cause: 'order', since: STATUS.time, why: 'The exchange refuses it.' },
        },
      ],
    }),
  orderUnknown: ({ shows }) =>
    shows({
      orders: [
        { clientOrderId: 'id-1', symbol: SYMBOL, side: 'buy', quantity: '2', unit: 'BTC', status: 'unknown' },
      ],
    }),
  accountDiffers: ({ shows }) => shows({ comparison: 'differs' }),
  liveDiffers: ({ compares, shows }) => {
    const figures = { difference: '-5', quote: 'USDT', from: STATUS.time }
    compares({ verdict: 'differs', sentence: `It differs by ${TOKEN}.`, ...figures })
    return shows({})
  },
  exchangeAway: ({ shows }) => shows({ line: { ...STATUS.line, silence: `No answer of ${TOKEN}.` } }),
  feedStale: ({ shows }) =>
    shows({ line: { ...STATUS.line, stale: [{ symbol: SYMBOL, streams: ['ticker'] }] } }),
  clockUncertain: ({ shows }) => shows({}, { clockUncertaintyMs: 1500 }),
  dailyResult: ({ shows }) => shows({ equity: { USDT: '10012.5' } }),
  heldBack: ({ shows }) => shows({}),
  dropped: async ({ away, notices, lines, clock }) => {
    away.now = true
    for (let count = 0; count < 12; count++)
      notices.take({ kind: 'fill', key: `${count}`, sentence: `Fill ${count}.`, time: NOW })
    // Each channel pauses by the clock from there on.
    await expect.poll(() => lines.filter(line => line.includes('notices cannot be delivered')).length).toBe(3)
    away.now = false
    await clock.advanceTo(clock.now() + 10_000)
  },
  stranger: ({ telegram }) => telegram.send('/halt', { user: STRANGER, chat: STRANGER }),
}

const CONFIGS: Partial<Record<NoticeKind, object>> = {
  dailyResult: { digestAt: '08:00' },
  heldBack: { quietHours: { from: '22:00', until: '08:00' } },
  dropped: { queue: 10 },
}

/** Leftovers of an earlier life. */
const EARLIER: Partial<Record<NoticeKind, (outbox: Outbox) => void>> = {
  restarted: outbox => outbox.keep('running', NOW),
  interrupted: outbox => void outbox.noteUpdate(1, NOW, '/halt'),
}

describe('every kind of notice', () => {
  it.each(Object.keys(NOTICE_KINDS) as NoticeKind[])(
    'reaches Telegram, a webhook and a mailbox: %s',
    async kind => {
      const told = await notifying(CONFIGS[kind], EARLIER[kind])
      if (kind !== 'startFailed') told.start()
      await SITUATIONS[kind](told)
      const { telegram, hook, smtp, lines } = told
      const bodies = () => hook.arrived.map(({ body }) => JSON.parse(body))
      const { title } = NOTICE_KINDS[kind]
      await expect.poll(() => bodies().map(one => one.kind)).toContain(kind)
      await expect
        .poll(() => telegram.answers.map(({ text }) => text).join('\n'))
        .toContain(`${title} · test`)
      await expect.poll(() => smtp.mails.join('\n')).toContain(`test: ${title}`)
      const found = bodies().find(one => one.kind === kind)
      expect(found.title).toBe(title)
      // One sentence or more, and nothing that was not filled in.
      expect(found.sentence).toMatch(/[.!)]$|USDT|BTC/)
      expect(found.sentence).not.toMatch(/undefined|NaN|\[object/)
      const everything = [
        JSON.stringify(telegram.answers),
        ...hook.arrived.map(({ body }) => body),
        ...smtp.mails,
        ...lines,
      ]
      expect(everything.filter(text => text.includes('planted'))).toEqual([])
    },
  )
})
