import { expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { comparisonJson } from '../../src/compare/comparison-rows.ts'
import { compareSpan, type LiveComparison } from '../../src/compare/live-comparison.ts'
import { LiveSpan } from '../../src/compare/live-span.ts'
import { amountToText, rateOf } from '../../src/domain/numbers/amount.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { enterLong } from '../../src/strategy/index.ts'
import { afterTest } from '../after-test.ts'
import { once } from '../bot/test-strategies.ts'
import { journalPath } from '../journal/journal-session.ts'
import { LiveBot } from '../live-bot.ts'
import { LogLines } from '../parity/log-lines.ts'
import { klinesOf, MINUTE, START } from '../simulator/exchange-caller.ts'
import { ROUND_CONTRACT } from '../simulator/futures/futures-caller.ts'
import { partsOf } from './compared-bot.ts'

const BASES = ['BTC', 'ETH'] as const
const [BEGIN, FALL, END] = [20, 30, 40]

interface Terms {
  /** Where BTC and ETH fall to from 100. */
  readonly prices: readonly [btc: number, eth: number]
  /** That the backtest pays more at market. */
  readonly slippageRate?: number
  /** By which the bot reckons; the exchange's is 0.01. */
  readonly maintenanceMarginRate?: string
}

/** A bot that buys one BTC and one ETH in contracts, both backed by a wallet of 40 USDT, beside its backtest. */
async function comparison({ prices, slippageRate = 0, maintenanceMarginRate = '0.01' }: Terms) {
  const path = journalPath()
  const journal = new Journal(path)
  const exchange = createSimulatedExchange({
    liquidity: { spreadTicks: 1 },
    listings: BASES.map((base, index) => {
      const after = prices[index] as number
      const klines = klinesOf(
        ...Array.from({ length: FALL }, () => [100, 100, 100, 100] as const),
        ...Array.from({ length: END }, () => [after, after, after, after] as const),
      )
      return { symbol: `${base}/USDT`, market: { type: 'klines', interval: '1m', klines } }
    }),
    accounts: [{ ...TEST_ACCOUNT, balances: {}, futuresBalances: { USDT: '40' } }],
    futures: {
      contracts: BASES.map(base => ({ ...ROUND_CONTRACT, symbol: `E-${base}-USDT`, fundingHours: 8 })),
    },
  })
  const strategies = BASES.map((base, index) => ({
    ...{ file: `${index}`, strategy: once(() => enterLong()), parameters: {} },
    ...({ symbol: `E-${base}-USDT`, interval: '1m', size: { base: 1 } } as const),
  }))
  const live = new LiveBot({
    ...{
      bot: 'cross',
      startAt: START + BEGIN * MINUTE,
      lines: new LogLines(),
      journal,
      exchange,
      strategies,
    },
    account: { type: 'futures', leverage: 10, marginMode: 'cross', positionMode: 'oneWay' },
    instruments: { default: { maintenanceMarginRate: rateOf(maintenanceMarginRate) } },
  })
  const bot = await live.start()
  await live.runTo(START + END * MINUTE + 5000)
  await bot.shutDown()
  journal.close()
  const reader = new JournalReader(path)
  afterTest(() => reader.close())
  const load = async (file: string) => (strategies[Number(file)] as (typeof strategies)[number]).strategy
  const fills = { ...DEFAULT_FILL_SETTINGS, slippageRate, slippageTicks: 1 }
  const span = await LiveSpan.read(reader, load)
  return compareSpan(span, { load, fills, hashOf: () => undefined, boundRate: 0.0005 })
}

const resultsOf = ({ live, backtest, difference }: LiveComparison) =>
  [live, backtest, difference].map(amountToText)

/** Causes of the orders, both entries first. */
const causesOf = ({ orders }: LiveComparison) => orders.map(({ cause }) => cause)

it('a liquidation of both runs on one wallet takes all of it, and leaves no difference', async () => {
  // Each is bought at 100.01 for a fee of 0.10001. At 66 and 95 the wallet of 40 has lost 39.02 + 0.20002: the 0.77998 that
  // are left are less than the 1.1% of 161 that both need.
  const found = await comparison({ prices: [66, 95] })
  expect(resultsOf(found)).toEqual(['-40', '-40', '0'])
  expect(partsOf(found)).toEqual({})
  // Ten contracts of 0.1 each.
  const { orders, trips } = comparisonJson(found)
  expect([orders.length, trips.length]).toEqual([4, 2])
  for (const { base, live, backtest } of [...orders, ...trips])
    expect([['BTC', 'ETH'].includes(base), live?.quantity, backtest?.quantity]).toEqual([true, '1', '1'])
  for (const { live, backtest } of orders) expect([live?.filled, backtest?.filled]).toEqual(['1', '1'])
  expect(
    found.orders.map(({ live, backtest }) => [live?.request.purpose, backtest?.request.purpose]),
  ).toEqual([
    ['entry', 'entry'],
    ['entry', 'entry'],
    ['liquidation', 'liquidation'],
    ['liquidation', 'liquidation'],
  ])
})

it('a liquidation that the slippage of the backtest alone made takes what its wallet had left, from outside', async () => {
  // Bought at 101.01 for 0.10101 each, the backtest has 40 - 39.02 - 0.20202 = 0.77798 at 68 and 95, less than 1.1% of 163.
  // Live has 40 - 37.02 - 0.20002 = 2.77998, which is more. It bought for 2 x 1.001 less.
  const found = await comparison({ prices: [68, 95], slippageRate: 0.01 })
  expect(resultsOf(found)).toEqual(['-37.22002', '-40', '2.77998'])
  expect(partsOf(found)).toEqual({ spread: 2.002, outside: 0.77798 })
  expect(causesOf(found)).toEqual(['spread', 'spread', 'outside', 'outside'])
})

it('one that the bot reckoned with, and the exchange did not make, is a defect', async () => {
  // The 2.77998 that are left are less than 2.1% of 163, by the configuration, and more than the 1.1% of the exchange.
  const found = await comparison({ prices: [68, 95], maintenanceMarginRate: '0.02' })
  expect(resultsOf(found)).toEqual(['-37.22002', '-40', '2.77998'])
  expect(partsOf(found)).toEqual({ unexplained: 2.77998 })
  expect(causesOf(found)).toEqual([undefined, undefined, 'unexplained', 'unexplained'])
  expect(found.verdict).toBe('unexplained')
})
