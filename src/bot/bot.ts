import {
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
import { type Amount, amountToText } from '../domain/amount.ts'
import { utcText } from '../domain/civil-date.ts'
import type { EngineEvent, KlineClosed } from '../domain/engine-event.ts'
import type { EngineOutput, PlaceOrder } from '../domain/engine-output.ts'
import { roundToTicks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { closeTimeOf } from '../domain/interval.ts'
import type { Engine } from '../engine/engine.ts'
import { Executor } from '../execution/executor.ts'
import { clockScheduler } from '../market/clock-scheduler.ts'
import { poll } from '../market/poll.ts'
import type { BotInput } from './bot-input.ts'
import { type BotSummary, RunCounter } from './bot-summary.ts'
import type { ControlAnswer } from './control/control-answer.ts'
import type { OperatorRequest } from './control/operator-request.ts'
import type { BotParts } from './create-bot.ts'
import { endsTheBot } from './ends-the-bot.ts'
import { logNotice } from './log-notice.ts'
import { marketInputs } from './market-inputs.ts'
import { readBalances } from './read-balances.ts'
import type { RecordedEngine } from './recorded-engine.ts'
import { RiskInputs } from './risk-inputs.ts'

/** What a bot runs with, once everything is ready. */
export interface BotOptions extends BotParts {
  readonly instruments: ReadonlyMap<string, Instrument>
  readonly engine: Engine
  /** The same engine, by way of the journal. */
  readonly recorded: RecordedEngine
  /** Open time of the latest kline seen, by stream (see `streamOf`), ms UTC. */
  readonly after: ReadonlyMap<string, number>
}

/** How often the clock's uncertainty is looked at, ms. */
const CLOCK_CHECK_MS = 1000

/** How often leaving looks whether all orders are over, at most. */
const LEAVING_CHECKS = 50

/** A running bot: every input goes through one queue into the engine, its commands to the executor, its notices to the log. */
export class Bot {
  readonly #options: BotOptions
  readonly #executor: Executor
  readonly #orderEvents$ = new Subject<EngineEvent>()
  readonly #requests$ = new Subject<BotInput>()
  readonly #risk: RiskInputs
  readonly #leaving$ = new Subject<void>()
  readonly #counter = new RunCounter()
  readonly #subscriptions = new Subscription()
  /** Grows with every event of an order, so that a balance read in between is known to be stale. */
  #orderEventCount = 0
  #failure: { readonly error: unknown } | undefined
  #onFailure: ((error: unknown) => void) | undefined
  #isLeaving = false

  constructor(options: BotOptions) {
    const { venue, config, instruments } = options
    this.#options = options
    this.#risk = new RiskInputs(options, event => this.#dispatch(event))
    this.#executor = new Executor({
      spot: venue.spot,
      serverNow: venue.serverNow,
      instruments,
      maxSlippageRate: Number(amountToText(config.execution.maxSlippageRate)),
      settlementMarginMs: config.execution.settlementMarginMs,
      emit: event => {
        this.#orderEventCount++
        this.#orderEvents$.next(event)
      },
      onError: error => this.#report('an order', error),
    })
  }

  /** Starts to trade; `onFailure` is called once, should something happen that it must not trade on after. */
  start(onFailure: (error: unknown) => void): void {
    this.#onFailure = onFailure
    const scheduler = clockScheduler(this.#options.venue.clock)
    const polled$ = merge(
      this.#market(scheduler),
      this.#balances(scheduler),
      this.#clock(scheduler),
      this.#requests$,
    ).pipe(takeUntil(this.#leaving$))
    const events$ = this.#orderEvents$.pipe(map((event): BotInput => ({ type: 'event', event })))
    this.#subscriptions.add(
      merge(events$, polled$)
        .pipe(observeOn(queueScheduler))
        .subscribe(input => this.#take(input)),
    )
    this.#subscriptions.add(this.#reconciliation(scheduler).subscribe())
  }

  /** What an operator asks, in its turn among everything else that reaches the bot. */
  operate(request: OperatorRequest): Promise<ControlAnswer> {
    if (this.#isLeaving) {
      return Promise.resolve({ ok: false, message: 'The bot is leaving.', isUsage: false })
    }
    return new Promise(answer => this.#requests$.next({ type: 'operator', request, answer }))
  }

  /** Stops to trade: cancels what is open, waits (within a bound) until it is over, and sums up. */
  async leave(): Promise<BotSummary> {
    const { log, engine, instruments } = this.#options
    this.#isLeaving = true
    this.#leaving$.next()
    await this.#executor.cancelAll()
    for (let check = 0; check < LEAVING_CHECKS && this.#executor.liveOrders > 0; check++) {
      await this.#pause()
      await this.#executor.reconcile()
    }
    if (this.#executor.liveOrders > 0) {
      log.error({ orders: this.#executor.liveOrders }, 'left although orders are not known to be over')
    }
    this.#subscriptions.unsubscribe()
    return this.#counter.summary(engine, instruments.values())
  }

  #market(scheduler: SchedulerLike): Observable<BotInput> {
    const { strategies, venue, config, after } = this.#options
    return marketInputs({ strategies, venue, after, polling: config.polling, scheduler })
  }

  #clock(scheduler: SchedulerLike): Observable<BotInput> {
    const { clockUncertaintyMs } = this.#options.venue
    if (clockUncertaintyMs === undefined || !this.#risk.watchesClock) return EMPTY
    return interval(CLOCK_CHECK_MS, scheduler).pipe(
      map((): BotInput => ({ type: 'clock', uncertaintyMs: clockUncertaintyMs() })),
    )
  }

  /** The account while no order is alive; a read that an order event overtook is dropped. */
  #balances(scheduler: SchedulerLike): Observable<BotInput> {
    const read = async () => {
      const before = this.#orderEventCount
      if (this.#executor.liveOrders > 0) return undefined
      const balances = await readBalances(this.#options.venue.account)
      return before === this.#orderEventCount && this.#executor.liveOrders === 0 ? balances : undefined
    }
    return poll(read, this.#options.config.polling.balancesMs, scheduler).pipe(
      map(
        (polled): BotInput =>
          polled.ok
            ? { type: 'balances', balances: polled.value }
            : { type: 'failure', what: 'balances', error: polled.error },
      ),
    )
  }

  /** Its results come as order events. */
  #reconciliation(scheduler: SchedulerLike): Observable<unknown> {
    const { pollOrdersMs } = this.#options.config.execution
    return poll(() => this.#executor.reconcile(), pollOrdersMs, scheduler).pipe(takeUntil(this.#leaving$))
  }

  #take(input: BotInput): void {
    try {
      this.#process(input)
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
      case 'clock':
        this.#risk.clock(input.uncertaintyMs)
        break
      case 'operator':
        input.answer(this.#risk.obey(input.request))
        break
      case 'balances':
        this.#compareBalances(input.balances)
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
      this.#counter.countKline()
      this.#showKline(event)
    }
    for (const output of this.#options.recorded.process(event)) this.#carryOut(output)
  }

  /** One line a kline, so that somebody who watches sees the market move; and the price that the summary values things at. */
  #showKline({ symbol, interval: length, kline }: KlineClosed): void {
    const { log, engine } = this.#options
    const instrument = engine.ledger.instrument(symbol)
    engine.ledger.mark(instrument, roundToTicks(instrument, kline.close, 'nearest'))
    const equity = amountToText(engine.ledger.equity(instrument.quote))
    log.info(
      { at: utcText(closeTimeOf(kline.openTime, length)), symbol, close: kline.close, equity },
      'kline',
    )
  }

  #carryOut(output: EngineOutput): void {
    switch (output.type) {
      case 'placeOrder':
        this.#place(output)
        break
      case 'cancelOrder':
      case 'resizeOrder':
        this.#executor.execute(output)
        break
      default:
        this.#counter.count(output)
        logNotice(this.#options.log, output, symbol => this.#options.engine.ledger.instrument(symbol))
    }
  }

  /** Who leaves places nothing more: what the end of one order makes a strategy wish for would stay behind. */
  #place(command: PlaceOrder): void {
    if (!this.#isLeaving) {
      this.#executor.execute(command)
      return
    }
    const { symbol, clientOrderId } = command.request
    this.#options.log.info({ symbol, clientOrderId }, 'order not placed: the bot is leaving')
  }

  /** The exchange is right about what the account holds; a difference is said and taken over. */
  #compareBalances(balances: ReadonlyMap<string, Amount> | undefined): void {
    if (balances === undefined) return
    const { engine, recorded, log, venue } = this.#options
    const different = [...balances].filter(([asset, amount]) => engine.ledger.balances.of(asset) !== amount)
    if (different.length === 0) return
    for (const [asset, amount] of different) {
      const ledger = amountToText(engine.ledger.balances.of(asset))
      log.warn(
        { asset, exchange: amountToText(amount), ledger },
        'balance differs from the ledger, taken over',
      )
    }
    recorded.process({ type: 'balancesReported', balances: new Map(different), time: venue.serverNow() })
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
}
