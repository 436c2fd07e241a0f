import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type { Bot } from '../../src/bot/bot.ts'
import type { DifferencePart } from '../../src/compare/difference-part.ts'
import { compareSpan, type LiveComparison } from '../../src/compare/live-comparison.ts'
import { LiveSpan } from '../../src/compare/live-span.ts'
import type { GivenAccounts } from '../../src/config/account-fields.ts'
import { amountToNumber, rateOf } from '../../src/domain/numbers/amount.ts'
import type { Size } from '../../src/domain/signal.ts'
import type { HttpRequest } from '../../src/exchange/http/transport.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../src/simulator/simulator-config.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { journalPath } from '../journal/journal-session.ts'
import { LiveBot, type LiveBotOptions } from '../live-bot.ts'
import { LogLines } from '../parity/log-lines.ts'
import { marketSlice } from '../parity/market-slice.ts'

type BotRisk = NonNullable<LiveBotOptions['risk']>

export const MINUTE = 60_000
const HISTORY = 40
const SPOT_FEES = { makerFeeRate: rateOf('0.001'), takerFeeRate: rateOf('0.001') }

/** A strategy of the bot. */
export interface ComparedStrategy {
  readonly strategy: Strategy
  readonly symbol?: string
  readonly interval?: '1m' | '5m'
  readonly size?: Size
  readonly parameters?: Readonly<Record<string, number>>
}

/** Events in the life of a bot. */
export interface ComparedLife {
  readonly strategies: readonly ComparedStrategy[]
  /** Minutes that it trades. */
  readonly minutes?: number
  readonly exchange?: Partial<SimulatorConfigInput>
  /** Fee rates that the exchange charges, where they are not those that the bot is configured with. */
  readonly rates?: { readonly makerFeeRate: string; readonly takerFeeRate: string }
  readonly accounts?: Pick<GivenAccounts, 'account' | 'accounts'>
  /** Of contracts, the share of their notional that an exchange wants behind them. */
  readonly maintenanceMarginRate?: string
  /** Stands between the bot and the exchange. */
  readonly between?: (exchange: SimulatedExchange) => Pick<SimulatedExchange, 'handle'>
  /** Travel time of its requests, ms. */
  readonly thereMs?: (request: HttpRequest) => number
  /** Called once it has traded for so many minutes. */
  readonly at?: Readonly<Record<number, (bot: Bot) => unknown>>
  /** Code that the comparison finds in the files; default: that which ran. */
  readonly now?: Strategy
  readonly boundRate?: number
  readonly risk?: BotRisk
  /** Fraction of the price that the backtest loses at market; default: 0, and one tick. */
  readonly slippageRate?: number
}

/** Lets a whole bot trade a real market on a simulated exchange, and compares its journal with the backtest. */
export async function comparedLife(life: ComparedLife): Promise<LiveComparison> {
  const [comparison] = await comparedLifeTwice(life, 1)
  return comparison as LiveComparison // asked for one
}

/** The same, compared so many times from the same beginning. */
export async function comparedLifeTwice(life: ComparedLife, times = 2): Promise<readonly LiveComparison[]> {
  return withSpan(life, async (span, compare) => {
    await span.readOn()
    const comparisons: LiveComparison[] = []
    while (comparisons.length < times) comparisons.push(await compare())
    return comparisons
  })
}

/** The same, compared again whenever a running comparison had read one more entry of the journal. */
export async function comparedAsItGrows(life: ComparedLife): Promise<readonly LiveComparison[]> {
  return withSpan(life, async (span, compare) => {
    const comparisons: LiveComparison[] = []
    for (let isMore = true; isMore; ) {
      isMore = await span.readOn(1)
      if (span.isBegun) comparisons.push(await compare())
    }
    return comparisons
  })
}

/** Lets a bot live, opens its journal, and says how it is compared. */
async function withSpan<T>(
  life: ComparedLife,
  use: (span: LiveSpan, compare: () => Promise<LiveComparison>) => Promise<T>,
): Promise<T> {
  const reader = new JournalReader(await journalOf(life))
  const load = async (file: string) =>
    life.now ?? (life.strategies[Number(file)] as ComparedStrategy).strategy
  try {
    const span = await LiveSpan.open(reader, load)
    return await use(span, () =>
      compareSpan(span, {
        load,
        fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: life.slippageRate ?? 0, slippageTicks: 1 },
        hashOf: () => (life.now === undefined ? 'ran' : 'changed'),
        boundRate: life.boundRate ?? 0.0005,
      }),
    )
  } finally {
    reader.close()
  }
}

/** Lets a bot live and gives its journal. */
async function journalOf({
  strategies,
  minutes = 180,
  exchange,
  rates,
  accounts,
  maintenanceMarginRate,
  risk,
  between,
  thereMs,
  at = {},
}: ComparedLife) {
  const { klines } = await marketSlice(10_000, minutes + HISTORY + 1)
  const startAt = klines[HISTORY]?.openTime ?? 0
  const path = journalPath()
  const journal = new Journal(path)
  const simulated = createSimulatedExchange({
    listings: [
      { symbol: 'BTC/USDT', market: { type: 'klines', interval: '1m', klines: [...klines] }, ...rates },
    ],
    liquidity: { spreadTicks: 1 },
    ...exchange,
  })
  const live = new LiveBot({
    ...{ bot: 'compared', startAt, lines: new LogLines(), journal, ...accounts },
    exchange: between?.(simulated) ?? simulated,
    sources: { 0: 'ran' },
    // Contracts list their own.
    ...(accounts === undefined && { instruments: { default: SPOT_FEES } }),
    ...(maintenanceMarginRate !== undefined && {
      instruments: { default: { maintenanceMarginRate: rateOf(maintenanceMarginRate) } },
    }),
    ...(risk !== undefined && { risk }),
    ...(thereMs !== undefined && { thereMs, recvWindowMs: 30_000 }),
    strategies: strategies.map((one, index) => ({
      ...{ symbol: 'BTC/USDT', interval: '1m', parameters: {}, size: { equityFraction: 0.5 }, ...one },
      file: `${index}`,
    })),
  })
  const bot = await live.start()
  for (const [minute, act] of Object.entries(at)) {
    await live.runTo(startAt + Number(minute) * MINUTE + 30_000)
    act(bot)
  }
  await live.runTo(startAt + minutes * MINUTE + 5000)
  await bot.shutDown()
  journal.close()
  return path
}

/** The parts of a difference that are not zero. */
export function partsOf({ parts }: LiveComparison): Partial<Record<DifferencePart, number>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, amount]) =>
      amount === 0n ? [] : [[part, amountToNumber(amount)]],
    ),
  )
}
