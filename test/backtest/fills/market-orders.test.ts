import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal, Size } from '../../../src/domain/signal.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import { cancelEntries, enterLong, enterShort, exit, protect } from '../../../src/strategy/index.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { fillWords, QUIET, type Row, run, runScript } from '../kline-table.ts'
import { anyFillSettings, anySeed, randomRows, seededStrategy } from '../random-market.ts'

const SIZES: readonly Size[] = [
  { base: 1 },
  { quote: 300 },
  { quote: 4 }, // below the smallest order
  { equityFraction: 0.4 },
  { equityFraction: 3 },
  { riskFraction: 0.1 }, // needs a stop-loss
]

/** At most one order that opens in three minutes. */
const ONE_ORDER: RiskRules = { limits: { maxOrders: { count: 1, perMs: 180_000 } } }

/** Mostly buys and sells at market, among whatever gets in the way of that. */
const trader = seededStrategy('trader', (close, random) => {
  if (random() < 0.3) return
  return random() < 0.1 ? [signalAt(close, random), signalAt(close, random)] : signalAt(close, random)
})

function signalAt(price: number, random: () => number): Signal {
  const tag = random() < 0.5 ? 'tagged' : undefined
  const tagged = tag === undefined ? {} : { tag }
  const kind = random()
  if (kind < 0.1) return cancelEntries(tagged)
  if (kind < 0.35) return exit(tagged)
  if (kind < 0.7) return enterLong(random() < 0.5 ? tagged : { ...tagged, size: anyOf(SIZES, random) })
  if (kind < 0.75) return enterLong({ ...tagged, stopLoss: { fraction: 0.01 } })
  if (kind < 0.8) return enterLong({ scaleIn: true })
  if (kind < 0.85) return enterLong({ order: { type: 'limit', price: price * 0.99 } })
  if (kind < 0.9) return exit({ fraction: 0.5 })
  if (kind >= 0.95) return enterShort()
  return protect(random() < 0.5 ? { stopLoss: { fraction: 0.02 } } : { trailingStop: { fraction: 0.02 } })
}

function anyOf<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T // inside
}

const anyInstrument: fc.Arbitrary<Instrument> = fc
  .record({ paidIn: fc.constantFrom('quote', 'received'), minNotional: fc.constantFrom('5', '350') })
  .map(({ paidIn, minNotional }) => ({
    ...SPOT,
    fees: { ...SPOT.fees, paidIn },
    minNotional: amountOf(minNotional),
  }))

const anyCase = fc.record({
  klines: anySeed,
  signals: anySeed,
  instrument: anyInstrument,
  fills: fc
    .record({
      settings: anyFillSettings,
      latencyMs: fc.constantFrom(0, 0, 90_000),
      maxVolumeShare: fc.constantFrom(undefined, undefined, 0.5, 2),
    })
    .map(({ settings, latencyMs, maxVolumeShare }) => ({ ...settings, latencyMs, maxVolumeShare })),
  quote: fc.constantFrom('10000', '400', '90'),
  closeAtEnd: fc.constantFrom('no', 'lastClose', 'lastOpen'),
  risk: fc.constantFrom(undefined, undefined, ONE_ORDER),
})

/** Everything that a run came to. */
function told({ equity, equityTime, balances, ...result }: BacktestResult) {
  const { fills, roundTrips, ambiguousRoundTrips, denials, signals, orders, openPositions, workingOrders } =
    result
  return {
    ...{ fills, roundTrips, ambiguousRoundTrips, denials, signals, orders, openPositions, workingOrders },
    balances: [...balances],
    equity: [...equity],
    equityTime: [...equityTime],
  }
}

it('comes to the same whether or not somebody is told of every step', () => {
  let fills = 0
  fc.assert(
    fc.property(anyCase, ({ klines, signals, ...settings }) => {
      const options = { ...settings, parameters: { seed: signals } }
      const rows = randomRows(klines, 120)
      const untold = told(run(trader, rows, options))
      expect(untold).toEqual(told(run(trader, rows, { ...options, onNotice })))
      fills += untold.fills.length
    }),
    { numRuns: 250 },
  )
  expect(fills).toBeGreaterThan(1000)
})

function onNotice(): void {}

it('fills at the open after the decision, and knows the position at its close', () => {
  const rows: Row[] = [QUIET, [102, 103, 101, 102], QUIET, [98, 99, 97, 98], QUIET]
  const result = runScript({ 0: enterLong({ tag: 'a' }), 2: exit() }, rows, { instrument: SPOT })
  expect(fillWords(result, SPOT)).toEqual(['1: buy 1 at 102 taker', '3: sell 0.999 at 98 taker'])
  expect(result.signals).toBe(2)
  expect(result.orders).toBe(2)
  expect(result.roundTrips.map(({ tag, exitReason }) => [tag, exitReason])).toEqual([['a', 'exit']])
})

it('has a trailing stop that comes later go on from the best price since the open at which it filled', () => {
  // Bought at 102, and 110 is the best price since: 110 − 15 = 95, which the last kline passes.
  const rows: Row[] = [QUIET, [102, 110, 101, 104], [104, 105, 94, 96]]
  const script = { 0: enterLong(), 1: protect({ trailingStop: { distance: 15 } }) }
  const result = runScript(script, rows, { instrument: SPOT })
  expect(fillWords(result, SPOT)).toEqual(['1: buy 1 at 102 taker', '2: sell 0.999 at 95 taker'])
})

it('counts for the limit of orders per time, whoever is told', () => {
  const script = { 0: enterLong(), 1: exit(), 2: enterLong() }
  const result = runScript(script, [QUIET, QUIET, QUIET, QUIET], { instrument: SPOT, risk: ONE_ORDER })
  expect(fillWords(result, SPOT)).toEqual(['1: buy 1 at 100 taker', '2: sell 0.999 at 100 taker'])
  expect(result.denials.map(({ rule }) => rule)).toEqual(['maxOrders'])
})

it('leaves an order of the last kline working', () => {
  const result = runScript({ 1: enterLong() }, [QUIET, QUIET], { instrument: SPOT })
  expect(result.fills).toEqual([])
  expect(result.workingOrders).toBe(1)
  expect(result.orders).toBe(1)
})

it.each([
  ['a size below 0', enterLong({ size: { quote: -1 } })],
  ['a size of nothing', enterLong({ size: {} as Size })],
])('says that %s is wrong', (_name, signal) => {
  expect(() => runScript({ 0: signal }, [QUIET, QUIET], { instrument: SPOT })).toThrow('Its size')
})

it('counts the orders placed, those that protect apart, and no denied one', () => {
  const protectedEntry = enterLong({ stopLoss: 90, takeProfit: 120 })
  const tooLarge = enterLong({ size: { base: 1000 }, scaleIn: true })
  const script = { 0: protectedEntry, 1: tooLarge, 2: [exit({ fraction: 0.5 }), exit()] }
  const result = runScript(script, [QUIET, QUIET, QUIET, QUIET], { instrument: SPOT })
  expect(result.orders).toBe(3)
  expect(result.denials.map(({ rule }) => rule)).toEqual(['balance'])
})

it('an entry that waits for an exit of its moment is sized at the price at which that has traded', () => {
  const again = (price: number) =>
    fillWords(
      runScript({ 0: enterLong(), 1: [exit(), enterLong({ size: { quote: 1000 } })] }, [
        QUIET,
        QUIET,
        [price, price, price, price],
      ]),
    )
  expect(again(100)).toEqual(['1: buy 1 at 100 taker', '2: sell 1 at 100 taker', '2: buy 10 at 100 taker'])
  expect(again(125)).toEqual(['1: buy 1 at 100 taker', '2: sell 1 at 125 taker', '2: buy 8 at 125 taker'])
})
