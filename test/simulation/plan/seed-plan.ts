import type { Accounts, ContractTerms } from '../../../src/config/account-fields.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import type { Traded } from '../world/bot-world.ts'
import { busyKlines } from '../world/busy-market.ts'
import type { ClockStep } from '../world/mortal-clock.ts'
import { deeds, shocks } from '../world/others-deeds.ts'
import {
  BALANCED_HEDGERS,
  CHAOTIC_HEDGERS,
  CHAOTIC_STRATEGIES,
  CHAOTIC_TRADERS,
  MEETING_TRADERS,
} from './chaos.ts'
import { contractsFor, termsOf } from './futures-plan.ts'
import { lateFunding, lateKlines, randomFaults, refusedOrders } from './random-faults.ts'
import { riskOf } from './random-risk.ts'
import type { PlanKind, SeedPlan } from './simulation-plan.ts'
import { asUsersWrite } from './user-plan.ts'

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'] as const

const KINDS: readonly PlanKind[] = ['spot', 'spot', 'spot', 'futures', 'futures', 'both']

const DAY_MS = 86_400_000

const HOUR_MINUTES = 60

/** Minutes of a market before the bot starts: long enough for the warm-up of the example strategies. */
const BEFORE = 40

const AFTER = 8

/** The plan of a seed: a market, strategies, and what goes wrong. */
export function planOf(seed: number): SeedPlan {
  const [answers, books] = [seededRandom(seed ^ 0x4b1).uniform, seededRandom(seed ^ 0xb00c).uniform]
  const plan = withTroubles(chaoticPlan(seed), answers, books)
  return asUsersWrite(plan, seededRandom(seed ^ 0xe28).uniform)
}

/** Draws of their own, so that those of every other part of a plan stay as they are. */
function withTroubles(plan: SeedPlan, random: () => number, bookRandom: () => number): SeedPlan {
  const symbols = plan.traded.map(({ symbol }) => symbol)
  const span = { from: plan.startAt, until: plan.troubleUntil, symbols }
  const [klines, funding] = [lateKlines(random, span), lateFunding(random, span)]
  const refusals = refusedOrders(bookRandom, span)
  const faults = [...(plan.exchange.faults ?? []), ...klines, ...funding, ...refusals]
  // Orders at market trade in part, and their rest is canceled; who leaves flat would not be done in time.
  const isThin = bookRandom() < 0.25 && plan.execution.onStop !== 'flatten'
  const liquidity = isThin ? { liquidity: { levelNotionals: ['60', '90', '150'] } } : {}
  // Positions that paid are closed while nobody knows of that yet.
  const flattenings = funding.map(({ from }) => ({
    at: Number(from) + 1000 + Math.floor(random() * 30_000),
    request: { command: 'flatten' as const },
  }))
  return {
    ...plan,
    exchange: { ...plan.exchange, faults, ...liquidity },
    commands: [...plan.commands, ...flattenings].toSorted((left, right) => left.at - right.at),
  }
}

function chaoticPlan(seed: number): SeedPlan {
  const random = seededRandom(seed).uniform
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item // within
  const kind = pick(KINDS)
  const minutes = 4 + Math.floor(random() * 7)
  const pairs = SYMBOLS.slice(0, 1 + Math.floor(random() * 3))
  const contracted = kind === 'spot' ? [] : SYMBOLS.slice(0, 1 + Math.floor(random() * SYMBOLS.length))
  const shiftMs = shiftOf(kind, minutes, random)
  const startAt = START + shiftMs + BEFORE * MINUTE
  const troubleUntil = startAt + minutes * MINUTE
  const terms = termsOf(random)
  const traded = [
    ...(kind === 'futures' ? [] : onSpot(pairs, 1 + Math.floor(random() * 3), random)),
    ...onFutures(contracted.map(contractName), terms, random),
  ]
  const symbols = [...new Set(traded.map(({ symbol }) => symbol))]
  const faults = random() < 0.2 ? [] : randomFaults(random, { from: startAt, until: troubleUntil, symbols })
  const hasOthers = random() < 0.25
  return {
    ...{ kind, traded, startAt, troubleUntil },
    accounts: accountsFor(kind, terms),
    exchange: exchangeOf({
      symbols: kind === 'spot' ? pairs : SYMBOLS,
      contracted,
      minutes,
      shiftMs,
      random,
      seed,
      faults,
    }),
    aheadMs: random() < 0.5 ? 0 : Math.round((random() * 2 - 1) * 30_000),
    deathRate: pick(kind === 'spot' ? [0, 0, 0.003, 0.01, 0.03] : [0, 0, 0.002, 0.005, 0.015]),
    downMs: pick([2000, 3000, 12_000, 70_000]),
    lossRate: pick([0, 0, 0.02, 0.1, 0.25]),
    snapshotEntries: pick([8, 40, 100_000]),
    ...(random() < 0.1 && { keepEntries: 20 }),
    execution: {
      onStop: pick(kind === 'spot' ? ['cancel', 'cancel', 'flatten'] : ['cancel', 'flatten']),
      foreignOrders: pick(['leave', 'leave', 'cancel']),
    },
    others: [
      ...(hasOthers ? deeds(random, { symbols, startAt, troubleUntil }) : []),
      ...(kind !== 'spot' && random() < 0.5 ? shocks(random, { symbols, startAt, troubleUntil }) : []),
    ],
    risk: random() < 0.5 ? {} : riskOf(random, false),
    commands: random() < 0.7 ? [] : commandsOf(random, { symbols, startAt, troubleUntil }),
    jitterMs: pick([0, 0, 60, 400]),
    clockSteps: random() < 0.7 ? [] : stepsOf(random, startAt, troubleUntil),
  }
}

/** One or two steps of the machine's clock, by seconds or hours, forward or back, for some seconds or for the rest of the trouble. */
function stepsOf(random: () => number, from: number, until: number): readonly ClockStep[] {
  return Array.from({ length: 1 + Math.floor(random() * 2) }, () => {
    const begin = Math.floor(from + random() * (until - from))
    const most = random() < 0.5 ? 60_000 : 3 * HOUR_MINUTES * MINUTE
    const length = random() < 0.3 ? until - begin : 1000 + random() * 60_000
    return {
      from: begin,
      until: Math.min(until, Math.ceil(begin + length)),
      aheadMs: Math.round((random() * 2 - 1) * most),
    }
  })
}

/** Some runs go on past midnight, where a day's loss is forgotten; contracts past a full hour, when funding is settled. */
function shiftOf(kind: PlanKind, minutes: number, random: () => number): number {
  const before = (BEFORE + Math.floor(random() * minutes)) * MINUTE
  if (random() < 0.3) return DAY_MS - before
  return kind === 'spot' ? 0 : HOUR_MINUTES * MINUTE - before
}

function accountsFor(kind: PlanKind, futures: ContractTerms): Accounts {
  return { ...(kind !== 'futures' && { spot: {} }), ...(kind !== 'spot' && { futures }) }
}

function contractName(pair: string): string {
  return `E-${pair.replace('/', '-')}`
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
function onSpot(symbols: readonly string[], count: number, random: () => number): readonly Traded[] {
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

/** One strategy on every contract: an exchange has one position of it. Now and then the last does one thing again and again. */
function onFutures(
  symbols: readonly string[],
  { positionMode }: ContractTerms,
  random: () => number,
): readonly Traded[] {
  const strategies = positionMode === 'oneWay' ? CHAOTIC_TRADERS : CHAOTIC_HEDGERS
  const first = Math.floor(random() * strategies.length)
  const ofOneKind = positionMode === 'oneWay' ? MEETING_TRADERS : BALANCED_HEDGERS
  const last = random() < 0.4 ? ofOneKind[first % ofOneKind.length] : undefined
  return symbols.map((symbol, at): Traded => {
    const any = strategies[(first + at) % strategies.length] as Traded['strategy'] // within
    const strategy = at === symbols.length - 1 ? (last ?? any) : any
    const parameters = { seed: Math.floor(random() * 2 ** 31) }
    return { strategy, symbol, parameters, ...(random() < 0.25 && { risk: riskOf(random, true) }) }
  })
}

interface ExchangePlan {
  readonly symbols: readonly string[]
  /** Pairs that have a contract. */
  readonly contracted: readonly string[]
  readonly minutes: number
  readonly shiftMs: number
  readonly random: () => number
  readonly seed: number
  readonly faults: readonly FaultRuleInput[]
}

function exchangeOf(plan: ExchangePlan): SimulatorConfigInput {
  const { symbols, contracted, minutes, shiftMs, random, seed, faults } = plan
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
        futuresBalances: { USDT: `${[100, 300, 1000, 5000][Math.floor(random() * 4)]}` },
      },
    ],
    liquidity: thin ? { levelNotionals: ['60', '90', '150', '1000000'] } : {},
    futures: { contracts: contractsFor(contracted.map(contractName), fees, random) },
    keptInputs: 0,
    keptEvents: 100_000,
  }
}

function laterKlines(klines: readonly Kline[], shiftMs: number, volume: number): Kline[] {
  return klines.map(kline => ({ ...kline, openTime: kline.openTime + shiftMs, volume }))
}
