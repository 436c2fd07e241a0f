import { describe, expect, it } from 'vitest'
import type { Breakdown } from '../../backtest/report/text/report-section.ts'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { changeOfEquity, endedWithoutFill } from '../../src/live-report/run-breakdowns.ts'
import { runHtml } from '../../src/live-report/run-html.ts'
import { filled } from '../../src/live-report/run-markets.ts'
import { type RunReport, readRun } from '../../src/live-report/run-report.ts'
import { runSummary } from '../../src/live-report/run-summary.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  type Signal,
  type Strategy,
  sma,
} from '../../src/strategy/index.ts'
import { BotSession, KEY, SECRET } from '../bot/bot-session.ts'
import { futuresBot, stepAt } from '../bot/futures/futures-bot.ts'
import { marginBot } from '../bot/margin/margin-bot.ts'
import { journalPath } from '../journal/journal-session.ts'
import { klinesOf, MINUTE, START } from '../simulator/exchange-caller.ts'

/** Opens once at 100, closes at another price, and then does one thing on each kline. */
const stepper = (open: () => Signal<never>, ...then: readonly (() => Signal<never>)[]) =>
  defineStrategy({
    name: 'stepper',
    indicators: () => ({ average: sma(2) }),
    state: () => ({ step: 0 }),
    onKline: (kline, { state, position, plot }) => {
      plot({ close: kline.close })
      if (state.step === 0) {
        state.step = 1
        return open()
      }
      if (state.step === 1 && position.direction !== 'flat' && kline.close !== 100) {
        state.step = 2
        return exit()
      }
      if (state.step < 2) return
      return then[state.step++ - 2]?.()
    },
  })

/** The market is at 100 for 13 minutes, of which the bot sees the last three, and then at 110. */
const STEP = klinesOf(
  ...Array.from({ length: 13 }, () => [100, 100, 100, 100] as const),
  ...Array.from({ length: 60 }, () => [110, 110, 110, 110] as const),
)

/** 100 for 13 minutes, then 104 for one, then 107. */
const slow = [
  ...Array.from({ length: 13 }, () => [100, 100, 100, 100] as const),
  [104, 104, 104, 104] as const,
  ...Array.from({ length: 60 }, () => [107, 107, 107, 107] as const),
]

/** Everything after the first round trip: a limit order that is canceled, one that risk denies, one that stays. */
const all = stepper(
  enterLong,
  () => enterLong({ order: { type: 'limit', price: 90 } }),
  cancelEntries,
  () => enterLong({ size: { base: 200 } }),
  enterLong,
)

/** Buys as the bot starts, and sells as soon as it has bought. */
const atStart = () =>
  defineStrategy({
    name: 'at-start',
    indicators: () => ({ average: sma(2) }),
    onStart: () => enterLong(),
    onFill: ({ side }) => (side === 'buy' ? exit() : []),
    onKline: () => [],
  })

async function reportOf(path: string, strategy: Strategy, from?: number): Promise<RunReport> {
  const reader = new JournalReader(path)
  try {
    return await readRun(reader, async () => strategy, { from })
  } finally {
    reader.close()
  }
}

const rowsOf = ({ rows }: Breakdown) => Object.fromEntries(rows.map(([name, ...values]) => [name, values]))
const numberIn = (figure: object) => ('value' in figure ? figure.value : figure)

async function spotLife(minutes = 9) {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({ strategy: all, klines: STEP, journal })
  await session.start()
  await session.run(minutes * MINUTE)
  return { session, journal, path }
}

/** An asset that is written with eight decimals, so that no digit of these amounts is rounded. */
const EXACTLY = { asset: 'BTC' }

describe('the report of a bot', () => {
  it('has the figures of a spot account as reckoned by hand, while it runs', async () => {
    const { session, path, journal } = await spotLife()
    const report = await reportOf(path, all)
    // Bought 1 BTC at 100.01, 0.1% of it is the fee; sold 0.999 at 109.99, 0.1% of 109.88001 is the fee.
    // 109.88001 - 0.10988001 - 100.01 = 9.76012999; fees are 0.001 x 100.01 + 0.10988001.
    expect(report.roundTrips.map(({ pnl, fees }) => [amountToText(pnl), amountToText(fees)])).toEqual([
      ['9.76012999', '0.20989001'],
    ])
    // Bought again at 110.01: 0.999 BTC are worth 109.89 at 110, 0.12 less than they cost.
    expect(report.openPositions).toMatchObject([{ direction: 'long', quantity: 99_900 }])
    const { figures } = report.metrics
    expect(numberIn(figures.startEquity)).toBe(10_000)
    expect(numberIn(figures.endEquity)).toBeCloseTo(10_009.64012999, 9)
    expect(numberIn(figures.totalReturn)).toBeCloseTo(0.000964012999, 12)
    expect(numberIn(figures.fills)).toBe(3)
    // 0.20989001, and 0.001 x 110.01 of the position that is open.
    expect(numberIn(figures.fees)).toBeCloseTo(0.31990001, 9)
    expect(rowsOf(changeOfEquity(report.run, report.start, EXACTLY))).toEqual({
      'Start equity': ['10,000.00000000'],
      'Round trips, after fees': ['9.76012999'],
      'Open positions, after fees': ['-0.12000000'],
      'Final equity': ['10,009.64012999'],
    })
    expect([...report.denials]).toMatchObject([['balance', { count: 1 }]])
    expect(rowsOf(endedWithoutFill(report.run))).toEqual({
      'canceled entry': ['1', '2024-01-01 00:15', expect.any(String)],
    })
    expect(report.markets.map(({ klines }) => [klines.openTime[0], klines.length])).toEqual([
      [START + 10 * MINUTE, 8],
    ])
    expect([...(report.charts?.get('BTC/USDT')?.series.get('average')?.value ?? [])].slice(0, 6)).toEqual([
      // The first is of the warm-up, at the close before the first kline of the chart.
      100, 100, 100, 100, 105, 110,
    ])
    expect([...(report.charts?.get('BTC/USDT')?.series.keys() ?? [])]).toEqual(['average', 'close'])
    await session.leave(5000)
    journal.close()
  })

  it('goes on across starts, and begins later where it is told to', async () => {
    const { session, path, journal } = await spotLife(4.5)
    await session.leave(5000)
    await session.start()
    await session.run(5 * MINUTE)
    await session.leave(5000)
    const report = await reportOf(path, all)
    expect(report.changedAt).toBeUndefined()
    const page = runHtml(report, '1.2.3')
    expect(page).toContain('Started again 1 ×')
    const [, ofJournal] = /<summary>Journal<\/summary>(.*?)<\/details>/s.exec(page) ?? []
    expect(ofJournal).toContain('<dd>2024-01-01 00:10:00Z</dd>')
    expect(ofJournal).not.toMatch(/\dT\d/)
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(10_009.64012999, 9)
    // From the step on: 9900 - 0.01 - 0.1 ... the BTC that is held counts at 100 before it.
    const later = await reportOf(path, all, START + 13 * MINUTE)
    expect(numberIn(later.metrics.figures.startEquity)).toBeCloseTo(10_000 - 100.01 + 99.9, 9)
    expect(rowsOf(changeOfEquity(later.run, later.start, EXACTLY))).toMatchObject({
      // The result of what was open at the start, -0.11, is no part of the change.
      'Open positions, after fees': ['-0.01000000'],
      'Final equity': ['10,009.64012999'],
    })
    // The kline of the step has closed by its end, so that what was held is worth 110 then.
    const after = await reportOf(path, all, START + 14 * MINUTE)
    expect(numberIn(after.metrics.figures.startEquity)).toBeCloseTo(10_000 - 100.01 + 109.89, 9)
    expect(after.markets.map(({ klines }) => klines.openTime[0])).toEqual([START + 14 * MINUTE])
    expect(numberIn(after.metrics.figures.endEquity)).toBeCloseTo(10_009.64012999, 9)
    await expect(reportOf(path, all, START + 60 * MINUTE)).rejects.toThrow('has no kline yet')
    journal.close()
  })

  it('counts what was traded before the first kline closed, and nothing held by then as a result', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const strategy = atStart()
    const session = new BotSession({
      ...{ strategy, klines: STEP, journal },
      exchange: {
        accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000', BTC: '2' } }],
      },
    })
    await session.start()
    await session.run(4.5 * MINUTE)
    await session.leave(5000)
    const report = await reportOf(path, strategy)
    // Bought 1 BTC at 100.01, 0.1% of it is the fee; sold 0.999 at 99.99, 0.1% of 99.89001 is the fee.
    // 99.89001 - 0.09989001 - 100.01 = -0.21988001; fees are 0.001 x 100.01 + 0.09989001.
    expect(report.roundTrips.map(({ pnl, fees }) => [amountToText(pnl), amountToText(fees)])).toEqual([
      ['-0.21988001', '0.19990001'],
    ])
    const [entry] = report.fills
    expect(entry?.time).toBeLessThan(START + 11 * MINUTE)
    const { figures } = report.metrics
    expect(numberIn(figures.fills)).toBe(2)
    expect(numberIn(figures.fees)).toBeCloseTo(0.19990001, 9)
    // 2 BTC at 100, the latest close before the start; at 110 in the end.
    expect(numberIn(figures.startEquity)).toBeCloseTo(10_000 + 2 * 100, 9)
    expect(numberIn(figures.endEquity)).toBeCloseTo(10_000 - 0.21988001 + 2 * 110, 9)
    expect(rowsOf(changeOfEquity(report.run, report.start, EXACTLY))).toEqual({
      'Start equity': ['10,200.00000000'],
      'Round trips, after fees': ['-0.21988001'],
      'Holdings besides positions, and remainders of fees': ['20.00000000'],
      'Final equity': ['10,219.78011999'],
    })
    expect(report.start.time).toBeLessThanOrEqual(entry?.time ?? 0)
    expect(runHtml(report, '1.2.3')).not.toContain('moved in or out')
    journal.close()
  })

  it('begins with the books that were kept where older entries were dropped', async () => {
    const path = journalPath()
    const journal = new Journal(path, { keepEntries: 5 })
    const session = new BotSession({ strategy: all, klines: STEP, journal })
    await session.start()
    // 1 BTC was bought at 100.01 by then.
    await session.run(2.5 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(6.5 * MINUTE)
    await session.leave(5000)
    const reader = new JournalReader(path)
    expect(reader.base()?.seq).toBeGreaterThan(5)
    reader.close()
    const report = await reportOf(path, all)
    expect(numberIn(report.metrics.figures.startEquity)).toBeCloseTo(10_000 - 100.01 + 99.9, 9)
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(10_009.64012999, 9)
    expect(report.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['9.76012999'])
    expect(report.changedAt).toBeUndefined()
    journal.close()
  })

  it('leaves out what was moved, and says so', async () => {
    const { session, path, journal } = await spotLife(6)
    session.user.account.deposit('USDT', amountOf('500'))
    await session.run(5 * MINUTE)
    await session.leave(5000)
    const report = await reportOf(path, all)
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(10_009.64012999, 9)
    expect(rowsOf(changeOfEquity(report.run, report.start, EXACTLY))).toMatchObject({
      'Moved in or out, or traded by others': ['500.00000000'],
      'Final equity': ['10,509.64012999'],
    })
    expect(runHtml(report, '1.2.3')).toContain('500 USDT were moved in or out of the account')
    // Within a sentence what trading made of the start, what was moved, and what the account has of both.
    expect(runSummary(report)).toMatch(
      /: 10,000\.00 USDT became 10,009\.64 USDT \(0\.10%\) without the 500\.00 USDT that were moved in or out or traded there by others \(the account has 10,509\.64 USDT\) in 1 round trip \(3 fills\); 1 position is open\.$/,
    )
    journal.close()
  })

  it('says how many trades the parts of its orders were', async () => {
    const { session, path, journal } = await spotLife()
    await session.leave(5000)
    const report = await reportOf(path, all)
    const [trip] = report.roundTrips
    if (trip === undefined) throw new Error('There is no round trip.')
    const later = { ...trip, entryTime: trip.exitTime + 1, exitTime: trip.exitTime + 2, pnl: amountOf('-1') }
    // The exit of the first trade filled in two parts, of which one lost.
    const parts = { ...report, roundTrips: [trip, { ...trip, pnl: amountOf('-1') }, later] }
    expect(runSummary(parts)).toContain(' in 2 trades from flat to flat, 3 round trips (3 fills); ')
    expect(runHtml(parts, '1.2.3')).toContain(
      '2 trades from flat to flat, 1 of them with a profit, made 3 round trips of 3 fills: orders filled in parts, and each part counts in the number of round trips and in the win rate.',
    )
    expect(runHtml(report, '1.2.3')).not.toContain('trades from flat to flat')
    journal.close()
  })

  it('has the books as they were where the strategy decides otherwise today, and draws indicators until then', async () => {
    const { session, path, journal } = await spotLife()
    await session.leave(5000)
    const report = await reportOf(path, defineStrategy({ name: 'stepper', onKline: () => undefined }))
    expect(report.changedAt).toBeGreaterThanOrEqual(START + 11 * MINUTE)
    expect(report.roundTrips).toHaveLength(1)
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(10_009.64012999, 9)
    expect(runHtml(report, '1.2.3')).toContain('The strategies decide otherwise today')
    journal.close()
  })

  it('draws a trailing stop as it moved, also where the strategy decides otherwise today', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const strategy = defineStrategy({
      name: 'stepper',
      onKline: (_kline, { position }) =>
        position.direction === 'flat' ? enterLong({ trailingStop: { distance: 5 } }) : undefined,
    })
    const session = new BotSession({ ...{ strategy, journal }, klines: klinesOf(...slow) })
    await session.start()
    await session.run(6 * MINUTE)
    // 5 below the entry at 100.01, then below the highs of 104 and 107, in ticks of 0.01.
    const [entered, first, second] = [START + 11 * MINUTE, START + 13 * MINUTE, START + 14 * MINUTE]
    const levels = async (today: Strategy, from?: number) =>
      (await reportOf(path, today, from)).charts
        ?.get('BTC/USDT')
        ?.levels.map(({ kind, price, from: since }) => [kind, price, Math.floor(since / MINUTE) * MINUTE])
    const stood = [
      ['stop', 9501, entered],
      ['stop', 9900, first],
      ['stop', 10200, second],
    ]
    expect(await levels(strategy)).toEqual(stood)
    expect(await levels(defineStrategy({ name: 'stepper', onKline: () => undefined }))).toEqual(stood)
    // It stood already when a later report begins.
    expect(await levels(strategy, START + 12 * MINUTE)).toEqual([
      ['stop', 9501, START + 12 * MINUTE],
      ...stood.slice(1),
    ])
    await session.leave(5000)
    journal.close()
  })

  it('has the figures of a margin account as reckoned by hand', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const session = marginBot({ strategy: stepper(enterLong), klines: STEP, journal })
    await session.start()
    await session.run(7 * MINUTE)
    await session.leave(5000)
    const report = await reportOf(path, stepper(enterLong))
    // The same trades as on spot, with 1000 USDT at the start.
    expect(numberIn(report.metrics.figures.startEquity)).toBe(1000)
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(1009.76012999, 9)
    expect(report.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['9.76012999'])
    journal.close()
  })

  it('has the figures of a futures account as reckoned by hand, with funding', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const strategy = stepper(() => enterShort({ size: { base: 1 } }))
    const session = futuresBot({
      ...{ strategy, klines: stepAt(65, 90, 60), journal },
      contract: { fundingRate: '0.001' },
    })
    await session.start()
    await session.run(65 * MINUTE)
    await session.leave(5000)
    const report = await reportOf(path, strategy)
    // 10 contracts of 0.1 BTC: sold at 99.99, bought at 90.01, each for a fee of 0.1%: 9.98 - 0.09999 - 0.09001.
    expect(report.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['9.79'])
    // The long side pays 0.1% of 100 after an hour.
    expect(numberIn(report.metrics.figures.funding)).toBeCloseTo(-0.1, 12)
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(1009.89, 9)
    expect(rowsOf(changeOfEquity(report.run, report.start, { asset: 'USDT' }))).toEqual({
      'Start equity': ['1,000.00'],
      'Round trips, after fees': ['9.79'],
      'Funding, received less paid': ['0.10'],
      'Final equity': ['1,009.89'],
    })
    journal.close()
  })

  it('counts a liquidation', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const strategy = stepper(() => enterLong({ size: { base: 90 } }))
    const session = futuresBot({ strategy, klines: stepAt(14, 80, 60), journal })
    await session.start()
    await session.run(12 * MINUTE)
    const report = await reportOf(path, strategy)
    expect(report.run.liquidations).toMatchObject([{ direction: 'long', quantity: 900 }])
    const status = await session.status()
    expect(numberIn(report.metrics.figures.endEquity)).toBeCloseTo(Number(status.equity.USDT), 6)
    expect(runHtml(report, '1.2.3')).toContain('Liquidated once')
    await session.leave(5000)
    journal.close()
  })

  it('fills gaps of its klines from another source, and believes what the bot has seen', () => {
    const [first, second, third] = klinesOf([100, 101, 99, 100], [100, 103, 100, 102], [102, 104, 101, 103])
    const [, other] = klinesOf([1, 1, 1, 1], [90, 91, 89, 90], [2, 2, 2, 2], [3, 3, 3, 3])
    if (!first || !second || !third || !other) throw new Error('There are four klines.')
    const seen = new Map([first, third].map(kline => [kline.openTime, kline]))
    const more = [{ ...first, close: 1 }, other, { ...third, close: 2 }]
    expect(
      filled(seen, span => {
        expect(span).toEqual({ first: START, last: START + 2 * MINUTE })
        return more
      }),
    ).toEqual([first, third, other])
    expect(filled(new Map(), () => more)).toEqual([])
  })
})
