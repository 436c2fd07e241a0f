import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { childrenOf, type JsonSchema } from '../../src/cli/schema/json-schema.ts'
import type { BacktestConfigInput } from '../../src/config/backtest-config.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import * as kit from '../../src/strategy/index.ts'
import { type KlineScript, klineScript } from '../../src/testing/klines.ts'
import { type TryOptions, tryStrategy } from '../../src/testing/try-strategy.ts'

const { defineStrategy, enterLong, enterShort, exit } = kit

/** Gives these signals, one after each kline. */
const scripted = (...signals: readonly kit.Signals[]) =>
  defineStrategy({
    name: 'scripted',
    state: () => ({ next: 0 }),
    onKline: (_kline, { state }) => signals[state.next++],
  })

const FLAT = klineScript('1h').closes(100).flat(3)
const DAY = klineScript('1h').closes(100).flat(30)

/** A key of a configuration: `without` it and `within` it a run must differ. */
interface KeyCase {
  readonly signals?: readonly kit.Signals[]
  readonly klines?: KlineScript
  readonly symbol?: string
  /** What is the same in both runs. */
  readonly without?: BacktestConfigInput
  readonly within: BacktestConfigInput
}

const rules = (given: object) => ({ instruments: { default: given } }) as BacktestConfigInput
const margin = { account: { type: 'margin' } } as const
const contracts = (given: object, terms: object = {}): BacktestConfigInput => ({
  account: { type: 'futures', leverage: 5, ...terms },
  ...rules(given),
})
/** A limit buy at 99.5 that trades through, as a maker. */
const bid: readonly kit.Signals[] = [enterLong({ order: { type: 'limit', price: 99.5 } })]
const dip = FLAT.ohlc([100, 100, 99, 100])
const fills = (given: BacktestConfigInput['fills']) => ({ fills: given })

/** Every key that a run of a strategy can follow. */
const EFFECTS: Readonly<Record<string, KeyCase>> = {
  'account.type': { signals: [enterShort()], within: margin },
  'account.balance.*': { within: { account: { balance: { USDT: 50 } } } },
  'account.maxLeverage': {
    signals: [enterLong({ size: { equityFraction: 1.5 } })],
    without: margin,
    within: { account: { type: 'margin', maxLeverage: 2 } },
  },
  'account.borrows': {
    signals: [enterShort()],
    without: margin,
    within: { account: { type: 'margin', borrows: false } },
  },
  'account.leverage': {
    signals: [enterLong({ size: { base: 500 } })],
    without: { account: { type: 'futures' } },
    within: contracts({}),
  },
  'account.marginMode': {
    klines: klineScript('1h').closes(100, 100, 70),
    without: contracts({}),
    within: contracts({}, { marginMode: 'isolated' }),
  },
  'account.positionMode': {
    signals: [enterLong(), enterShort()],
    without: contracts({}),
    within: contracts({}, { positionMode: 'twoWay' }),
  },
  'accounts.spot.balance.*': {
    within: { accounts: { spot: { balance: { USDT: 50 } }, futures: { balance: { USDT: 1 } } } },
  },
  'accounts.futures.balance.*': {
    symbol: 'E-BTC-USDT',
    without: { accounts: { spot: { balance: {} }, futures: { balance: { USDT: 9000 } } } },
    within: { accounts: { spot: { balance: {} }, futures: { balance: { USDT: 50 } } } },
  },
  'accounts.futures.leverage': {
    ...{ symbol: 'E-BTC-USDT', signals: [enterLong({ size: { base: 500 } })] },
    without: { accounts: { spot: { balance: {} }, futures: { balance: { USDT: 20_000 } } } },
    within: { accounts: { spot: { balance: {} }, futures: { balance: { USDT: 20_000 }, leverage: 5 } } },
  },
  'accounts.futures.marginMode': {
    ...{ symbol: 'E-BTC-USDT', klines: klineScript('1h').closes(100, 100, 70) },
    without: { accounts: { spot: { balance: {} }, futures: { balance: { USDT: 9000 }, leverage: 5 } } },
    within: {
      accounts: {
        spot: { balance: {} },
        futures: { balance: { USDT: 9000 }, leverage: 5, marginMode: 'isolated' },
      },
    },
  },
  'accounts.futures.positionMode': {
    ...{ symbol: 'E-BTC-USDT', signals: [enterLong(), enterShort()] },
    without: { accounts: { spot: { balance: {} }, futures: { balance: { USDT: 9000 } } } },
    within: {
      accounts: { spot: { balance: {} }, futures: { balance: { USDT: 9000 }, positionMode: 'twoWay' } },
    },
  },
  'instruments.*.pricePrecision': { signals: bid, klines: dip, within: rules({ pricePrecision: 0 }) },
  'instruments.*.quantityPrecision': {
    signals: [enterLong({ size: { base: 1.5 } })],
    within: rules({ quantityPrecision: 0 }),
  },
  'instruments.*.minQuantity': { within: rules({ minQuantity: 5 }) },
  'instruments.*.maxQuantity': { within: rules({ maxQuantity: '0.001' }) },
  'instruments.*.minNotional': { within: rules({ minNotional: 1000 }) },
  'instruments.*.makerFeeRate': { signals: bid, klines: dip, within: rules({ makerFeeRate: '0.01' }) },
  'instruments.*.takerFeeRate': { within: rules({ takerFeeRate: '0.01' }) },
  'instruments.*.feesPaidIn': {
    without: rules({ takerFeeRate: '0.01' }),
    within: rules({ takerFeeRate: '0.01', feesPaidIn: 'quote' }),
  },
  'instruments.*.contractSize': {
    signals: [enterLong({ size: { base: 1.5 } })],
    without: contracts({}),
    within: contracts({ contractSize: '0.1' }),
  },
  'instruments.*.maintenanceMarginRate': {
    klines: klineScript('1h').closes(100, 100, 85),
    without: contracts({}, { marginMode: 'isolated' }),
    within: contracts({ maintenanceMarginRate: '0.15' }, { marginMode: 'isolated' }),
  },
  'instruments.*.maintenanceTiers.[].rate': {
    klines: klineScript('1h').closes(100, 100, 85),
    without: contracts({}, { marginMode: 'isolated' }),
    within: contracts({ maintenanceTiers: [{ rate: '0.15' }] }, { marginMode: 'isolated' }),
  },
  'instruments.*.maintenanceTiers.[].upTo': {
    klines: klineScript('1h').closes(100, 100, 85),
    without: contracts({ maintenanceTiers: [{ rate: '0.15' }] }, { marginMode: 'isolated' }),
    within: contracts(
      { maintenanceTiers: [{ rate: '0.01', upTo: 1000 }, { rate: '0.15' }] },
      { marginMode: 'isolated' },
    ),
  },
  'instruments.*.fundingRate': {
    klines: DAY,
    without: contracts({}),
    within: contracts({ fundingRate: '0.001' }),
  },
  'instruments.*.fundingHours': {
    klines: DAY,
    without: contracts({ fundingRate: '0.001' }),
    within: contracts({ fundingRate: '0.001', fundingHours: 2 }),
  },
  'size.quote': { within: { size: { quote: 500 } } },
  'size.base': { within: { size: { base: 2 } } },
  'size.equityFraction': { within: { size: { equityFraction: 0.5 } } },
  'size.maxEquityFraction': {
    signals: [enterLong({ stopLoss: 99.5 })],
    without: { size: { riskFraction: 0.01 } },
    within: { size: { riskFraction: 0.01, maxEquityFraction: 0.5 } },
  },
  'size.riskFraction': { signals: [enterLong({ stopLoss: 90 })], within: { size: { riskFraction: 0.01 } } },
  'fills.path': {
    signals: [enterLong({ stopLoss: 95, takeProfit: 110 })],
    klines: klineScript('1h').closes(100, 100).ohlc([100, 120, 90, 100]),
    within: fills({ path: 'optimistic' }),
  },
  'fills.slippageRate': { within: fills({ slippageRate: '0.01' }) },
  'fills.slippageTicks': { within: fills({ slippageTicks: 5 }) },
  'fills.volumeImpact': { klines: FLAT.volume(2).flat(1), within: fills({ volumeImpact: '0.5' }) },
  'fills.spreadRate': { within: fills({ spreadRate: '0.01' }) },
  'fills.spreadTicks': { within: fills({ spreadTicks: 4 }) },
  'fills.latencyMs': {
    klines: klineScript('1h').closes(100, 100, 101, 102),
    within: fills({ latencyMs: 3_600_000 }),
  },
  'fills.maxVolumeShare': {
    signals: [enterLong({ size: { base: 20 } })],
    klines: klineScript('1h').volume(10).closes(100, 100, 100),
    within: fills({ maxVolumeShare: 0.5 }),
  },
  'fills.limitFill': {
    signals: bid,
    klines: FLAT.ohlc([100, 100, 99.5, 100]),
    within: fills({ limitFill: 'touch' }),
  },
  'fills.gappedLimit': {
    signals: bid,
    klines: klineScript('1h').closes(100, 100).ohlc([98, 98, 98, 98]),
    within: fills({ gappedLimit: 'atOpen' }),
  },
  'fills.entryKlineProtection': {
    signals: [enterLong({ order: { type: 'limit', price: 99 }, stopLoss: 95 })],
    klines: klineScript('1h').closes(100).ohlc([100, 100, 90, 100]),
    within: fills({ entryKlineProtection: 'marketEntries' }),
  },
  'fills.stopLossFirst': {
    signals: [enterLong({ stopLoss: 95, takeProfit: 110 })],
    klines: klineScript('1h').closes(100, 100).ohlc([115, 115, 90, 100]),
    within: fills({ stopLossFirst: 'always' }),
  },
  'fills.stopLimit': {
    signals: [enterLong({ order: { type: 'stopLimit', stopPrice: 101, price: 102 } })],
    klines: klineScript('1h').closes(100).ohlc([105, 106, 101.5, 105]),
    within: fills({ stopLimit: 'atStopPrice' }),
  },
  'fills.sizingReference': {
    signals: [enterLong({ size: { quote: 1000 } })],
    klines: klineScript('1h').closes(100).ohlc([125, 125, 125, 125]),
    within: fills({ sizingReference: 'nextOpen' }),
  },
  'fills.closeAtEnd': { within: fills({ closeAtEnd: 'lastClose' }) },
  'risk.limits.maxNotional': { within: { risk: { limits: { maxNotional: 50 } } } },
  'risk.protections.lossesInARow.count': {
    signals: [enterLong(), undefined, exit(), undefined, enterLong()],
    klines: klineScript('1h').closes(100, 100, 90, 80, 80, 80, 80),
    within: { risk: { protections: { lossesInARow: { count: 1, pauseMs: 86_400_000 } } } },
  },
}

/** Keys that no run of a strategy can follow: refused, each with what to do. */
const REFUSALS: Readonly<Record<string, readonly [BacktestConfigInput, sentence: RegExp]>> = {
  'instruments.*.maxLeverage': [
    contracts({ maxLeverage: 3 }),
    /leverage of 5 is above the contract's maxLeverage of 3/,
  ],
  'instruments.*.fundingFile': [
    contracts({ fundingFile: 'rates.csv' }),
    /^instruments\.default\.fundingFile names a file, .* Say a fundingRate/,
  ],
  'instruments.*.fundingVenue': [
    contracts({ fundingVenue: 'there' }),
    /^instruments\.default\.fundingVenue names .* Say a fundingRate/,
  ],
  'instruments.*.markFile': [
    contracts({ markFile: 'mark.csv' }),
    /^instruments\.default\.markFile names a file/,
  ],
  'fills.queue': [{ fills: { queue: 'back' } }, /^fills\.queue is for recorded ticks/],
  riskFreeRate: [{ riskFreeRate: 0.02 }, /^riskFreeRate is for the figures of a report/],
  validate: [{ validate: { outOfSampleT: 2 } }, /^validate is for `npm run validate`/],
  strategies: [
    { strategies: [{ file: 'strategies/sma-cross.ts', symbol: 'BTC/USDT', interval: '1h' }] as never },
    /^strategies is for a run of several/,
  ],
}

const outcome = ({ signals = [enterLong()], klines: market = FLAT, symbol }: KeyCase, config = {}) =>
  tryStrategy(scripted(...signals), { klines: market, config, ...(symbol !== undefined && { symbol }) })

describe('each key of the configuration of a tried strategy', () => {
  it.each(Object.entries(EFFECTS))('%s has its effect', (_, given) => {
    expect(outcome(given, given.within)).not.toEqual(outcome(given, given.without))
  })

  it.each(Object.entries(REFUSALS))('%s is refused in a sentence', (_, [config, sentence]) => {
    const attempt = () => outcome({ within: config }, config)
    expect(attempt).toThrow(UsageError)
    expect(problemOf(attempt)).toMatch(sentence)
  })

  it('is among these', () => {
    const known = [...Object.keys(EFFECTS), ...Object.keys(REFUSALS)]
    const schema: JsonSchema = JSON.parse(
      readFileSync(new URL('../../config/schema/backtest.json', import.meta.url), 'utf8'),
    )
    // Limits and protections are one section each, which goes to the engine as it is; a verdict is refused whole.
    const sections = ['strategies', 'risk.limits', 'risk.protections', 'validate']
    const isKnown = (key: string) =>
      known.includes(key) ||
      sections.some(section => key.startsWith(`${section}.`) && known.some(own => own.startsWith(section)))
    expect(keysOf(schema).filter(key => !isKnown(key))).toEqual([])
  })
})

describe('funding of a contract that is tried', () => {
  // 10 contracts of 1 base at 100: 1000. A thousandth of it at 08:00, 16:00 and 00:00; held from 01:00 on.
  const held = (given: object, side = enterLong) =>
    tryStrategy(scripted(side({ size: { base: 10 } })), { klines: DAY, config: contracts(given) }).equity.at(
      -1,
    )

  it('is paid by longs and received by shorts, every eight hours', () => {
    expect(held({ fundingRate: '0.001' })).toBe(10_000 - 3)
    expect(held({ fundingRate: '0.001' }, enterShort)).toBe(10_000 + 3)
  })

  it('is paid as often as it is said', () => {
    // 04:00, 08:00, ..., 24:00 and 28:00, of 31 hours.
    expect(held({ fundingRate: '0.001', fundingHours: 4 })).toBe(10_000 - 7)
  })

  it('is what a feed of funding shows', () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'funded',
      feeds: () => ({ rates: kit.funding({}) }),
      onKline: () => undefined,
      on: { rates: ({ rate }) => void seen.push(rate) },
    })
    tryStrategy(strategy, { klines: DAY, config: contracts({ fundingRate: '0.001' }) })
    expect(seen).toEqual([0.001, 0.001, 0.001])
  })

  it('is that of the instrument of each role', () => {
    const strategy = defineStrategy({
      name: 'hedged',
      markets: ['hedge'],
      state: () => ({ isDone: false }),
      onKline: (_kline, { state }) => {
        if (state.isDone) return undefined
        state.isDone = true
        return [enterLong({ size: { base: 10 } }), enterShort({ size: { base: 10 }, market: 'hedge' })]
      },
    })
    const config = {
      account: { type: 'futures', leverage: 5 },
      instruments: { default: { fundingRate: '0.001' }, 'HEDGE/USDT': { fundingRate: '0.002' } },
    } as const
    const { equity } = tryStrategy(strategy, { klines: DAY, markets: { hedge: DAY }, config })
    // 3 × 1 paid, 3 × 2 received.
    expect(equity.at(-1)).toBe(10_000 - 3 + 6)
  })
})

describe('options of a tried strategy', () => {
  it.each<[Record<string, unknown>, string]>([
    [
      { fundingRate: '0.001' },
      'tryStrategy has no option "fundingRate". Known: klines, markets, feeds, parameters, balance, size, symbol, config.',
    ],
    [{ parameter: {} }, 'tryStrategy has no option "parameter". Did you mean "parameters"?'],
    [
      { size: { base: 1 }, config: { size: { base: 2 } } },
      'The option size contradicts config.size; leave one of the two out.',
    ],
    [
      { balance: 5, config: { account: { balance: { USDT: 6 } } } },
      'The option balance contradicts config.account.balance; leave one of the two out.',
    ],
    [
      { balance: 5, config: { accounts: { spot: { balance: {} }, futures: { balance: {} } } } },
      'The option balance is for one account, but config.accounts has two; say the balance of each there.',
    ],
    [
      { config: { instruments: { 'ETH/USDT': { takerFeeRate: '0.001' } } } },
      'config.instruments has rules for ETH/USDT, but this run trades BTC/USDT only; name that, or default for all.',
    ],
  ])('%o is refused', (given, sentence) => {
    const attempt = () => tryStrategy(scripted(), { klines: FLAT, ...given } as TryOptions)
    expect(attempt).toThrow(UsageError)
    expect(problemOf(attempt)).toBe(sentence)
  })
})

function problemOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    return (error as Error).message.replace('The strategy cannot be tried like this:\n', '')
  }
  return ''
}

function keysOf(schema: JsonSchema, path: readonly string[] = []): readonly string[] {
  const children = childrenOf(schema)
  if (children.length === 0) return [path.join('.')]
  return children.flatMap(([step, child]) => keysOf(child, [...path, step]))
}
