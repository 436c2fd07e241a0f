import { closeTimeOf, type Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { Signals } from '../strategy/signals.ts'
import { StrategyEnded } from '../strategy/strategy-error.ts'
import type { StrategyView } from '../strategy/strategy-view.ts'
import { type MakeSignals, StreamRun } from './stream-run.ts'

/**
 * Runs the streams of a strategy from the first event on. After an error it creates them again with the next
 * event; their signals are then dropped until the next decision of the strategy.
 */
export class StreamSupervisor {
  readonly #strategy: string
  readonly #view: StrategyView
  readonly #make: MakeSignals
  #run: StreamRun | undefined
  /** True after a failure, until the next decision. */
  #isResting = false

  constructor(strategy: string, view: StrategyView, make: MakeSignals) {
    this.#strategy = strategy
    this.#view = view
    this.#make = make
  }

  /** Emits a kline on which the strategy makes no decision. */
  observeHistory(stream: string, kline: Kline, interval: Interval): void {
    const time = closeTimeOf(kline.openTime, interval)
    const run = this.#runAt(time)
    run.mute(() => run.emitKline(stream, kline, interval, time))
    if (this.#isResting && run.hasFailed) this.#end(run)
  }

  /** Emits a closed kline, and returns the decision of the streams. */
  invokeOnKline(stream: string, kline: Kline, interval: Interval): Signals<string> {
    const { time } = this.#view
    const run = this.#runAt(time)
    run.emitKline(stream, kline, interval, time)
    return this.#answer(run)
  }

  /** Emits any other event, and returns the decision of the streams. */
  invokeOn(stream: string, datum: unknown): Signals<string> {
    const { time } = this.#view
    const run = this.#runAt(time)
    run.emit(stream, datum, time)
    return this.#answer(run)
  }

  /** Unsubscribes; no more events are emitted. */
  end(): void {
    if (this.#run !== undefined) this.#end(this.#run)
  }

  #runAt(time: number): StreamRun {
    if (this.#run !== undefined) return this.#run
    this.#run = new StreamRun(this.#strategy, this.#view)
    this.#run.begin(this.#make, time)
    return this.#run
  }

  #answer(run: StreamRun): Signals<string> {
    this.#isResting = false
    try {
      return run.drainSignals()
    } catch (error) {
      if (!(error instanceof StrategyEnded)) {
        this.#isResting = true
        this.#end(run)
      }
      throw error
    }
  }

  #end(run: StreamRun): void {
    run.end()
    this.#run = undefined
  }
}
