import { isObservable, type Observable, type Subscription } from 'rxjs'
import { utcText } from '../domain/market-data/civil-date.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { Signal } from '../domain/signal.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Signals } from '../strategy/signals.ts'
import { StrategyEnded, type StrategyError } from '../strategy/strategy-error.ts'
import { handlerFailure, messageOf } from '../strategy/strategy-failure.ts'
import type { StrategyView } from '../strategy/strategy-view.ts'
import { AsyncSchedulerGuard } from './async-scheduler-guard.ts'
import { closedKline } from './closed-kline.ts'
import { MarketTime } from './market-time.ts'
import { Source } from './source.ts'
import { StreamContext } from './stream-context.ts'

/** Creates the stream of signals from the inputs of a run. */
export type MakeSignals = (run: StreamRun) => Observable<Signals<string>>

/** Place in error messages before the first event. */
const BEGINNING = 'signals'

/**
 * Streams of one run, by name: emits events to them, and collects their signals while an event is emitted.
 * Streams never run at any other time.
 */
export class StreamRun {
  readonly context: StreamContext
  readonly #strategy: string
  readonly #time = new MarketTime()
  readonly #ban = new AsyncSchedulerGuard(error => this.#fail(error))
  readonly #sources = new Map<string, Source<unknown>>()
  #subscription: Subscription | undefined
  #signals: Signal<string>[] = []
  #isShowing = false
  #hasEnded = false
  #failure: StrategyError | undefined
  /** Current stream, for error messages. */
  #stream = BEGINNING
  #kline: Kline | undefined

  constructor(strategy: string, view: StrategyView) {
    this.#strategy = strategy
    this.context = new StreamContext(view, this.#time.scheduler)
  }

  /** The stream with that name. */
  stream(name: string): Observable<unknown> {
    return this.#sourceOf(name).stream$
  }

  /** Creates the stream of signals and subscribes to it, at `time` (ms UTC). */
  begin(make: MakeSignals, time: number): void {
    this.#time.begin(time)
    this.context.time = time
    this.#open()
    try {
      this.#subscription = requireObservable(make(this)).subscribe({
        next: signals => this.#take(signals),
        error: cause => this.#fail(cause),
        complete: () => this.#complete(),
      })
    } catch (cause) {
      this.#fail(cause)
    } finally {
      this.#close()
    }
  }

  /** Ends the subscription. */
  end(): void {
    this.#subscription?.unsubscribe()
  }

  /** True after a failure: it can emit no more events. */
  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** Drops the signals of `show`. */
  mute(show: () => void): void {
    this.context.isWarmingUp = true
    show()
    this.context.isWarmingUp = false
  }

  /** Emits a kline that closed at `time` (ms UTC). */
  emitKline(stream: string, kline: Kline, interval: Interval, time: number): void {
    this.#kline = kline
    this.#show(stream, closedKline(kline, interval), time)
  }

  /** Emits any other datum, known since `time` (ms UTC). */
  emit(stream: string, datum: unknown, time: number): void {
    this.#kline = undefined
    this.#show(stream, datum, time)
  }

  /**
   * Signals since the last call: one decision. Throws `StrategyError` after a failure of a stream, and
   * `StrategyEnded` once the signals have completed and all of them were returned.
   */
  drainSignals(): Signals<string> {
    if (this.#failure !== undefined) throw this.#failure
    const signals = this.#signals
    if (signals.length === 0 && this.#hasEnded) throw this.#ending()
    if (signals.length === 0) return undefined
    this.#signals = []
    return signals.length === 1 ? signals[0] : signals
  }

  #sourceOf(name: string): Source<unknown> {
    const known = this.#sources.get(name)
    if (known !== undefined) return known
    const source = new Source<unknown>()
    this.#sources.set(name, source)
    return source
  }

  #show(stream: string, datum: unknown, time: number): void {
    const source = this.#sourceOf(stream)
    if (this.#failure !== undefined || !(source.isObserved || this.#time.isAwaited)) return
    this.#stream = stream
    this.context.time = time
    this.#open()
    try {
      this.#time.reach(time)
      source.emit(datum)
      this.#time.settle()
    } catch (cause) {
      this.#fail(cause) // of something scheduled
    } finally {
      this.#close()
    }
  }

  #open(): void {
    this.#isShowing = true
    this.#ban.begin()
  }

  #close(): void {
    this.#ban.end()
    this.#isShowing = false
  }

  #take(signals: Signals<string>): void {
    if (!this.#isShowing) this.#fail(outsideAnEvent('signaled'))
    else if (signals === undefined || this.context.isWarmingUp) return
    else if (isList(signals)) this.#signals.push(...signals)
    else this.#signals.push(signals)
  }

  #complete(): void {
    if (this.#isShowing) this.#hasEnded = true
    else this.#fail(outsideAnEvent('completed'))
  }

  #fail(cause: unknown): void {
    this.#failure ??= handlerFailure(
      this.#strategy,
      this.context,
      `failed in its streams${this.#isShowing ? this.#where() : ''}: ${messageOf(cause)}`,
      cause,
    )
  }

  #where(): string {
    if (this.#stream === BEGINNING) return ', in signals'
    const { openTime } = this.#kline ?? {}
    const what = openTime === undefined ? 'a datum' : `the kline of ${utcText(openTime)}`
    return `, when ${this.#stream} showed ${what}`
  }

  #ending(): StrategyEnded {
    const { instrument, time } = this.context
    return new StrategyEnded(
      `Strategy "${this.#strategy}" on ${instrument.symbol} at ${utcText(time)} decides nothing more: its stream of signals has completed.`,
    )
  }
}

function requireObservable<Value>(value: Observable<Value>): Observable<Value> {
  // Types do not guarantee it: a strategy file is not type-checked before it runs.
  if (isObservable(value)) return value
  throw new UsageError(`It must return an Observable of signals, but returned ${String(value)}.`)
}

function outsideAnEvent(what: string): UsageError {
  return new UsageError(
    `Its stream ${what} while no event was shown, which no backtest can repeat; leave out promises and timers of the process, and use the operators of rxjs with context.scheduler.`,
  )
}

function isList(signals: Signal<string> | readonly Signal<string>[]): signals is readonly Signal<string>[] {
  return Array.isArray(signals)
}
