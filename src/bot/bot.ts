import {
  interval,
  map,
  merge,
  type Observable,
  observeOn,
  queueScheduler,
  type SchedulerLike,
  Subject,
  Subscription,
  takeUntil,
} from 'rxjs'
import type { EngineEvent } from '../domain/events/engine-event.ts'
import { utcText } from '../domain/market-data/civil-date.ts'
import { RateLimitedError } from '../exchange/budget/rate-limited-error.ts'
import type { Executor } from '../execution/executor.ts'
import type { AccountPosition } from '../execution/reconciliation/position-differences.ts'
import { clockScheduler } from '../market/polls/clock-scheduler.ts'
import { poll } from '../market/polls/poll.ts'
import type { BotOptions } from './bot-options.ts'
import { CommandDispatcher } from './command-dispatcher.ts'
import { type ClosingOutcome, Closings } from './control/closings.ts'
import { type ControlAnswer, withClosing } from './control/control-answer.ts'
import { closesPositions, tellsAccount } from './control/operator.ts'
import type { OperatorRequest } from './control/operator-request.ts'
import { endsTheBot } from './ends-the-bot.ts'
import type { BotInput } from './inputs/bot-input.ts'
import { GuardedPrices } from './inputs/guarded-prices.ts'
import { LatestPrices } from './inputs/latest-prices.ts'
import { MarkPrices } from './inputs/mark-prices.ts'
import { MomentCloses } from './inputs/moment-closes.ts'
import { NEXT_LOOK_MS, polledInputs } from './inputs/polled-inputs.ts'
import { PriceAges } from './inputs/price-ages.ts'
import { ProtectionWatch } from './inputs/protection-watch.ts'
import { RefusedOrders } from './inputs/refused-orders.ts'
import { RiskInputs } from './inputs/risk-inputs.ts'
import { tradedStreams } from './inputs/strategy-subscriptions.ts'
import { AwaitedSales } from './log/awaited-sales.ts'
import { type BotHealth, botHealth } from './log/bot-health.ts'
import { type BotStatus, botStatus } from './log/bot-status.ts'
import { accountEquity, type BotSummary } from './log/bot-summary.ts'
import { CallStops } from './log/call-stops.ts'
import { EmptyAccount } from './log/empty-account.ts'
import { FailedCalls } from './log/failed-calls.ts'
import { leftBehind } from './log/left-behind.ts'
import { logUndone } from './log/log-closing.ts'
import { RunLog } from './log/run-log.ts'
import type { StoppedSummary } from './log/stopped-strategy.ts'
import { unprotectedEntries } from './log/unprotected-entries.ts'
import { Shutdown } from './shutdown.ts'
import type { AccountEquity } from './state/account-moves.ts'
import type { OperatorOrigin } from './state/command-record.ts'
import { type ForeignStatus, foreignStatus, foreignText } from './text/foreign-status.ts'
import { lockedCoinsStatus } from './text/locked-coins.ts'
import { VenueExecution } from './venue-execution.ts'

/** Origin of commands that name none. */
const TERMINAL: OperatorOrigin = { from: 'terminal', who: 'operator' }

/**
 * Interval of looking at protective orders, ms: not with the looks at orders, which wait while the exchange does not
 * answer.
 */
const PROTECTION_LOOK_MS = 1000

/** Age from which a price counts as old, ms: that of stale market data, and two polls at least. */
function oldAfterMs({ config: { polling }, venue }: BotOptions): number {
  return Math.max(polling.staleAfterMs, 2 * polling.tickerMs, venue.answerMs ?? 0)
}

/** Longest wait of an operator for an answer, ms of the venue's clock; below the patience of `askBot`. */
const ANSWERED_WITHIN_MS = 9000

/** A running bot: every input goes through one queue into the engine, its commands to the executor, its notices to the log. */
export class Bot {
  readonly #options: BotOptions
  readonly #exchange: VenueExecution
  readonly #executor: Executor
  readonly #commands: CommandDispatcher
  #refused: RefusedOrders
  readonly #protection: ProtectionWatch
  readonly #emptyAccount: EmptyAccount
  readonly #callStops: CallStops
  readonly #failedCalls: FailedCalls
  readonly #orderEvents$ = new Subject<EngineEvent>()
  readonly #requests$ = new Subject<BotInput>()
  readonly #risk: RiskInputs
  readonly #closings: Closings
  readonly #marks: MarkPrices
  readonly #ages: PriceAges
  readonly #prices: LatestPrices
  readonly #closes: MomentCloses
  readonly #guarded: GuardedPrices
  /** Klines that are traded by, rather than only shown to strategies. */
  readonly #traded: ReadonlySet<string>
  readonly #shutdown$ = new Subject<void>()
  readonly #runLog: RunLog
  readonly #awaitedSales = new AwaitedSales()
  readonly #subscriptions = new Subscription()
  /** When the latest quote of each symbol came, by the venue's clock. */
  readonly #quotedAt = new Map<string, number>()
  #failure: { readonly error: unknown } | undefined
  #onFailure: ((error: unknown) => void) | undefined
  #isShuttingDown = false
  #isShutDown = false

  constructor(options: BotOptions) {
    this.#options = options
    this.#marks = new MarkPrices(options.instruments)
    this.#traded = tradedStreams(options.followed)
    this.#guarded = new GuardedPrices({
      ...options,
      onDoubtedPrice: reason => options.trouble.priceDoubted(reason, options.venue.serverNow()),
    })
    this.#risk = new RiskInputs(
      options,
      event => this.#dispatch(event),
      time => this.#statusAt(time),
    )
    const { engine, moves, sentRequests } = options.state
    this.#runLog = new RunLog(
      options.log,
      {
        ...{ engine, moves },
        comparedAt: () => this.#exchange.agreedAt,
        hasUnlisted: symbol => this.#exchange.unlisted.some(({ request }) => request.symbol === symbol),
      },
      error => this.#fail(error),
    )
    this.#exchange = new VenueExecution(options, {
      onEvent: event => this.#orderEvents$.next(event),
      onError: error => this.#report('an order', error),
      onReport: report => {
        if (report.type === 'shortageAwaited') this.#awaitedSales.note(report, options.venue.serverNow())
        if (report.type === 'haltChanged') this.#runLog.renewHalt(report.symbol, report.reason)
      },
      quoteOf: symbol => this.#prices.quoteOf(symbol),
      lastPriceOf: symbol => this.#prices.lastOf(symbol),
      presentGrid: symbol => this.#risk.grids.presentOf(symbol),
    })
    this.#executor = this.#exchange.executor
    this.#closings = new Closings(options.state.engine, options.venue.clock, this.#exchange)
    this.#ages = new PriceAges({
      ...{ instruments: options.instruments, clock: options.venue.clock },
      oldAfterMs: oldAfterMs(options),
    })
    this.#prices = new LatestPrices(options.instruments, this.#marks, this.#executor, this.#ages)
    const { instruments, state } = options
    this.#closes = new MomentCloses({ instruments, engine: state.engine, prices: this.#prices })
    this.#callStops = new CallStops(options.venue, options.log)
    this.#failedCalls = new FailedCalls(options.venue.clock, options.venue.serverNow, options.log)
    this.#refused = this.#refusedOrders()
    const { clock, serverNow } = options.venue
    this.#protection = new ProtectionWatch({
      ...{ engine, sentRequests },
      nextTryOf: symbol => this.#refused.nextTryOf(symbol),
      oldQuoteMs: symbol => this.#ages.oldQuoteMs(symbol),
      executor: this.#executor,
      clock,
      serverNow,
      log: options.log,
    })
    this.#emptyAccount = new EmptyAccount(engine.ledger, options.log)
    this.#commands = new CommandDispatcher({
      ...options,
      executor: this.#executor,
      emit: event => this.#exchange.emit(event),
    })
    const events$ = this.#orderEvents$.pipe(map((event): BotInput => ({ type: 'event', event })))
    this.#subscriptions.add(events$.pipe(observeOn(queueScheduler)).subscribe(input => this.#take(input)))
  }

  /**
   * Resumes the orders of an earlier run, and compares everything with the exchange; no order is sent before
   * that. Rejects if the exchange does not answer, and with errors that forbid trading.
   */
  async recover(): Promise<void> {
    const { state, recorded, followed } = this.#options
    const intervals = new Set(followed.map(({ interval }) => interval))
    this.#executor.hold()
    // A trailing stop follows the klines of every length that is traded by, as it does while the bot runs.
    this.#executor.resume(state.engine.ledger, state.sentRequests, symbol =>
      [...intervals]
        .filter(interval => this.#traded.has(`${symbol} ${interval}`))
        .flatMap(interval => [...state.klines.of(symbol, interval)]),
    )
    await this.#exchange.begin()
    if (this.#failure !== undefined) throw this.#failure.error
    recorded.commit()
  }

  /** Starts to trade; `onFailure` is called once, on the first failure after which the bot must stop. */
  start(onFailure: (error: unknown) => void): void {
    this.#onFailure = onFailure
    const { state, venue } = this.#options
    const scheduler = clockScheduler(venue.clock)
    const polled$ = polledInputs(this.#options, scheduler, {
      compare: () => this.#exchange.compare(),
      watchesClock: this.#risk.watchesClock,
    })
    const all$ = merge(polled$, this.#requests$).pipe(takeUntil(this.#shutdown$))
    const inputs$ = all$.pipe(observeOn(queueScheduler))
    this.#subscriptions.add(inputs$.subscribe(input => this.#take(input)))
    this.#subscriptions.add(this.#looks(scheduler).subscribe())
    const seconds$ = interval(PROTECTION_LOOK_MS, scheduler).pipe(takeUntil(this.#shutdown$))
    this.#subscriptions.add(seconds$.subscribe(() => this.#lookEverySecond()))
    state.engine.watchStrategies(broken => this.#exchange.emit({ ...broken, time: venue.serverNow() }))
    this.#ages.begin()
    this.#executor.release()
    this.#turnSession('sessionStarted')
  }

  /** Signs of how well it is, beside its status. */
  get health(): BotHealth {
    return botHealth(this.#options.venue, this.#options.recorded, this.#quotedAt)
  }

  /** Everything owned at the latest prices, and what of it was moved in or out since the start. */
  get equity(): AccountEquity {
    return accountEquity(this.#options.state.engine.ledger, this.#prices, this.#runLog.moved)
  }

  /** Executes a request of an operator, in order with all other inputs of the bot; the journal keeps commands with their origin. */
  operate(request: OperatorRequest, origin: OperatorOrigin = TERMINAL): Promise<ControlAnswer> {
    if (this.#isShuttingDown) {
      return Promise.resolve({ ok: false, message: 'The bot is shutting down.', isUsage: false })
    }
    return new Promise(answer => this.#requests$.next({ type: 'operator', request, origin, answer }))
  }

  /**
   * Stops trading as configured, waits (within a bound) for that, stores the state, and returns the summary.
   */
  async shutDown(): Promise<BotSummary> {
    const { log, recorded, instruments, state } = this.#options
    // Its pauses begin anew: there is less time than their longest.
    this.#refused = this.#refusedOrders()
    const shutdown = new Shutdown({
      ...this.#options,
      executor: this.#executor,
      emit: event => this.#exchange.emit(event),
      compare: () => this.#compareOnce(),
      refused: this.#refused,
    })
    if (this.#failure === undefined) this.#turnSession('sessionEnding')
    this.#isShuttingDown = true
    this.#closings.end()
    this.#commands.beginShutdown()
    this.#shutdown$.next()
    const complete = await shutdown.end()
    if (!complete) logUndone(log, state.engine, this.#executor.liveOrders)
    this.#commands.end()
    // A closing order that still waits for a comparison is not sent any more.
    if (this.#options.config.execution.onStop !== 'keep') this.#executor.cancelUnsent()
    this.#subscriptions.unsubscribe()
    this.#failedCalls.end()
    if (this.#failure === undefined) recorded.keep()
    this.#endStrategies()
    this.#isShutDown = true
    const stopped = this.#stopped()
    const halts = stopped.filter(({ how }) => how === 'halted').map(({ why }) => why)
    const foreign = this.#foreign.map(foreignText)
    const { sentence, isNothing } = leftBehind(state.engine, this.#options.journal !== undefined, {
      halts,
      foreign,
      unlisted: this.#exchange.unlisted,
    })
    log[isNothing ? 'info' : 'warn']({ state: sentence }, 'the bot ends')
    return {
      complete,
      ...this.#runLog.summary(instruments.values(), this.#prices),
      stopped,
      leftBehind: sentence,
    }
  }

  #stopped(): readonly StoppedSummary[] {
    const { state, strategies } = this.#options
    const { stopped } = this.#runLog
    return state.engine.runners.flatMap(({ book }, index) => {
      const why = stopped.get(book)
      return why === undefined ? [] : [{ strategy: strategies[index]?.strategy.name ?? book, book, ...why }]
    })
  }

  get #foreign(): readonly ForeignStatus[] {
    return this.#shown(this.#exchange.foreign)
  }

  #shown(positions: readonly AccountPosition[]): readonly ForeignStatus[] {
    const { ledger } = this.#options.state.engine
    return positions.map(one => foreignStatus(ledger, one))
  }

  #statusAt(time: number): BotStatus {
    const { config, state, strategies, trouble, venue } = this.#options
    const { stopped, halted } = this.#runLog
    const { unlisted } = this.#exchange
    this.#protection.look()
    return botStatus(
      {
        ...{ bot: config.bot, engine: state.engine, dayStart: state.dayStartAt(time) },
        roundTrips: state.roundTrips,
        ...{ strategies, stopped, halted },
        ...{ prices: this.#prices, line: trouble.status(time, venue.silence?.()) },
        comparison: this.#exchange.comparison,
        awaitedSales: this.#awaitedSales.shownAt(time, this.#exchange.agreedAt),
        lockedCoins: this.#exchange.lockedCoins.map(lockedCoinsStatus),
        foreign: this.#foreign,
        differing: this.#shown(this.#exchange.differing),
        unprotected: [...this.#protection.unprotected, ...unprotectedEntries(unlisted)],
        unlisted,
        isEmpty: this.#emptyAccount.isEmpty,
        closedOutside: state.outside.shownAt(time),
        closedOutsideBefore: state.outside.moreAt(time),
        nextTryOf: symbol => this.#refused.nextTryOf(symbol),
      },
      time,
    )
  }

  #endStrategies(): void {
    const { state, log } = this.#options
    try {
      state.engine.dispose()
    } catch (error) {
      log.error({ err: error }, 'a strategy failed while it ended')
    }
  }

  /** Notifies strategies with session handlers that trading begins or ends. */
  #turnSession(type: 'sessionStarted' | 'sessionEnding'): void {
    const { state, venue } = this.#options
    if (state.engine.hasSessions) this.#exchange.emit({ type, time: venue.serverNow() })
  }

  /**
   * Compares the accounts once, after regular comparisons have stopped; a failed call is repeated at the next
   * look.
   */
  async #compareOnce(): Promise<void> {
    try {
      await this.#exchange.compare()
    } catch (error) {
      this.#report('reconciliation', error)
    }
  }

  /** Commits the journal and queries live orders; the results arrive as order events. */
  #looks(scheduler: SchedulerLike): Observable<unknown> {
    const { config, recorded } = this.#options
    const look = async () => {
      recorded.commit()
      if (this.#failure === undefined) {
        if (this.#refused.needsComparison || this.#executor.waitsForPosition) await this.#compareOnce()
        this.#refused.look()
      }
      await this.#executor.reconcile()
    }
    return poll(look, config.execution.pollOrdersMs, scheduler).pipe(takeUntil(this.#shutdown$))
  }

  #lookEverySecond(): void {
    this.#callStops.look()
    this.#failedCalls.look()
    this.#protection.look()
    // Before the first comparison a ledger may not know its balances.
    if (this.#exchange.comparison !== 'notYet') this.#emptyAccount.look()
  }

  #refusedOrders(): RefusedOrders {
    const { state, venue } = this.#options
    const emit = (event: EngineEvent) => this.#exchange.emit(event)
    const stoppedUntil = () => this.#callStops.until
    const { clock, serverNow } = venue
    return new RefusedOrders({ engine: state.engine, clock, serverNow, emit, stoppedUntil })
  }

  #take(input: BotInput): void {
    try {
      this.#process(input)
      if (this.#failure === undefined) this.#options.recorded.keepIfDue()
    } catch (error) {
      this.#fail(error)
    }
  }

  #process(input: BotInput): void {
    switch (input.type) {
      case 'event':
        this.#dispatch(input.event)
        break
      case 'quote': {
        this.#quotedAt.set(input.symbol, this.#options.venue.clock.now())
        const believed = this.#guarded.quote(input.symbol, input.quote)
        if (believed !== undefined) {
          this.#ages.quoted(input.symbol)
          // Before orders, because one that it triggers is noted with it.
          this.#prices.observe(input.symbol, believed)
          this.#executor.observe(input.symbol, believed)
        }
        this.#noteTrails()
        if (believed !== undefined) {
          this.#runLog.observePrices(this.#prices)
          this.#watchLosses()
        }
        this.#risk.quote(input.symbol, input.quote)
        break
      }
      case 'close':
        this.#closes.note(input)
        break
      case 'mark': {
        const price = this.#guarded.mark(input.symbol, input.price)
        if (price !== undefined) {
          this.#ages.marked(input.symbol)
          this.#marks.observe(input.symbol, price)
          this.#runLog.observePrices(this.#prices)
          this.#watchLosses()
        }
        break
      }
      case 'clock':
        this.#risk.clock(input.uncertaintyMs)
        break
      case 'operator':
        this.#obey(input)
        break
      case 'report':
        this.#risk.report(input.report)
        break
      case 'failure':
        this.#report(input.what, input.error)
    }
  }

  /** A command that fails ends the bot as any event would, but the operator is answered before. */
  #obey({ request, origin, answer: send }: Extract<BotInput, { type: 'operator' }>): void {
    const answer = (given: ControlAnswer) => {
      this.#keepCommand(request, origin, given)
      send(given)
    }
    try {
      const closing = closesPositions(request) ? this.#closings.follow(request) : undefined
      const given = this.#risk.obey(request)
      if (!given.ok || !tellsAccount(request)) answer(given)
      else void this.#answerAfresh(request, closing).then(answer)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      answer({ ok: false, message: `The bot failed at this command: ${reason}`, isUsage: false })
      throw error
    }
  }

  /** The answer to a command once that is over and books and account are compared anew, as far as there is time. */
  async #answerAfresh(
    request: OperatorRequest,
    closing: Promise<ClosingOutcome> | undefined,
  ): Promise<ControlAnswer> {
    const { clock, serverNow } = this.#options.venue
    const [began, until] = [serverNow(), clock.now() + ANSWERED_WITHIN_MS]
    const outcome = await closing
    if (this.#needsLook(request)) await this.#lookUntil(until)
    const given = this.#risk.answerTo(request)
    if (outcome === undefined || !given.ok) return given
    const { symbol } = request
    const foreign = this.#foreign.filter(one => symbol === undefined || one.symbol === symbol)
    const { agreedAt } = this.#exchange
    const isOld = agreedAt !== undefined && agreedAt < began
    return withClosing(given, outcome, { foreign, lookedAt: isOld ? utcText(agreedAt) : undefined })
  }

  /** True if an answer tells something that a look at the account has found, or may find. */
  #needsLook(request: OperatorRequest): boolean {
    const mayFind = closesPositions(request) && this.#options.contracts.length > 0
    return mayFind || this.#runLog.halted.size > 0 || this.#exchange.comparison === 'differs'
  }

  /** Compares until a look is believed, but no longer than `until`, ms of the clock, or the end of the bot. */
  async #lookUntil(until: number): Promise<void> {
    const { clock } = this.#options.venue
    const compare = () => this.#exchange.compareAfresh().catch(error => this.#report('reconciliation', error))
    let pauseMs = 0
    while (!this.#isShuttingDown && this.#failure === undefined && clock.now() + pauseMs < until) {
      await this.#within(pauseMs)
      if ((await this.#within(until - clock.now(), compare())) === 'agreed') return
      pauseMs = NEXT_LOOK_MS
    }
  }

  /** Waits for work, but no longer than so many ms of the clock, or the beginning of the shutdown. */
  #within<Result>(ms: number, work?: Promise<Result>): Promise<Result | undefined> {
    return new Promise(resolve => {
      const end = (result?: Result) => {
        forget()
        leaving.unsubscribe()
        resolve(result)
      }
      const forget = this.#options.venue.clock.schedule(ms, () => end())
      const leaving = this.#shutdown$.subscribe(() => end())
      void work?.then(end)
    })
  }

  /** A journal that cannot be written ends the bot, but the operator is answered all the same. */
  #keepCommand(request: OperatorRequest, origin: OperatorOrigin, answer: ControlAnswer): void {
    if (request.command === 'status') return
    const { ok, message } = answer
    const result = { ok, message, ...(!answer.ok && answer.isUsage && { isRefused: true as const }) }
    try {
      this.#options.recorded.recordCommand({ type: 'operatorCommanded', origin, request, ...result })
    } catch (error) {
      this.#fail(error)
    }
  }

  #dispatch(event: EngineEvent): void {
    if (event.type === 'klineClosed') {
      if (this.#failure !== undefined) return
      const time = this.#options.venue.serverNow()
      for (const mark of this.#marks.drainChanges(time)) this.#dispatch(mark)
      const before = this.#closes.before(event, time)
      if (before !== undefined) this.#dispatch(before)
    }
    const closed =
      event.type === 'klineClosed' && this.#traded.has(`${event.symbol} ${event.interval}`)
        ? event
        : undefined
    if (closed !== undefined) {
      this.#guarded.kline(closed.symbol, closed.kline.close)
      this.#executor.observeKline(closed.symbol, closed.kline)
      // Before the strategy runs, which may read its stops.
      this.#noteTrails()
    }
    const outputs = this.#options.recorded.process(event)
    if (outputs.length > 0) this.#commands.dispatch(outputs)
    this.#closings.observe(outputs)
    this.#refused.observe(outputs)
    if (closed !== undefined || outputs.length > 0) this.#runLog.logSoon(closed, outputs)
  }

  /** A daily loss or a drawdown acts at the price that reaches it, and does not wait for the close of a kline. */
  #watchLosses(): void {
    const { state, venue } = this.#options
    const time = venue.serverNow()
    if (this.#failure !== undefined || !state.engine.risk.isDue(this.#prices, time)) return
    for (const mark of this.#marks.drainChanges(time)) this.#dispatch(mark)
    this.#dispatch({ type: 'pricesSeen', prices: this.#prices.all, time })
  }

  /** Records moves of trailing stops, which must survive a crash and may be read by strategies. */
  #noteTrails(): void {
    const moves = this.#executor.drainTrailMoves()
    if (moves.length === 0) return
    const time = this.#options.venue.serverNow()
    for (const move of moves) this.#options.recorded.process({ type: 'trailingStopMoved', ...move, time })
  }

  /** Errors of calls cut off by the bot's end are ignored. */
  #report(what: string, error: unknown): void {
    if (this.#isShutDown) return
    if (endsTheBot(error)) {
      this.#fail(error)
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    const { trouble, venue } = this.#options
    // The beginning of a stop says it for all the calls that it stops.
    if (!(error instanceof RateLimitedError && this.#callStops.look())) this.#failedCalls.failed(what, reason)
    trouble.callFailed(what, reason, venue.serverNow())
  }

  #fail(error: unknown): void {
    this.#options.log.error({ err: error }, 'trading halted')
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onFailure?.(error)
  }
}
