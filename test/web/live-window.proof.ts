import { describe, expect, it } from 'vitest'
import type { DrawnChart, PageColumn } from '../../backtest/report/page-data.ts'
import { statusWarnings } from '../../src/bot/log/status-warnings.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { copyJournal } from '../../src/journal/copy-journal.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { recordedEquity } from '../../src/live-report/recorded-equity.ts'
import { defineStrategy, enterLong, exit, sma, ticker } from '../../src/strategy/index.ts'
import { JournalWindow } from '../../src/web/sources/journal-window.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import { VIEWS } from '../../src/web/sources/views.ts'
import { BOT, BotSession, type BotSessionOptions, KEY, SECRET } from '../bot/bot-session.ts'
import { flipper } from '../bot/test-strategies.ts'
import { journalPath } from '../journal/journal-session.ts'
import { klinesOf, MINUTE, START } from '../simulator/exchange-caller.ts'

/** Buys whenever it holds nothing, with a stop-loss at 90; the market stays at 100. */
const holder = defineStrategy({
  name: 'holder',
  indicators: () => ({ average: sma(2) }),
  onKline: (kline, { position, plot }) => {
    plot({ middle: (kline.high + kline.low) / 2 })
    return position.direction === 'flat' ? enterLong({ stopLoss: 90, tag: '<b>' }) : undefined
  },
})

/** Decides nothing on two averages. */
const averages = defineStrategy({
  name: 'averages',
  indicators: () => ({ fast: sma(2), slow: sma(6) }),
  onKline: () => undefined,
})
/** The kline of each minute stays at 100 and the number of the minute. */
const CLIMBING = klinesOf(
  ...Array.from({ length: 60 }, (_, minute) => 100 + minute).map(at => [at, at, at, at] as const),
)

async function shown(options: Partial<BotSessionOptions> = {}) {
  let session: BotSession | undefined
  const window = new LiveWindow({ bot: BOT, serverNow: () => session?.clock.now() ?? 0 })
  session = new BotSession({ strategy: holder, ...options, observer: window.observer })
  const bot = await session.create()
  window.show(bot)
  bot.start(error => session?.failures.push(error))
  return { session, window }
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of each view is what a test looks at
const read = async (window: Pick<LiveWindow, 'read'>, view: string, query = {}): Promise<any> =>
  window.read(view, query)

/** The values of a column of a chart. */
const valuesIn = ({ step, differences }: PageColumn): readonly number[] => {
  let last = 0
  return differences.map(difference => {
    last += difference ?? 0
    return difference === null ? Number.NaN : last * step
  })
}

describe('the window of a running bot', () => {
  it('follows a decision from its kline to its fill, with each check and latency', async () => {
    const { session, window } = await shown()
    await session.run(2 * MINUTE)
    const { decisions } = await read(window, 'decisions', { outcome: 'ordered' })
    const entry = decisions.find(({ signals }: { readonly signals: readonly string[] }) => signals.length > 0)
    expect(entry).toMatchObject({
      strategy: 'holder',
      symbol: 'BTC/USDT',
      signals: ['enter long, stop-loss 90.00, tag <b>'],
    })
    const { decision, orders } = await read(window, 'decision', { id: String(entry.id) })
    expect(decision).toMatchObject({ indicators: { average: 100 }, kline: { close: 100 } })
    // 1 BTC at 100; the exchange freezes 1% more for a market order, as execution.maxSlippageRate says.
    expect(decision.orders[0]).toMatchObject({
      price: '100.00 USDT',
      equity: '10,000.00 USDT',
      wanted: '1.00000 BTC',
    })
    expect(decision.orders[0].passed).toContainEqual({
      rule: 'balance',
      limit: '10,000.00 USDT',
      actual: '101.00 USDT',
    })
    const [order, protection] = orders
    const steps = order.steps.map(({ what }: { readonly what: string }) => what)
    expect(steps).toEqual([
      'decided, passed by every risk check',
      'sent to the exchange (BTC/USDT)',
      'submitted',
      'accepted by the exchange',
      expect.stringMatching(/^filled 1\.0+ BTC at 100\.0\d USDT \(taker\)$/),
    ])
    expect(order.steps[3].latencyMs).toBeGreaterThanOrEqual(0)
    expect(order.fills).toMatchObject([{ fee: '0.001 BTC' }])
    expect(protection).toMatchObject({ purpose: 'stopLoss', protects: order.clientOrderId, status: 'open' })
    expect(protection.steps.map(({ what }: { readonly what: string }) => what)).toEqual([
      'decided, passed by every risk check',
      'watched by the bot, not at the exchange',
    ])
  })

  it('shows an order that waited for a cancel under the decision that asked for it', async () => {
    let count = 0
    const strategy = defineStrategy({
      name: 'changer',
      indicators: () => ({ average: sma(2) }),
      onKline: ({ close }) => {
        count++
        if (count === 1) return enterLong({ order: { type: 'limit', price: close * 0.9 } })
        return count === 2 ? enterLong() : undefined
      },
    })
    const { session, window } = await shown({ strategy })
    await session.run(3 * MINUTE)
    const { decisions } = await read(window, 'decisions', { outcome: 'ordered' })
    const [latest] = [...decisions].sort((left, right) => right.id - left.id)
    expect(latest).toMatchObject({ signals: ['enter long'], outcome: 'ordered' })
    const { decision, orders } = await read(window, 'decision', { id: String(latest.id) })
    expect(decision.orders).toHaveLength(1)
    expect(decision.orders[0]).toMatchObject({ equity: '10,000.00 USDT', plan: 'market' })
    const [order] = orders
    expect(order).toMatchObject({ clientOrderId: decision.orders[0].clientOrderId, status: 'filled' })
    const all = (await read(window, 'decisions')).decisions
    const later = all.find(({ id }: { readonly id: number }) => id > latest.id)
    expect(later.outcome).toBe('nothing')
    const after = await read(window, 'decision', { id: String(later.id) })
    expect([after.decision.orders, after.orders]).toEqual([[], []])
    expect(after.decision.notes).toContain(
      `Order ${order.clientOrderId} belongs to decision ${latest.id}, and waited for this.`,
    )
  })

  it('shows a denial with the figures of its rule, and the klines on which nothing was decided', async () => {
    const { session, window } = await shown({ risk: { limits: { maxNotional: amountOf('50') } } })
    await session.run(2 * MINUTE)
    const [denied] = (await read(window, 'decisions', { outcome: 'denied' })).decisions
    expect(denied.denial).toContain('risk.limits.maxNotional')
    const { decision } = await read(window, 'decision', { id: String(denied.id) })
    expect(decision.orders[0].denial).toMatchObject({ limit: '50.00 USDT', actual: '100.00 USDT' })
    const held = await shown()
    await held.session.run(4 * MINUTE)
    const { decisions } = await read(held.window, 'decisions', { outcome: 'nothing' })
    expect(decisions.length).toBeGreaterThan(0)
  })

  it('meters a limit once, whether an order passed it or was denied, and none that no order can reach', async () => {
    const grower = defineStrategy({
      name: 'grower',
      state: () => ({ size: 1 }),
      onKline(_kline, { position, state }) {
        if (position.direction !== 'flat') return exit()
        const { size } = state
        state.size = 3
        return enterLong({ size: { base: size } })
      },
    })
    const { session, window } = await shown({
      strategy: grower,
      risk: { limits: { maxNotional: amountOf('200') } },
    })
    await session.run(5 * MINUTE)
    const { limits } = await read(window, 'risk')
    const keys = limits.map(({ key }: { readonly key: string }) => key)
    expect(keys.filter((key: string) => key.includes('maxNotional'))).toEqual(['risk.limits.maxNotional'])
    // 3 BTC at 100 were wanted.
    expect(limits).toContainEqual(
      expect.objectContaining({
        key: 'risk.limits.maxNotional',
        actual: '300.00 USDT',
        limit: '200.00 USDT',
        used: 1.5,
      }),
    )
    expect(keys).not.toContain('maximumVolume')
  })

  it('meters a limit that the first order was denied by once, by the latest order', async () => {
    const shrinker = defineStrategy({
      name: 'shrinker',
      state: () => ({ size: 3 }),
      onKline(_kline, { position, state }) {
        if (position.direction !== 'flat') return exit()
        const { size } = state
        state.size = 1
        return enterLong({ size: { base: size } })
      },
    })
    const { session, window } = await shown({
      strategy: shrinker,
      risk: { limits: { maxNotional: amountOf('200') } },
    })
    const limits = async () => (await read(window, 'risk')).limits as readonly { readonly key: string }[]
    await session.run(MINUTE + 2000)
    const notional = ({ key }: { readonly key: string }) => /maxNotional/.test(key)
    expect((await limits()).filter(notional)).toEqual([
      { key: 'risk.limits.maxNotional', limit: '200.00 USDT', actual: '300.00 USDT', used: 1.5 },
    ])
    await session.run(3 * MINUTE)
    // 1 BTC was bought at 100, then all of it sold, less a fee of 0.1%: 0.999 BTC, a limit for nothing.
    expect((await limits()).filter(notional)).toEqual([
      expect.objectContaining({
        key: 'risk.limits.maxNotional',
        limit: '200.00 USDT',
        used: expect.closeTo(0.5, 2),
      }),
    ])
    expect((await limits()).find(({ key }) => key === 'balance')).toBeDefined()
  })

  it('draws no bar for the balance of an order that sells all that is held', async () => {
    const { session, window } = await shown({ strategy: flipper })
    const balance = async () =>
      (await read(window, 'risk')).limits.find(({ key }: { readonly key: string }) => key === 'balance')
    await session.run(MINUTE + 2000)
    // 1 BTC costs 101 USDT of 10,000 at most.
    expect(await balance()).toMatchObject({ actual: '101.00 USDT', used: 0.0101 })
    await session.run(MINUTE)
    expect(await balance()).toEqual({ key: 'balance', limit: '0.999 BTC', actual: '0.999 BTC' })
  })

  it('shows what holds trading back as the reason of a denial, and who commanded it', async () => {
    const { session, window } = await shown({ strategy: flipper })
    void window.operate(
      { command: 'reduce', reason: 'a drill' },
      { from: 'window', who: 'operate at 127.0.0.1' },
    )
    await session.run(2 * MINUTE)
    const [denied] = (await read(window, 'decisions', { outcome: 'denied' })).decisions
    expect(denied.denial).toContain(
      'Trading is reducing. The operator lets positions only become smaller: a drill.',
    )
    const { audit, trading } = await read(window, 'risk')
    expect(audit).toMatchObject([
      { request: { command: 'reduce', reason: 'a drill' }, origin: { from: 'window' } },
    ])
    expect(trading[0]).toMatchObject({ scope: 'account', effectiveMode: 'reducing' })
    expect(trading.map(({ heldBy }: { readonly heldBy: readonly string[] }) => heldBy)).toEqual([
      ['the operator: The operator lets positions only become smaller: a drill. Until resumed.'],
      ['as the account is'],
      ['as the account is'],
    ])
  })

  it('tells each of several holds with its own end', async () => {
    const losing = klinesOf(
      ...[...Array(12).fill(100), ...Array(48).fill(85)].map(at => [at, at, at, at] as const),
    )
    const { session, window } = await shown({
      klines: losing,
      risk: { protections: { lossesInARow: { count: 1, pauseMs: 30 * MINUTE, mode: 'reducing' } } },
    })
    await session.run(4 * MINUTE)
    void window.operate(
      { command: 'pause', forMs: 10 * MINUTE, reason: 'lunch' },
      { from: 'window', who: 'operate at 127.0.0.1' },
    )
    await session.run(MINUTE)
    const [account] = (await read(window, 'risk')).trading
    // The stop at 90 fired in the thirteenth minute; the pause began at 00:14.
    expect(account.heldBy).toEqual([
      expect.stringMatching(
        /^losses in a row: 1 trades in a row have lost\. Until 2024-01-01 00:4[23]:\d\dZ\.$/,
      ),
      'the operator: The operator paused: lunch. Until 2024-01-01 00:24:00Z.',
    ])
  })

  it('says of a decision without a signal what it followed from, and of each what was ordered', async () => {
    const { session, window } = await shown()
    await session.run(2 * MINUTE)
    const { decisions } = await read(window, 'decisions')
    expect(decisions).toMatchObject([
      {
        ...{ signals: [], outcome: 'ordered', ordered: ['stopLoss'] },
        cause: expect.stringMatching(/^Order \S+ was filled\.$/),
      },
      { signals: [expect.any(String)], outcome: 'ordered', ordered: ['entry'] },
    ])
    const [stop] = (await read(window, 'orders')).working
    expect(stop).toMatchObject({ watchedBy: 'bot', pricesText: '90' })
  })

  it('finds the decision at the close of a kline of a stream, and none of another time, symbol or length', async () => {
    const { session, window } = await shown()
    await session.run(4 * MINUTE)
    // The bot begins in the tenth minute; the kline of the twelfth closes at the beginning of the thirteenth.
    const [from, to] = [START + 12 * MINUTE, START + 13 * MINUTE]
    const at = async (stream: string, change = 0) =>
      (await read(window, 'decisions', { stream, from: `${from + change}`, to: `${to + change}` })).decisions
    const [decided, ...others] = await at('BTC/USDT 1m')
    expect([decided.symbol, others]).toEqual(['BTC/USDT', []])
    const { decision } = await read(window, 'decision', { id: String(decided.id) })
    expect(decision.kline).toMatchObject({ openTime: from, interval: '1m' })
    for (const stream of ['ETH/USDT 1m', 'BTC/USDT 5m']) expect(await at(stream)).toEqual([])
    expect(await at('BTC/USDT 1m', -4 * MINUTE)).toEqual([])
  })

  it('counts the equity, the positions and their protection', async () => {
    const { session, window } = await shown()
    await session.run(3 * MINUTE)
    await new Promise(resolve => setImmediate(resolve))
    const { status, curve, health, time } = await read(window, 'overview')
    expect(curve.at(-1).time).toBe(time)
    // 1 BTC less a fee of 0.1% in base, at 100.
    expect(status.positions).toEqual({ 'BTC/USDT': '0.99900' })
    expect(curve.at(-1).equity.USDT).toBe(status.equity.USDT)
    expect(health.map(({ name }: { readonly name: string }) => name)).toContain('Unknown orders')
    const { positions } = await read(window, 'orders')
    expect(positions).toMatchObject([{ levels: [{ quantity: '0.99900' }] }])
    expect(positions[0]).not.toHaveProperty('notCovered')
    const { chart } = await read(window, 'chart')
    // Prices are differences in ticks of 0.01: the first open is whole, the others are from the close before.
    expect(chart.klines.open[0]).toBe(10_000)
    const [average, middle] = chart.series
    expect([average.name, middle.name]).toEqual(['average', 'middle'])
    expect(valuesIn(average).at(-1)).toBe(100)
    expect(valuesIn(middle).at(-1)).toBe(100)
    // It was bought and never sold, so that no round trip shows the fill.
    expect(chart.fills).toMatchObject({ price: [10_001], isBuy: [1], isBacktest: [0] })
    expect(chart.levels).toMatchObject({ price: [9000], kind: [0] })
    expect(chart.trips.pnl).toEqual([])
    expect(valuesIn(chart.worth).at(-1)).toBeCloseTo(10_000 - 100.01 + 99.9, 2)
    // The first kline that it saw close opened in the tenth minute; it bought at once, for 0.11 in all.
    const worth = byMinute(chart, 'worth')
    expect(worth.get(9)).toBeNaN()
    expect(worth.get(10)).toBeCloseTo(10_000, 0)
  })

  it('draws a trailing stop as it moved', async () => {
    const klines = klinesOf(
      ...Array.from({ length: 13 }, () => [100, 100, 100, 100] as const),
      ...Array.from({ length: 2 }, () => [104, 104, 104, 104] as const),
      ...Array.from({ length: 60 }, () => [107, 107, 107, 107] as const),
    )
    const strategy = defineStrategy({
      name: 'trailer',
      onKline: (_kline, { position }) =>
        position.direction === 'flat' ? enterLong({ trailingStop: { distance: 10 } }) : undefined,
    })
    const { session, window } = await shown({ strategy, klines })
    await session.run(8 * MINUTE)
    const { levels } = (await read(window, 'chart')).chart
    // 10 below the entry at 100.01, then below the highs of 104 and 107, in ticks of 0.01.
    const [first, second, third] = levels.from
    expect(levels.price).toEqual([9001, 9400, 9700])
    expect(levels.to).toEqual([second, third, session.clock.now() / 1000])
    expect(first).toBeLessThan(START / 1000 + 12 * 60)
    expect(second).toBeGreaterThanOrEqual(START / 1000 + 13 * 60)
    expect(second).toBeLessThanOrEqual(START / 1000 + 14 * 60 + 1)
    expect(third).toBeGreaterThanOrEqual(START / 1000 + 15 * 60)
    expect(third).toBeLessThanOrEqual(START / 1000 + 16 * 60 + 1)
  })

  it('says first what the terminal says first, and calls two entries with a stop each protected', async () => {
    const strategy = defineStrategy({
      name: 'pyramid',
      onKline: (_kline, { position }) =>
        position.quantity < 1.5 ? enterLong({ stopLoss: 90, scaleIn: true }) : undefined,
    })
    const { session, window } = await shown({ strategy })
    await session.run(4 * MINUTE)
    const { positions } = await read(window, 'orders')
    expect(positions).toMatchObject([{ levels: [{ price: '90.00' }, { price: '90.00' }] }])
    expect(positions[0]).not.toHaveProperty('notCovered')
    void window.operate({ command: 'reduce', reason: 'a drill' }, { from: 'window', who: 'me' })
    await session.run(MINUTE)
    const { warnings, status } = await read(window, 'overview')
    expect(warnings).toEqual([expect.stringMatching(/^REDUCING: trading of the account, .*: a drill\.$/)])
    // The books as they are, where the account has other contracts, and a stop that is lost.
    const contract = {
      symbol: 'BTC/USDT',
      contract: 'E-BTC-USDT',
      direction: 'long',
      unit: 'contracts',
    } as const
    const lost = { book: 'BTC/USDT', symbol: 'BTC/USDT', purpose: 'stopLoss', clientOrderId: 'a' } as const
    const more = statusWarnings({
      ...status,
      differing: [{ ...contract, quantity: '3' }],
      unprotected: [{ ...lost, since: status.time, refusedTimes: 0, why: 'It was refused.' }],
    })
    expect(more.at(0)).toMatch(/^NOT PROTECTED: the stop-loss of BTC\/USDT .* It was refused\.$/)
    expect(more.at(-1)).toMatch(
      /^BOOKS AND ACCOUNT DIFFER: .*LONG 3 contracts of BTC\/USDT \(E-BTC-USDT\)\.$/,
    )
  })

  it('draws what is plotted while a ticker is handled on the kline that it falls into', async () => {
    let count = 0
    const strategy = defineStrategy({
      name: 'counter',
      feeds: () => ({ quote: ticker({ everyMs: 5000 }) }),
      on: {
        quote(_quote, { plot }) {
          plot({ count: ++count })
          return undefined
        },
      },
    })
    const { session, window } = await shown({ strategy })
    await session.run(4 * MINUTE)
    const { chart } = await read(window, 'chart')
    const counts = valuesIn(chart.series[0]).filter(value => !Number.isNaN(value))
    // Twelve quotes a minute; the last one before each close counts.
    expect(counts.length).toBeGreaterThan(1)
    expect(counts.slice(1).map((value, index) => value - (counts[index] ?? 0))).toEqual(
      counts.slice(1).map(() => 12),
    )
  })

  it('draws an indicator from its first value on, over the warm-up too, and lists no decision there', async () => {
    const { session, window } = await shown({ strategy: averages, klines: CLIMBING })
    await session.run(4 * MINUTE)
    const { chart } = await read(window, 'chart')
    const [fast, slow] = chart.series
    // The warm-up is the six klines before the tenth minute: 104 to 109.
    expect(chart.klines.open[0]).toBe(10_400)
    expect(valuesIn(fast).slice(0, 8)).toEqual([Number.NaN, 104.5, 105.5, 106.5, 107.5, 108.5, 109.5, 110.5])
    expect(valuesIn(slow).slice(0, 8)).toEqual([...Array(5).fill(Number.NaN), 106.5, 107.5, 108.5])
    const { decisions } = await read(window, 'decisions')
    const [first] = [...decisions].reverse()
    const { decision } = await read(window, 'decision', { id: String(first.id) })
    expect(decision).toMatchObject({
      kline: { openTime: START + 10 * MINUTE },
      indicators: { fast: 109.5, slow: 107.5 },
    })
  })

  it('draws round trips, and orders that came to nothing', async () => {
    const { session, window } = await shown({ strategy: flipper })
    await session.run(4 * MINUTE)
    const { chart } = await read(window, 'chart')
    expect(chart.trips).toMatchObject({ entryPrice: [10_001], exitPrice: [9999], direction: [1] })
    expect(chart.trips.pnl[0]).toBeLessThan(0)
    const denied = await shown({ risk: { limits: { maxNotional: amountOf('50') } } })
    await denied.session.run(2 * MINUTE)
    const { ends } = (await read(denied.window, 'chart')).chart
    expect(ends).toMatchObject({ price: [-1], isDenied: [1] })
    expect(ends.texts[0]).toContain('maxNotional')
  })

  it('planted secrets: are in no view and no file, nor is a signature', async () => {
    const { session, window } = await shown({ strategy: flipper })
    await session.run(6 * MINUTE)
    const views = await Promise.all(Object.keys(VIEWS).map(view => read(window, view, { id: '1' })))
    const names = ['trips', 'orders', 'fills'].flatMap(name => [`${name}.csv`, `${name}.parquet`])
    const files = await Promise.all(names.map(name => window.file(name)))
    expect(files.every(file => file !== undefined)).toBe(true)
    const all = [
      JSON.stringify(views),
      ...files.map(file => Buffer.from(file?.content ?? '').toString('latin1')),
    ]
    expect(all.join('').length).toBeGreaterThan(5000)
    for (const secret of [KEY, SECRET, 'signature', 'X-CH']) expect(all.join('')).not.toContain(secret)
    expect(all.join('')).toContain('flipper')
  })

  it('offers no views but its own', async () => {
    const { window } = await shown()
    for (const view of ['constructor', '__proto__', 'secrets'])
      expect(await window.read(view, {})).toBeUndefined()
    expect(await window.file('../bot.journal')).toBeUndefined()
  })
})

/** The values of a column by the minute since the start of the market in which their klines open. */
function byMinute({ klines, ...columns }: DrawnChart, column: 'worth' | 'drawdown'): Map<number, number> {
  let opened = klines.start
  const minutes = klines.steps.map(step => {
    opened += step * klines.unit
    return (opened * 1000 - START) / MINUTE
  })
  const values = valuesIn(columns[column] as PageColumn) // the account is drawn
  return new Map(minutes.map((minute, row) => [minute, values[row] ?? Number.NaN]))
}

/** The market is at 100 until the fourth minute of the bot, at 110 until the eighth, and then at 105. */
const RISEN = klinesOf(
  ...[...Array(14).fill(100), ...Array(4).fill(110), ...Array(30).fill(105)].map(
    at => [at, at, at, at] as const,
  ),
)
/** 10,000 less 1 BTC at 100.01, and 0.999 BTC, less the fee, at a price. */
const heldAt = (price: number) => 10_000 - 100.01 + 0.999 * price

describe('a bot that was started again', () => {
  it('shows equity and drawdown of before as its journal tells them, at the klines on whose closes they were so', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const { session } = await shown({ journal, klines: RISEN })
    await session.run(6 * MINUTE)
    await session.leave(MINUTE)
    journal.close()

    const again = new Journal(path)
    let now = () => 0
    const window = new LiveWindow({ bot: BOT, serverNow: () => now() })
    window.remember(entriesOf(path))
    const points = await recordedEquity(path)
    const restarted = new BotSession({
      ...{ strategy: holder, journal: again, beside: session },
      observer: window.observer,
    })
    now = () => restarted.clock.now()
    const bot = await restarted.create()
    window.show(bot)
    bot.start(error => restarted.failures.push(error))
    await restarted.run(4 * MINUTE)
    await new Promise(resolve => setImmediate(resolve))
    window.rememberEquity(points)
    const { chart } = await read(window, 'chart')
    const worth = byMinute(chart, 'worth')
    const fall = byMinute(chart, 'drawdown')
    expect([worth.get(8), fall.get(8)]).toEqual([Number.NaN, Number.NaN])
    for (const minute of [12, 13]) expect(worth.get(minute)).toBeCloseTo(heldAt(100), 2)
    expect(worth.get(14)).toBeCloseTo(heldAt(110), 2)
    expect(worth.get(18)).toBeCloseTo(heldAt(105), 2)
    expect(fall.get(18)).toBeCloseTo(heldAt(105) / heldAt(110) - 1, 5)
    const { curve } = await read(window, 'overview')
    expect(curve.map(({ time }: { readonly time: number }) => time)).toContain(START + 15 * MINUTE)
    const past = await JournalWindow.open(path, async () => holder)
    const told = byMinute((await read(past, 'chart')).chart, 'worth')
    past.close()
    again.close()
    // Between both starts.
    for (let minute = 10; minute < 17; minute++) expect(told.get(minute)).toEqual(worth.get(minute))
  })
})

describe('a bot that was killed and started again', () => {
  it('draws the indicators of before at their klines, and explains its next decision by its own', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const { session } = await shown({ journal, strategy: averages, klines: CLIMBING })
    await session.run(4 * MINUTE)
    const copy = journalPath()
    await copyJournal(path, copy)

    const again = new Journal(copy)
    let now = () => 0
    const window = new LiveWindow({ bot: BOT, serverNow: () => now() })
    window.remember(entriesOf(copy))
    const restarted = new BotSession({
      ...{ strategy: averages, journal: again, beside: session },
      observer: window.observer,
    })
    now = () => restarted.clock.now()
    const bot = await restarted.create()
    window.show(bot)
    bot.start(error => restarted.failures.push(error))
    await restarted.run(2 * MINUTE)
    const { chart } = await read(window, 'chart')
    const values = valuesIn(chart.series[0])
    // The fourth minute is the first of the chart; its average is that of two klines, and so is each later one.
    expect(values.slice(1)).toEqual(values.slice(1).map((_, row) => 104.5 + row))
    expect(values.length).toBeGreaterThanOrEqual(11)
    const { decisions } = await read(window, 'decisions')
    const [last] = decisions
    const { decision } = await read(window, 'decision', { id: String(last.id) })
    const opened = (decision.kline.openTime - START) / MINUTE
    expect(opened).toBeGreaterThanOrEqual(14)
    expect(decision.indicators).toEqual({ fast: 99.5 + opened, slow: 97.5 + opened })
    journal.close()
    again.close()
  })
})

describe('a journal', () => {
  it('is the same with a window as without, and explains the same decisions again', async () => {
    const [bare, watched] = [journalPath(), journalPath()]
    const plain = new Journal(bare)
    const alone = new BotSession({ strategy: holder, journal: plain })
    await alone.start()
    await alone.run(4 * MINUTE)
    await alone.leave(MINUTE)
    plain.close()

    const journal = new Journal(watched)
    const { session, window } = await shown({ journal })
    await session.run(4 * MINUTE)
    const before = await read(window, 'decisions')
    const why = await read(window, 'decision', { id: String(before.decisions.at(-1).id) })
    const followed = await JournalWindow.open(watched, async () => holder)
    expect(await read(followed, 'overview')).not.toHaveProperty('stoppedAt')
    followed.close()
    await session.leave(MINUTE)
    journal.close()
    expect(entriesOf(watched)).toEqual(entriesOf(bare))

    const past = await JournalWindow.open(watched, async () => holder)
    const after = await read(past, 'decisions')
    expect(after.decisions.slice(-before.decisions.length)).toEqual(before.decisions)
    const again = await read(past, 'decision', { id: String(before.decisions.at(-1).id) })
    expect(again.decision).toEqual(why.decision)
    expect(await past.operate()).toMatchObject({ ok: false })
    const { time: stoppedAt } = entriesOf(watched).at(-1) ?? { time: 0 }
    const { warnings, ...overview } = await read(past, 'overview')
    expect(overview).toMatchObject({ stoppedAt })
    expect(warnings[0]).toMatch(
      /^NOT RUNNING: no bot writes this journal\. Its last entry is of 2024-01-01 00:/,
    )
    expect(await read(past, 'risk')).toMatchObject({ stoppedAt })
    past.close()
  })
})

function entriesOf(path: string) {
  const reader = new JournalReader(path)
  try {
    return [...reader.entries()]
  } finally {
    reader.close()
  }
}
