import type { Logger } from 'pino'
import { bookOf } from '../domain/book-names.ts'
import type { EngineEvent } from '../domain/events/engine-event.ts'
import { amountToText } from '../domain/numbers/amount.ts'
import type { Ticks } from '../domain/numbers/grid.ts'
import type { Engine } from '../engine/engine.ts'
import type { SpotOrder } from '../exchange/spot/spot-order.ts'
import type { ExecutionOptions } from '../execution/execution-options.ts'
import { Executor } from '../execution/executor.ts'
import { DuplicateIdError } from '../execution/gateway/duplicate-id-error.ts'
import type { AccountPosition } from '../execution/reconciliation/position-differences.ts'
import { type Agreement, Reconciler } from '../execution/reconciliation/reconciler.ts'
import type { ClosingPositions } from '../execution/reconciliation/reconciler-options.ts'
import type { LockedCoins, ReconciliationReport } from '../execution/reconciliation/reconciliation-report.ts'
import type { SentRequest } from '../execution/sent-requests.ts'
import { UnbookableError } from '../execution/tracking/unbookable-error.ts'
import { type UnlistedOrder, UnlistedTradesError } from '../execution/tracking/unlisted-trades-error.ts'
import { UnprovenAbsenceError } from '../execution/tracking/unproven-absence-error.ts'
import type { Quote } from '../matching/trigger-book.ts'
import type { BotOptions } from './bot-options.ts'
import type { AccountComparison } from './log/bot-status.ts'
import { logReconciliation } from './log/log-reconciliation.ts'
import { ownPrefixes } from './venue/own-prefixes.ts'
import { futuresOf } from './venue/venue.ts'
import { marginRules, tradingOn } from './venue/venue-accounts.ts'

/** Receives reports about the exchange, and knows what its lists say. */
export interface VenueExecutionListener {
  /** Receives the events of orders and accounts, in order. */
  readonly onEvent: (event: EngineEvent) => void
  /** Takes the errors of calls about orders. */
  readonly onError: (error: unknown) => void
  /** Receives differences between account and books. */
  readonly onReport: (report: ReconciliationReport) => void
  /** The latest quote of a symbol; `undefined` before the first. */
  readonly quoteOf: (symbol: string) => Quote | undefined
  /** Price of the latest trade of a symbol; `undefined` before the first. */
  readonly lastPriceOf: (symbol: string) => Ticks | undefined
  /** Decimals that the exchange takes of a symbol, once it has changed them. */
  readonly presentGrid: NonNullable<ExecutionOptions['presentGrid']>
}

/** Looks at a start until exchange and ledger agree; a difference is only acted upon when seen twice. */
const STARTING_LOOKS = 3

/** Execution at a bot's venue: sends and follows orders, and compares the exchange's accounts with the ledger. */
export class VenueExecution {
  readonly executor: Executor
  readonly #reconciler: Reconciler
  readonly #onEvent: VenueExecutionListener['onEvent']
  readonly #serverNow: () => number
  readonly #log: Logger
  /** Symbols with trades that cannot be booked any more. */
  #namesakeReason: string | undefined
  readonly #unbookable = new Set<string>()
  #comparison: AccountComparison = 'notYet'
  #agreedAt: number | undefined
  /** The comparison that is under way. */
  #underWay: Promise<Agreement> | undefined

  constructor(options: BotOptions, listener: VenueExecutionListener) {
    const { onEvent, onError, onReport, quoteOf, lastPriceOf, presentGrid } = listener
    const { venue, config, instruments, contracts, state, recorded, strategies, log } = options
    const trading = tradingOn(venue, instruments.values(), contracts)
    this.#onEvent = onEvent
    this.#log = log
    this.#serverNow = venue.serverNow
    const common = {
      trading,
      instruments,
      serverNow: venue.serverNow,
      onDeparture: (sentRequest: SentRequest) =>
        recorded.recordSend(withQuote(sentRequest, quoteOf(sentRequest.symbol))),
      emit: (event: EngineEvent) => this.emit(event),
    }
    this.executor = new Executor({
      ...common,
      presentGrid,
      sellableOf: symbol => this.#reconciler.sellableOf(symbol),
      heldFor: request => state.engine.ledger.position(bookOf(request))?.quantity ?? 0,
      isHeldByExit: request => state.engine.isHeldByExit(request),
      maxSlippageRate: Number(amountToText(config.execution.maxSlippageRate)),
      settlementMarginMs: config.execution.settlementMarginMs,
      onError: error => this.#takeError(error, onError),
    })
    this.#reconciler = new Reconciler({
      ...common,
      account: venue.account,
      futures: contracts.length === 0 ? undefined : { reads: futuresOf(venue), contracts },
      ownPrefixes: ownPrefixes(config.bot, strategies),
      foreignOrders: config.execution.foreignOrders,
      margin: marginRules(config, state.engine),
      ledger: state.engine.ledger,
      sentRequests: state.sentRequests,
      tracker: this.executor.tracker,
      onTradesSeen: seen => recorded.observeTrades(seen),
      onTransactionsSeen: seen => recorded.observeTransactions(seen),
      onPositionMismatch: symbol => this.executor.holdPosition(symbol),
      startedAt: state.session?.startedAt,
      tag: state.session?.tag,
      settlementMarginMs: config.execution.settlementMarginMs,
      namesakeReason: () => this.#namesakeReason,
      closingOf: symbol => closingOf(state.engine, symbol, lastPriceOf(symbol)),
      onReport: report => {
        logReconciliation(log, report, symbol => state.engine.ledger.instrument(symbol))
        if (report.type === 'namesakeOrder') this.#haltForNamesake(config.bot, report.order)
        onReport(report)
      },
      onUnbookable: error => this.#halt(error),
    })
  }

  /** The latest verdict. */
  get comparison(): AccountComparison {
    return this.#comparison
  }

  /** Beginning of the latest look that was believed, ms UTC; `undefined` before the first. */
  get agreedAt(): number | undefined {
    return this.#agreedAt
  }

  /** Contracts on the account that are not of this bot, as of the latest look that was believed. */
  get foreign(): readonly AccountPosition[] {
    return this.#reconciler.foreign
  }

  /** Positions of the account that differ from the books, as of the latest look that was believed. */
  get differing(): readonly AccountPosition[] {
    return this.#reconciler.differing
  }

  /** Coins of positions that are to be sold and that open orders of others lock; as of the latest look. */
  get lockedCoins(): readonly LockedCoins[] {
    return this.#reconciler.lockedCoins
  }

  /** Orders that have executed what the exchange does not list yet. */
  get unlisted(): readonly UnlistedOrder[] {
    return this.executor.tracker.orders.all.flatMap(order =>
      order.unlisted === undefined ? [] : [{ ...order, unlisted: order.unlisted }],
    )
  }

  /** Emits an event in order with those of the exchange. */
  emit(event: EngineEvent): void {
    this.#onEvent(event)
  }

  #takeError(error: unknown, onError: VenueExecutionListener['onError']): void {
    if (error instanceof UnbookableError) this.#halt(error)
    else if (error instanceof UnlistedTradesError)
      this.#log.error({ reason: error.message }, 'trades of an order are not listed')
    else {
      if (error instanceof DuplicateIdError || error instanceof UnprovenAbsenceError) this.#holdBack(error)
      // No comparison comes to a verdict any more, and other instruments go on.
      if (error instanceof UnprovenAbsenceError) this.executor.releaseUncompared()
      onError(error)
    }
  }

  /** Two processes that trade one account under one name take each other's orders for their own: one of them has to stop. */
  #haltForNamesake(bot: string, { symbol, orderId, clientOrderId = '' }: SpotOrder): void {
    this.#namesakeReason = `Another process trades this account under the name "${bot}", which explains that books and account differ. Close nothing by hand; stop one of the two, or give one another name (bot: in its configuration), then restart this one.`
    const reason = `Another process trades this account under the name "${bot}": it placed order ${orderId} (${clientOrderId}) on ${symbol} after this bot started. Nothing of it was canceled. Stop one of the two, or give one another name (bot: in its configuration), then resume this one.`
    const time = this.#serverNow()
    this.emit({ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol: undefined, reason, time })
  }

  /** Stops an instrument; the others continue. */
  #halt(error: UnbookableError): void {
    if (this.#unbookable.has(error.symbol)) return
    this.#unbookable.add(error.symbol)
    this.#holdBack(error)
  }

  /** Holds an instrument back until the operator resumes it. */
  #holdBack({ symbol, message: reason }: UnbookableError | DuplicateIdError | UnprovenAbsenceError): void {
    const time = this.#serverNow()
    this.emit({ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol, reason, time })
  }

  /**
   * Compares everything until ledger and exchange agree; rejects if the exchange does not answer. Orders of strategies
   * wait for the first agreement, be it then or later.
   */
  async begin(): Promise<void> {
    this.executor.holdUncompared()
    await this.#reconciler.begin()
    for (let look = 0; look < STARTING_LOOKS; look++) if ((await this.compare()) === 'agreed') return
    this.#log.warn('books and account do not agree yet')
  }

  /** Compares everything once; differences are emitted as events. While a comparison is under way, this is its outcome. */
  compare(): Promise<Agreement> {
    this.#underWay ??= this.#compareOnce().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  /** Compares everything once, by reads that begin after this call. */
  async compareAfresh(): Promise<Agreement> {
    await this.#underWay?.catch(() => undefined)
    return this.compare()
  }

  async #compareOnce(): Promise<Agreement> {
    const began = this.#serverNow()
    const agreement = await this.#reconciler.look()
    if (agreement !== 'later') this.#comparison = agreement === 'agreed' ? 'agreed' : 'differs'
    if (agreement === 'agreed') {
      this.#agreedAt = began
      this.executor.releasePositions()
    }
    return agreement
  }
}

/** The positions of an instrument that are being closed: all as an operator asked, or those whose closing or protective orders are refused. */
function closingOf(engine: Engine, symbol: string, price: Ticks | undefined): ClosingPositions | undefined {
  const books = engine.closing.has(symbol)
    ? engine.ledger.positionsOf(symbol).map(({ book }) => book)
    : engine.awaitingRetry.has(symbol)
      ? refusedBooks(engine, symbol)
      : []
  return books.length === 0 ? undefined : { books: new Set(books), price }
}

/** Books of an instrument with an exit that waits for a retry, or with a protective order that the exchange has refused last. */
function refusedBooks(
  { ledger, wantedProtection, unfinishedExits }: Engine,
  symbol: string,
): readonly string[] {
  const refused = wantedProtection.filter(
    ({ clientOrderId, refusedTimes }) =>
      refusedTimes > 0 && ledger.orders.get(clientOrderId)?.status === 'rejected',
  )
  return [...refused, ...unfinishedExits].filter(one => one.symbol === symbol).map(({ book }) => book)
}

/** A placement with the best prices at its departure, for the comparison with a backtest. */
function withQuote(sentRequest: SentRequest, quote: Quote | undefined): SentRequest {
  if (quote === undefined || sentRequest.action !== 'place') return sentRequest
  return { ...sentRequest, quote: { bid: quote.bid, ask: quote.ask } }
}
