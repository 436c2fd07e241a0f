import {
  concatMap,
  EMPTY,
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
import { amountToText } from '../domain/amount.ts'
import { bookOf } from '../domain/book-names.ts'
import { utcText } from '../domain/civil-date.ts'
import type { EngineEvent, KlineClosed } from '../domain/engine-event.ts'
import { type EngineOutput, isCommand, type PlaceOrder } from '../domain/engine-output.ts'
import type { Instrument } from '../domain/instrument.ts'
import { closeTimeOf } from '../domain/interval.ts'
import { Executor } from '../execution/executor.ts'
import type { HeldContract } from '../execution/futures-account.ts'
import { type Agreement, Reconciler } from '../execution/reconciler.ts'
import type { TradingCalls } from '../execution/trading-calls.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { clockScheduler } from '../market/clock-scheduler.ts'
import { poll } from '../market/poll.ts'
import { accountPoll } from './account-poll.ts'
import type { BotInput } from './bot-input.ts'
import type { BotState } from './bot-state.ts'
import { type BotSummary, RunCounter } from './bot-summary.ts'
import type { ControlAnswer } from './control/control-answer.ts'
import type { OperatorRequest } from './control/operator-request.ts'
import type { BotParts } from './create-bot.ts'
import { endsTheBot } from './ends-the-bot.ts'
import { type Followed, tradedStreams } from './followed.ts'
import { heldBackBy } from './held-back.ts'
import { logNotice } from './log-notice.ts'
import { logReconciliation } from './log-reconciliation.ts'
import { MarkPrices } from './mark-prices.ts'
import { marketInputs } from './market-inputs.ts'
import { oneATick } from './one-a-tick.ts'
import { ownPrefixes } from './own-prefixes.ts'
import type { RecordedEngine } from './recorded-engine.ts'
import { RiskInputs } from './risk-inputs.ts'
import type { MarketOf } from './traded-market.ts'
import { futuresOf } from './venue.ts'
import { marginRules, tradingOn } from './venue-accounts.ts'

/** What a bot runs with, once everything is ready. */
export interface BotOptions extends BotParts {
  /** What the strategies follow. */
  readonly followed: readonly Followed[]
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Those of them that are contracts. */
  readonly contracts: readonly HeldContract[]
  readonly marketOf: MarketOf
  readonly state: BotState
  /** The same state, by way of the journal. */
  readonly recorded: RecordedEngine
  /** Open time of the latest kline seen, by stream (see `streamOf`), ms UTC. */
  readonly after: ReadonlyMap<string, number>
}

/** How often the clock's uncertainty is looked at, ms. */
const CLOCK_CHECK_MS = 1000

/** Looks at a start until exchange and ledger agree; a difference is only acted upon when seen twice. */
const STARTING_LOOKS = 3

/** A running bot: every input goes through one queue into the engine, its commands to the executor, its notices to the log. */
export class Bot {
  readonly #options: BotOptions
  readonly #executor: Executor
  readonly #reconciler: Reconciler
  readonly #orderEvents$ = new Subject<EngineEvent>()
  readonly #requests$ = new Subject<BotInput>()
  readonly #risk: RiskInputs
  readonly #trading: TradingCalls
  readonly #marks: MarkPrices
  /** Klines that are traded by, rather than only shown to strategies. */
  readonly #traded: ReadonlySet<string>
  readonly #leaving$ = new Subject<void>()
  readonly #counter = new RunCounter()
  readonly #subscriptions = new Subscription()
  /** Grows with every event of an order, so that a balance read in between is known to be stale. */
  #orderEventCount = 0
  #failure: { readonly error: unknown } | undefined
  #onFailure: ((error: unknown) => void) | undefined
  #isLeaving = false
  /** What was held of a symbol when it was last to be closed. */
  readonly #flattened = new Map<string, string>()

  constructor(options: BotOptions) {
    this.#options = options
    this.#trading = tradingOn(options.venue, options.instruments.values(), options.contracts)
    this.#marks = new MarkPrices(options.instruments)
    this.#traded = tradedStreams(options.followed)
    this.#risk = new RiskInputs(options, event => this.#dispatch(event))
    this.#executor = this.#createExecutor()
    this.#reconciler = this.#createReconciler()
    const events$ = this.#orderEvents$.pipe(map((event): BotInput => ({ type: 'event', event })))
    this.#subscriptions.add(events$.pipe(observeOn(queueScheduler)).subscribe(input => this.#take(input)))
  }

  /**
   * Goes on with the orders of an earlier run, and compares everything with the exchange; nothing is sent before that.
   * Rejects where the exchange cannot be asked, and with what must not be traded on after.
   */
  async recover(): Promise<void> {
    const { state, recorded, followed } = this.#options
    const intervals = new Set(followed.map(({ interval }) => interval))
    this.#executor.hold()
    // A trailing stop follows the klines of every length that is traded by, as it does while the bot runs.
    this.#executor.resume(state.engine.ledger, state.dispatches, symbol =>
      [...intervals]
        .filter(interval => this.#traded.has(`${symbol} ${interval}`))
        .flatMap(interval => [...state.klines.of(symbol, interval)]),
    )
    await this.#reconciler.begin()
    for (let look = 0; look < STARTING_LOOKS; look++) if ((await this.#compare()) === 'agreed') break
    if (this.#failure !== undefined) throw this.#failure.error
    recorded.commit()
  }

  /** Starts to trade; `onFailure` is called once, should something happen that it must not trade on after. */
  start(onFailure: (error: unknown) => void): void {
    this.#onFailure = onFailure
    const scheduler = clockScheduler(this.#options.venue.clock)
    const polled$ = merge(
      this.#market(scheduler),
      this.#comparison(scheduler),
      this.#clock(scheduler),
      this.#requests$,
    ).pipe(takeUntil(this.#leaving$))
    const inputs$ = polled$.pipe(oneATick(), observeOn(queueScheduler))
    this.#subscriptions.add(inputs$.subscribe(input => this.#take(input)))
    this.#subscriptions.add(this.#looks(scheduler).subscribe())
    this.#executor.release()
    this.#turnSession('sessionStarted')
  }

  /** What an operator asks, in its turn among everything else that reaches the bot. */
  operate(request: OperatorRequest): Promise<ControlAnswer> {
    if (this.#isLeaving) {
      return Promise.resolve({ ok: false, message: 'The bot is leaving.', isUsage: false })
    }
    return new Promise(answer => this.#requests$.next({ type: 'operator', request, answer }))
  }

  /** Stops to trade as the configuration says, waits (within a bound) until that is done, keeps the state, and sums up. */
  async leave(): Promise<BotSummary> {
    const { log, state, recorded, instruments, config, venue } = this.#options
    const { onStop, stopWithinMs } = config.execution
    const deadline = venue.clock.now() + stopWithinMs
    if (this.#failure === undefined) this.#turnSession('sessionEnding')
    this.#isLeaving = true
    this.#leaving$.next()
    if (onStop !== 'keep') await this.#until(deadline, this.#executor.cancelAll())
    if (onStop === 'flatten') this.#flatten()
    while (!this.#isDone() && venue.clock.now() < deadline) {
      await this.#until(deadline, this.#pause())
      await this.#until(deadline, this.#executor.reconcile())
      // What was on its way may have filled after the rest was closed.
      if (onStop === 'flatten' && this.#executor.liveOrders === 0) this.#flatten()
    }
    if (!this.#isDone())
      log.error({ orders: this.#executor.liveOrders }, 'left although orders are not known to be over')
    this.#subscriptions.unsubscribe()
    if (this.#failure === undefined) recorded.keep()
    return this.#counter.summary(state.engine, instruments.values())
  }

  /** Tells strategies that want to know that trading begins or ends. */
  #turnSession(type: 'sessionStarted' | 'sessionEnding'): void {
    const { state, venue } = this.#options
    if (state.engine.hasSessions) this.#emit({ type, time: venue.serverNow() })
  }

  #createExecutor(): Executor {
    const { venue, config, instruments, recorded, state } = this.#options
    return new Executor({
      heldFor: request => state.engine.ledger.position(bookOf(request))?.quantity ?? 0,
      trading: this.#trading,
      serverNow: venue.serverNow,
      instruments,
      maxSlippageRate: Number(amountToText(config.execution.maxSlippageRate)),
      settlementMarginMs: config.execution.settlementMarginMs,
      onDeparture: dispatch => recorded.leave(dispatch),
      emit: event => this.#emit(event),
      onError: error => this.#report('an order', error),
    })
  }

  #createReconciler(): Reconciler {
    const { venue, config, instruments, contracts, state, recorded, strategies, log } = this.#options
    return new Reconciler({
      trading: this.#trading,
      account: venue.account,
      futures: contracts.length === 0 ? undefined : { reads: futuresOf(venue), contracts },
      instruments,
      ownPrefixes: ownPrefixes(config.bot, strategies),
      foreignOrders: config.execution.foreignOrders,
      margin: marginRules(config, state.engine),
      ledger: state.engine.ledger,
      dispatches: state.dispatches,
      tracker: this.#executor.tracker,
      serverNow: venue.serverNow,
      eventCount: () => this.#orderEventCount,
      emit: event => this.#emit(event),
      onDeparture: dispatch => recorded.leave(dispatch),
      onTradesSeen: seen => recorded.seeTrades(seen),
      onTransactionsSeen: seen => recorded.seeTransactions(seen),
      onDoubt: symbol => this.#executor.doubt(symbol),
      onReport: report => logReconciliation(log, report),
    })
  }

  #emit(event: EngineEvent): void {
    this.#orderEventCount++
    this.#orderEvents$.next(event)
  }

  #market(scheduler: SchedulerLike): Observable<BotInput> {
    const { followed, instruments, venue, marketOf, config, after, random = Math.random } = this.#options
    return marketInputs({
      strategies: followed,
      instruments,
      venue,
      marketOf,
      after,
      polling: config.polling,
      scheduler,
      random,
    })
  }

  #clock(scheduler: SchedulerLike): Observable<BotInput> {
    const { clockUncertaintyMs } = this.#options.venue
    if (clockUncertaintyMs === undefined || !this.#risk.watchesClock) return EMPTY
    return interval(CLOCK_CHECK_MS, scheduler).pipe(
      map((): BotInput => ({ type: 'clock', uncertaintyMs: clockUncertaintyMs() })),
    )
  }

  async #compare(): Promise<Agreement> {
    const agreement = await this.#reconciler.look()
    if (agreement === 'agreed') this.#executor.trust()
    return agreement
  }

  /** Everything of the account against the ledger; its results come as order events. */
  #comparison(scheduler: SchedulerLike): Observable<BotInput> {
    const { config, instruments, marketOf } = this.#options
    const { everyMs } = accountPoll([...instruments.keys()], marketOf, config.polling)
    return poll(() => this.#compare(), everyMs, scheduler).pipe(
      concatMap((polled): readonly BotInput[] =>
        polled.ok ? [] : [{ type: 'failure', what: 'reconciliation', error: polled.error }],
      ),
    )
  }

  /** Looks at live orders; what it finds comes as order events. */
  #looks(scheduler: SchedulerLike): Observable<unknown> {
    const { config, recorded } = this.#options
    const look = async () => {
      recorded.tidy()
      await this.#executor.reconcile()
    }
    return poll(look, config.execution.pollOrdersMs, scheduler).pipe(takeUntil(this.#leaving$))
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
      case 'quote':
        this.#executor.observe(input.symbol, input.quote)
        this.#risk.quote(input.symbol, input.quote)
        break
      case 'mark':
        this.#marks.see(input.symbol, input.price)
        break
      case 'clock':
        this.#risk.clock(input.uncertaintyMs)
        break
      case 'operator':
        input.answer(this.#risk.obey(input.request))
        break
      case 'report':
        this.#risk.report(input.report)
        break
      case 'failure':
        this.#report(input.what, input.error)
    }
  }

  #dispatch(event: EngineEvent): void {
    if (event.type === 'klineClosed') {
      if (this.#failure !== undefined) return
      for (const mark of this.#marks.takeChanges(this.#options.venue.serverNow())) this.#dispatch(mark)
    }
    const outputs = this.#options.recorded.process(event)
    const closed =
      event.type === 'klineClosed' && this.#traded.has(`${event.symbol} ${event.interval}`)
        ? event
        : undefined
    if (closed !== undefined) this.#executor.seeKline(closed.symbol, closed.kline)
    if (outputs.length > 0) this.#carryOut(outputs)
    // Orders that leave now are with the operating system by then.
    if (closed !== undefined || outputs.length > 0) process.nextTick(() => this.#tell(closed, outputs))
  }

  #carryOut(outputs: readonly EngineOutput[]): void {
    const unwanted = canceledIn(outputs)
    this.#executor.together(() => {
      for (const output of outputs) {
        if (output.type === 'cancelOrder' || output.type === 'resizeOrder') this.#executor.execute(output)
        else if (output.type !== 'placeOrder') continue
        else if (unwanted.has(output.request.clientOrderId)) this.#giveUp(output)
        else this.#place(output)
      }
      for (const output of outputs) {
        const isHeldBack = heldBackBy(output)
        if (isHeldBack !== undefined) this.#executor.withdraw(isHeldBack)
      }
    })
  }

  /** Counts and logs what came of an event. */
  #tell(closed: KlineClosed | undefined, outputs: readonly EngineOutput[]): void {
    const { log, state } = this.#options
    try {
      if (closed !== undefined) {
        this.#counter.countKline()
        this.#showKline(closed)
      }
      for (const output of outputs) {
        if (isCommand(output)) continue
        this.#counter.count(output)
        logNotice(log, output, symbol => state.engine.ledger.instrument(symbol))
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  /** One line a kline, so that somebody who watches sees the market move. */
  #showKline({ symbol, interval: length, kline }: KlineClosed): void {
    const { log, state } = this.#options
    const { ledger } = state.engine
    const equity = amountToText(ledger.equity(ledger.instrument(symbol).quote))
    log.info(
      { at: utcText(closeTimeOf(kline.openTime, length)), symbol, close: kline.close, equity },
      'kline',
    )
  }

  /** What another decision on the same event takes back need not leave first: it could fill. */
  #giveUp({ request: { clientOrderId } }: PlaceOrder): void {
    const reason = 'It was taken back before it left.'
    const time = this.#options.venue.serverNow()
    this.#emit({ type: 'orderUpdated', clientOrderId, event: 'canceled', reason, time })
  }

  /** Who leaves places nothing more, but what closes at once a position that is to be closed: what the end of one order makes a strategy wish for would stay behind. */
  #place(command: PlaceOrder): void {
    const { symbol, clientOrderId, reduceOnly, protects, spec } = command.request
    const closes = reduceOnly && protects === undefined && spec.type === 'market'
    const isWanted = this.#options.config.execution.onStop === 'flatten' && closes
    if (!this.#isLeaving || isWanted) {
      this.#executor.execute(command)
      return
    }
    this.#options.log.info({ symbol, clientOrderId }, 'order not placed: the bot is leaving')
  }

  /** Closes every position at market, once for what is held of it. */
  #flatten(): void {
    const { instruments, state, venue } = this.#options
    for (const symbol of instruments.keys()) {
      const { ledger } = state.engine
      const held = `${ledger.grossQuantity(symbol, 'long')} ${ledger.grossQuantity(symbol, 'short')}`
      if (isFlat(ledger, symbol) || this.#flattened.get(symbol) === held) continue
      this.#flattened.set(symbol, held)
      this.#emit({ type: 'flattenRequested', symbol, purpose: 'exit', time: venue.serverNow() })
    }
  }

  /** Whether nothing is left to wait for. */
  #isDone(): boolean {
    const { onStop } = this.#options.config.execution
    if (onStop === 'keep') return !this.#executor.tracker.orders.hasUnconfirmed()
    const { instruments, state } = this.#options
    const holdsNothing = [...instruments.keys()].every(symbol => isFlat(state.engine.ledger, symbol))
    return this.#executor.liveOrders === 0 && (onStop !== 'flatten' || holdsNothing)
  }

  #report(what: string, error: unknown): void {
    if (endsTheBot(error)) {
      this.#fail(error)
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.log.warn({ what, reason }, 'a call to the exchange failed')
  }

  #fail(error: unknown): void {
    this.#options.log.error({ err: error }, 'trading halted')
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onFailure?.(error)
  }

  #pause(): Promise<void> {
    const { venue, config } = this.#options
    return new Promise(resolve => venue.clock.schedule(config.execution.pollOrdersMs, resolve))
  }

  /** Waits for work, but no longer than to a time (ms UTC of the clock). */
  async #until(deadline: number, work: Promise<void>): Promise<void> {
    const { clock } = this.#options.venue
    let forget = () => {}
    const over = new Promise<void>(resolve => {
      forget = clock.schedule(deadline - clock.now(), resolve)
    })
    await Promise.race([work, over])
    forget()
  }
}

/** Whether nothing is held of a symbol, on either side. */
function isFlat(ledger: Ledger, symbol: string): boolean {
  return ledger.grossQuantity(symbol, 'long') === 0 && ledger.grossQuantity(symbol, 'short') === 0
}

function canceledIn(outputs: readonly EngineOutput[]): ReadonlySet<string> {
  return new Set(outputs.flatMap(output => (output.type === 'cancelOrder' ? [output.clientOrderId] : [])))
}
