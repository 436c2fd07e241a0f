import { seededRandom } from '../../backtest/trust/seeded-random.ts'
import type { BotConfig } from '../../src/bot/config/bot-config.ts'
import type { OperatorRequest } from '../../src/bot/control/operator-request.ts'
import { amountOf, rateOf } from '../../src/domain/amount.ts'
import type { Kline } from '../../src/domain/kline.ts'
import type { PositionLimit, ProtectionRules, RiskLimits, RiskRules } from '../../src/risk/risk-rules.ts'
import type { FaultRuleInput } from '../../src/simulator/faults/fault-rule.ts'
import type { SimulatorConfigInput } from '../../src/simulator/simulator-config.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import type { Traded } from './bot-world.ts'
import { busyKlines } from './busy-market.ts'
import { CHAOTIC_STRATEGIES } from './chaos.ts'
import { randomFaults } from './random-faults.ts'

/** Everything that a seed decides before anything happens. */
export interface SeedPlan {
  readonly exchange: SimulatorConfigInput
  readonly traded: readonly Traded[]
  readonly startAt: number
  /** When nothing goes wrong any more, ms UTC. */
  readonly troubleUntil: number
  readonly aheadMs: number
  /** Chance that a bot dies at a moment. */
  readonly deathRate: number
  /** At least as long as the shortest limits of the exchange look back, ms: who starts anew does not know what was asked before. */
  /** At least as long as the shortest limits of the exchange look back, ms: who starts anew does not know what was asked before. */
  readonly downMs: number
  /** Chance that a request or its answer is lost on the way, or late. */
  readonly lossRate: number
  readonly snapshotEntries: number
  readonly keepEntries?: number
  readonly execution: Partial<BotConfig['execution']>
  /** What somebody else does with the account, and when, ms UTC. */
  readonly others: readonly OthersDeed[]
  readonly risk: RiskRules
  /** What the operator commands, and when, ms UTC. */
  readonly commands: readonly { readonly at: number; readonly request: OperatorRequest }[]
}

/** Something that somebody else does with the account of the bot. */
export interface OthersDeed {
  readonly at: number
  readonly type: 'deposit' | 'trade' | 'order' | 'shock'
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  /** Base units; of a shock: the factor of the price. */
  readonly size: number
}

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'] as const
const DAY_MS = 86_400_000
const BEFORE = 10
const AFTER = 8

/** The plan of a seed: a market, strategies, and what goes wrong. */
export function planOf(seed: number): SeedPlan {
  const random = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item // within
  const minutes = 4 + Math.floor(random() * 7)
  const symbols = SYMBOLS.slice(0, 1 + Math.floor(random() * 3))
  // Some runs go on past midnight, where a day's loss is forgotten.
  const shiftMs = random() < 0.3 ? DAY_MS - (BEFORE + Math.floor(random() * minutes)) * MINUTE : 0
  const startAt = START + shiftMs + BEFORE * MINUTE
  const troubleUntil = startAt + minutes * MINUTE
  const traded = pairs(symbols, 1 + Math.floor(random() * 3), random)
  const faults = random() < 0.2 ? [] : randomFaults(random, { from: startAt, until: troubleUntil, symbols })
  const hasOthers = random() < 0.25
  return {
    traded,
    startAt,
    troubleUntil,
    exchange: exchangeOf({ symbols, minutes, shiftMs, random, seed, faults }),
    aheadMs: random() < 0.5 ? 0 : Math.round((random() * 2 - 1) * 30_000),
    deathRate: pick([0, 0, 0.003, 0.01, 0.03]),
    downMs: pick([2000, 3000, 12_000, 70_000]),
    lossRate: pick([0, 0, 0.02, 0.1, 0.25]),
    snapshotEntries: pick([8, 40, 100_000]),
    ...(random() < 0.1 && { keepEntries: 20 }),
    execution: {
      onStop: pick(['cancel', 'cancel', 'flatten']),
      foreignOrders: pick(['leave', 'leave', 'cancel']),
    },
    others: hasOthers ? deeds(random, { symbols, startAt, troubleUntil }) : [],
    risk: random() < 0.5 ? {} : riskOf(random, false),
    commands: random() < 0.7 ? [] : commandsOf(random, { symbols, startAt, troubleUntil }),
  }
}

function riskOf(random: () => number, isOfStrategy: boolean): RiskRules {
  return { limits: limitsOf(random, isOfStrategy), protections: protectionsOf(random) }
}

/** Some limits are the account's alone. */
function limitsOf(random: () => number, isOfStrategy: boolean): RiskLimits {
  return {
    ...(random() < 0.5 && { maxNotional: amountOf(`${100 + Math.floor(random() * 200)}`) }),
    ...(random() < 0.5 && { maxPosition: positionLimit(random) }),
    ...(random() < 0.3 && !isOfStrategy && { maxExposure: amountOf(`${300 + Math.floor(random() * 600)}`) }),
    ...(random() < 0.3 && { maxWorkingOrders: 1 + Math.floor(random() * 6) }),
    ...(random() < 0.3 && { maxOrders: { count: 2 + Math.floor(random() * 6), perMs: MINUTE } }),
    ...(random() < 0.3 && !isOfStrategy && { selfCrossingRate: rateOf('0.01') }),
    ...(random() < 0.3 && { priceBandRate: rateOf('0.01') }),
  }
}

function positionLimit(random: () => number): PositionLimit {
  const part = random()
  return random() < 0.6
    ? { base: amountOf(`${1 + Math.floor(part * 5)}`) }
    : { quote: amountOf(`${100 + Math.floor(part * 400)}`) }
}

function protectionsOf(random: () => number): ProtectionRules {
  const mode = random() < 0.5 ? 'reducing' : 'halted'
  return {
    ...(random() < 0.3 && { dailyLoss: { mode, rate: rateOf('0.01') } }),
    ...(random() < 0.3 && { drawdown: { mode, rate: rateOf('0.01'), pauseMs: 2 * MINUTE } }),
    ...(random() < 0.3 && { lossesInARow: { mode, count: 2, pauseMs: MINUTE } }),
    ...(random() < 0.3 && { cooldownAfterStop: { mode, pauseMs: MINUTE } }),
    ...(random() < 0.2 && { staleData: { mode, gapPauseMs: MINUTE } }),
    ...(random() < 0.2 && { clockUncertainty: { mode, maxMs: 200 } }),
    ...(random() < 0.2 && { spread: { mode, maxRate: 0.01 } }),
  }
}

function commandsOf(
  random: () => number,
  { symbols, startAt, troubleUntil }: { symbols: readonly string[]; startAt: number; troubleUntil: number },
): SeedPlan['commands'] {
  const commands = ['pause', 'resume', 'resume', 'reduce', 'flatten', 'halt', 'kill'] as const
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const command = commands[Math.floor(random() * commands.length)] ?? 'pause'
    const symbol = symbols[Math.floor(random() * symbols.length * 2)]
    return {
      at: startAt + Math.floor(random() * (troubleUntil - startAt)),
      request: {
        command,
        ...(symbol !== undefined && { symbol }),
        ...(command === 'pause' && { forMs: 30_000 + Math.floor(random() * 120_000) }),
      },
    }
  })
}

/** One strategy on every symbol, or up to three on the first of them. */
function pairs(symbols: readonly string[], count: number, random: () => number): readonly Traded[] {
  const first = Math.floor(random() * CHAOTIC_STRATEGIES.length)
  return symbols.flatMap((symbol, at) =>
    Array.from({ length: at === 0 ? count : 1 }, (_, index): Traded => {
      const strategy = CHAOTIC_STRATEGIES[
        (first + at + index) % CHAOTIC_STRATEGIES.length
      ] as Traded['strategy'] // within
      const parameters = { seed: Math.floor(random() * 2 ** 31) }
      return { strategy, symbol, parameters, ...(random() < 0.25 && { risk: riskOf(random, true) }) }
    }),
  )
}

interface ExchangePlan {
  readonly symbols: readonly string[]
  readonly minutes: number
  readonly shiftMs: number
  readonly random: () => number
  readonly seed: number
  readonly faults: readonly FaultRuleInput[]
}

function exchangeOf({ symbols, minutes, shiftMs, random, seed, faults }: ExchangePlan): SimulatorConfigInput {
  const volume = 1 + random() * 40
  const fees = [0, 0.0005, 0.001, 0.002][Math.floor(random() * 4)] ?? 0
  const thin = random() < 0.4
  const maxVolume = random() < 0.15 ? { maxVolume: '0.9' } : {}
  return {
    seed,
    faults: [...faults],
    listings: symbols.map((symbol, index) => ({
      symbol,
      quantityPrecision: 3,
      ...maxVolume,
      makerFeeRate: `${fees}`,
      takerFeeRate: `${fees}`,
      market: {
        type: 'klines',
        klines: laterKlines(busyKlines(BEFORE + minutes + AFTER, seed * 8 + index), shiftMs, volume),
      },
    })),
    accounts: [
      {
        ...TEST_ACCOUNT,
        balances: {
          USDT: `${[350, 800, 3000, 20_000][Math.floor(random() * 4)]}`,
          BTC: '5',
          ETH: '5',
          SOL: '5',
        },
      },
    ],
    liquidity: thin ? { levelNotionals: ['60', '90', '150', '1000000'] } : {},
    futures: { contracts: [] },
    keptInputs: 0,
    keptEvents: 100_000,
  }
}

function laterKlines(klines: readonly Kline[], shiftMs: number, volume: number): Kline[] {
  return klines.map(kline => ({ ...kline, openTime: kline.openTime + shiftMs, volume }))
}

function deeds(
  random: () => number,
  { symbols, startAt, troubleUntil }: { symbols: readonly string[]; startAt: number; troubleUntil: number },
): readonly OthersDeed[] {
  const types = ['deposit', 'trade', 'trade', 'order', 'shock'] as const
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
    at: startAt + Math.floor(random() * (troubleUntil - startAt)),
    type: types[Math.floor(random() * types.length)] ?? 'trade',
    symbol: symbols[Math.floor(random() * symbols.length)] ?? '',
    side: random() < 0.5 ? 'buy' : 'sell',
    size: Math.round((0.2 + random() * 0.8) * 1000) / 1000,
  }))
}
