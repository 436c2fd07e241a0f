import type { Logger } from 'pino'
import { amountToText } from '../domain/amount.ts'
import { bookNames } from '../domain/book-names.ts'
import { isCommand } from '../domain/engine-output.ts'
import type { Instrument } from '../domain/instrument.ts'
import { openTimeOf } from '../domain/interval.ts'
import { Engine } from '../engine/engine.ts'
import type { Journal } from '../journal/journal.ts'
import { Ledger } from '../ledger/ledger.ts'
import { streamOf } from '../market/market-subscription.ts'
import { recentKlines } from '../market/recent-klines.ts'
import type { RiskRules } from '../risk/risk-rules.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import { Bot } from './bot.ts'
import type { BotConfig, StrategyConfig } from './config/bot-config.ts'
import { cancelLeftovers, type OwnOrders } from './leftover-orders.ts'
import { loadInstruments } from './load-instruments.ts'
import { logNotice } from './log-notice.ts'
import { readBalances } from './read-balances.ts'
import { RecordedEngine } from './recorded-engine.ts'
import { rememberedHolds } from './remembered-holds.ts'
import type { Venue } from './venue.ts'

/** A strategy of the configuration with its code. */
export interface LoadedStrategy extends StrategyConfig {
  readonly strategy: Strategy
}

/** Everything a bot is wired from. */
export interface BotParts {
  readonly config: Pick<BotConfig, 'bot' | 'execution' | 'polling'> & {
    readonly risk?: RiskRules | undefined
  }
  readonly venue: Venue
  readonly strategies: readonly LoadedStrategy[]
  readonly log: Logger
  /** Takes every event and decision; closed by whoever opened it. */
  readonly journal?: Journal | undefined
}

/** Goes on with what held trading back the last time, as far as there is a record of it. */
function restoreTrading(
  { journal, log, venue }: BotParts,
  recorded: RecordedEngine,
  instrumentOf: (symbol: string) => Instrument,
): void {
  if (journal === undefined) {
    log.warn('without a journal a restart forgets what was paused or halted')
    return
  }
  const holds = rememberedHolds(journal.path)
  if (holds.length === 0) return
  for (const output of recorded.process({ type: 'tradingRestored', holds, time: venue.serverNow() })) {
    if (!isCommand(output)) logNotice(log, output, instrumentOf)
  }
}

/**
 * Wires a bot by hand and makes it ready: instruments and balances from the exchange, leftovers of an earlier run
 * canceled, indicators warmed up. It trades once `run` is called.
 */
export async function createBot(parts: BotParts): Promise<Bot> {
  const { config, venue, strategies, log } = parts
  const instruments = await loadInstruments(venue.spot, [...new Set(strategies.map(({ symbol }) => symbol))])
  for (const own of leftoversOf(config.bot, strategies)) {
    const { symbol } = own
    const leftovers = await cancelLeftovers(venue.spot, own)
    for (const { orderId, clientOrderId } of leftovers) {
      log.warn({ symbol, orderId, clientOrderId }, 'canceled an order that an earlier run left open')
    }
  }
  const ledger = new Ledger(instruments.values(), await readBalances(venue.account))
  const engine = new Engine({ bot: config.bot, ledger, desks: strategies, risk: config.risk })
  const recorded = new RecordedEngine({ engine, journal: parts.journal, serverNow: venue.serverNow })
  recorded.begin({
    bot: config.bot,
    risk: config.risk,
    strategies: strategies.map(({ strategy: _, ...written }) => written),
    instruments: [...instruments.values()],
    balances: new Map(ledger.balances.entries()),
  })
  restoreTrading(parts, recorded, symbol => ledger.instrument(symbol))
  const after = new Map<string, number>()
  for (const { symbol, interval } of strategies) {
    const stream = streamOf({ type: 'klines', market: 'spot', symbol, interval })
    if (after.has(stream)) continue
    const now = venue.serverNow()
    const needed = engine.warmUpOf(symbol, interval)
    const klines = await recentKlines(venue.spot, symbol, interval, needed, now)
    for (const kline of klines) recorded.process({ type: 'historySeen', symbol, interval, kline })
    after.set(stream, klines.at(-1)?.openTime ?? openTimeOf(openTimeOf(now, interval) - 1, interval))
    log.info({ symbol, interval, klines: klines.length, needed }, 'warmed up')
  }
  log.info(
    {
      balances: Object.fromEntries(
        [...ledger.balances.entries()].map(([asset, amount]) => [asset, amountToText(amount)]),
      ),
    },
    'account',
  )
  return new Bot({ ...parts, instruments, engine, recorded, after })
}

/** By strategy and symbol, under every name that the book has had: it depends on who else trades the symbol. */
function leftoversOf(bot: string, strategies: readonly LoadedStrategy[]): readonly OwnOrders[] {
  const books = bookNames(strategies)
  return strategies.map(({ strategy: { name }, symbol }, index) => ({
    bot,
    strategy: name,
    symbol,
    books: [...new Set([symbol, `${symbol}#${name}`, books[index] ?? symbol])],
  }))
}
