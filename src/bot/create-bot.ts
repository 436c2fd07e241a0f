import type { Logger } from 'pino'
import { accountsOf } from '../config/account-fields.ts'
import { configuredMarkets } from '../config/configured-market.ts'
import { rulesOf } from '../domain/account-rules.ts'
import { isCommand } from '../domain/events/engine-output.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { HeldContract } from '../execution/reconciliation/futures-account.ts'
import { Bot } from './bot.ts'
import type { BotParts, LoadedStrategy } from './bot-options.ts'
import { subscribedSymbols, subscriptionsOf } from './inputs/strategy-subscriptions.ts'
import { LineTrouble } from './log/line-trouble.ts'
import { logClosing } from './log/log-closing.ts'
import { logAskedAgain, logChangedParameters, stoppedBooks } from './log/log-continued.ts'
import { logNotice } from './log/log-notice.ts'
import { loadStrategy } from './start/load-strategy.ts'
import { logSmallSizes } from './start/small-sizes.ts'
import { logUnowned } from './start/unowned-holdings.ts'
import { warmUp } from './start/warm-up.ts'
import { BotState } from './state/bot-state.ts'
import { checkContinuation } from './state/check-continuation.ts'
import { logHandedOver, ownersOf, withKeptBooks } from './state/kept-books.ts'
import { RecordedEngine } from './state/recorded-engine.ts'
import { type Restored, restoreState } from './state/restore-state.ts'
import type { SessionRecord } from './state/session-record.ts'
import { type CountedInstruments, countedInstruments } from './venue/counted-instruments.ts'
import { countingDeclaration, logDeclaration } from './venue/declared-margin.ts'
import { loadInstruments } from './venue/load-instruments.ts'
import { prepareContracts } from './venue/prepare-contracts.ts'
import { unknownMaintenance } from './venue/unknown-maintenance.ts'
import { futuresOf } from './venue/venue.ts'
import { contractsOf, readHoldings } from './venue/venue-accounts.ts'

/**
 * Wires a bot and makes it ready: the journal's state, instruments and balances from the exchange, indicators
 * warmed up, orders and balances compared. It trades once `start` is called. A first start, a restart and a
 * recovery from a crash are this one path.
 */
export async function createBot(parts: BotParts): Promise<Bot> {
  const { config, venue, strategies, log, journal, sessionTag, snapshotEntries = 10_000 } = parts
  logStrategies(log, strategies)
  const accounts = accountsOf(config)
  const marketOf = configuredMarkets(accounts)
  const followed = subscriptionsOf(strategies)
  const symbols = subscribedSymbols(followed)
  const listed = await loadInstruments(venue, symbols, accounts, {
    rules: config.instruments,
    maxSlippageRate: config.execution.maxSlippageRate,
    configPath: parts.configPath,
    onRemark: why => log.warn({ why }, "the exchange's list of instruments"),
  })
  const state = new BotState(
    async file => strategies.find(entry => entry.file === file)?.strategy ?? (await loadStrategy(file)),
    parts.observer?.explain,
  )
  const restored = journal && journal.seq > 0 ? await restoreState(journal.path, state) : undefined
  const traded = restored === undefined ? strategies : withKeptBooks(state, strategies)
  const owners = restored === undefined ? new Map<string, string>() : ownersOf(state.engine)
  const { instruments, changed } = countedInstruments(state.session, listed)
  logSmallSizes(log, strategies, instruments)
  const contracts = contractsOf(instruments.values(), marketOf)
  const declared = countingDeclaration(state.session, accounts)
  const { margin } = accounts
  const heldAt = venue.serverNow()
  const counting = { ...accounts, margin: margin && { ...margin, balances: declared ?? margin.balances } }
  const holdings = await readHoldings(venue, counting, symbols)
  const session: SessionRecord = {
    bot: config.bot,
    ...(parts.journalVenue !== undefined && { venue: parts.journalVenue }),
    risk: config.risk,
    strategies: traded.map(({ strategy: _, ...written }) => written),
    instruments: [...instruments.values()],
    balances: holdings,
    ...(declared !== undefined && { declared }),
    startedAt: Math.max(Math.floor(venue.serverNow()), (state.session?.startedAt ?? 0) + 1),
    ...(sessionTag !== undefined && { tag: sessionTag }),
    ...(parts.sources !== undefined && { sources: parts.sources }),
    continues: restored !== undefined,
  }
  const { session: before } = state
  if (before !== undefined) checkContinuation(before, session)
  const stopped = restored === undefined ? [] : stoppedBooks(state.engine)
  if (contracts.length > 0) await prepare(parts, contracts)
  log.warn(
    { ends: endOfLosses(instruments.values()) },
    'protective stops wait in this process and not at the exchange',
  )
  await state.begin(
    session,
    strategies.map(({ strategy }) => strategy),
  )
  const recorded = new RecordedEngine({
    state,
    journal,
    snapshotEntries,
    keptAt: restored?.snapshot ?? 0,
    serverNow: venue.serverNow,
    onNoSnapshot: why => log.warn({ why }, 'the journal cannot keep the state of the bot'),
    onEntry: parts.observer?.onEntry,
    onDecided: parts.observer?.onDecided,
    onCommitted: parts.observer?.onCommitted,
  })
  if (restored !== undefined) logRestored(log, restored, state)
  if (before !== undefined) logChangedParameters(log, before, session)
  logAskedAgain(log, stopped, state.engine)
  logHandedOver(log, owners, state.engine)
  logClosing(log, state.engine)
  recorded.begin(session, contracts.length > 0 ? heldAt : undefined)
  if (restored === undefined) logUnowned(log, instruments.values(), holdings.spot)
  restoreTrading(parts, state, recorded)
  haltChanged(parts, changed, state, recorded)
  logDeclaration(log, declared, accounts, instruments.values())
  const { serverNow } = venue
  const trouble = new LineTrouble()
  const after = await warmUp({ venue, marketOf, state, recorded, serverNow, log, trouble })
  const wired = {
    strategies: traded,
    followed,
    instruments,
    contracts,
    marketOf,
    state,
    recorded,
    after,
    trouble,
  }
  const bot = new Bot({ ...parts, ...wired })
  await bot.recover()
  state.klines.forgetOld()
  return bot
}

/** Before any trade: sets the contract terms. */
async function prepare({ venue, log }: BotParts, contracts: readonly HeldContract[]): Promise<void> {
  for (const { instrument } of contracts) {
    const why = unknownMaintenance(instrument)
    if (why !== undefined) log.warn({ why }, 'the liquidation price of a contract is not known')
  }
  await prepareContracts(futuresOf(venue), contracts, log)
}

/** End of a losing position while the bot is down, worded for a sentence: emulated stops do not work then. */
function endOfLosses(instruments: Iterable<Instrument>): string {
  const areLiquidated = new Set([...instruments].map(instrument => rulesOf(instrument).canBeShort))
  if (!areLiquidated.has(true)) return 'nothing'
  return areLiquidated.has(false) ? 'at most a liquidation' : 'only liquidation'
}

/**
 * Restores the holds of the last session from the journal; holds by a condition are dropped, since the
 * condition must recur.
 */
function restoreTrading({ journal, log, venue }: BotParts, state: BotState, recorded: RecordedEngine): void {
  if (journal === undefined) {
    log.warn('without a journal a restart forgets what was paused or halted')
    return
  }
  const { ledger, risk } = state.engine
  const holds = risk.scopes.flatMap(({ scope, state: { holds } }) => holds.map(hold => ({ scope, hold })))
  if (holds.length === 0) return
  for (const output of recorded.process({ type: 'tradingRestored', holds, time: venue.serverNow() }))
    if (!isCommand(output)) logNotice(log, output, symbol => ledger.instrument(symbol))
}

/** Halts instruments with a changed grid: their orders could have another meaning. */
function haltChanged(
  { log, venue }: BotParts,
  changed: CountedInstruments['changed'],
  { engine: { ledger } }: BotState,
  recorded: RecordedEngine,
): void {
  for (const [symbol, reason] of changed) {
    const time = venue.serverNow()
    const halt = { type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol, reason, time } as const
    for (const output of recorded.process(halt))
      if (!isCommand(output)) logNotice(log, output, of => ledger.instrument(of))
  }
}

function logStrategies(log: Logger, strategies: readonly LoadedStrategy[]): void {
  for (const { strategy, symbol, interval, parameters, size } of strategies) {
    const values = strategy.parameterValues(parameters)
    log.info({ strategy: strategy.name, symbol, interval, parameters: values, size }, 'strategy')
  }
}

function logRestored(log: Logger, { snapshot, entries }: Restored, { engine }: BotState): void {
  const orders = engine.ledger.orders.working.length
  log.info({ snapshot, entries, orders }, 'restored from the journal')
}
