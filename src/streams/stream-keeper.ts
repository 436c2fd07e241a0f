import { closeTimeOf, type Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { Signals } from '../strategy/signals.ts'
import { StrategyEnded } from '../strategy/strategy-error.ts'
import type { StrategyView } from '../strategy/strategy-view.ts'
import { type MakeSignals, StreamRun } from './stream-run.ts'

/**
 * Keeps the streams of a strategy: they begin with the first event that is shown. After an error they begin afresh with the
 * next one; what they signal then is forgotten until the strategy is asked again.
 */
export class StreamKeeper {
  readonly #strategy: string
  readonly #view: StrategyView
  readonly #make: MakeSignals
  #run: StreamRun | undefined
  /** It has failed, and nobody has asked since. */
  #isResting = false

  constructor(strategy: string, view: StrategyView, make: MakeSignals) {
    this.#strategy = strategy
    this.#view = view
    this.#make = make
  }

  /** A kline of a stream that nobody asks the strategy about. */
  seeHistory(stream: string, kline: Kline, interval: Interval): void {
    const time = closeTimeOf(kline.openTime, interval)
    const run = this.#runAt(time)
    run.mute(() => run.showKline(stream, kline, interval, time))
    if (this.#isResting && run.hasFailed) this.#end(run)
  }

  /** A kline has closed: gives what the streams answer. */
  askOnKline(stream: string, kline: Kline, interval: Interval): Signals<string> {
    const { time } = this.#view
    const run = this.#runAt(time)
    run.showKline(stream, kline, interval, time)
    return this.#answer(run)
  }

  /** A stream shows anything else. */
  askOn(stream: string, datum: unknown): Signals<string> {
    const { time } = this.#view
    const run = this.#runAt(time)
    run.show(stream, datum, time)
    return this.#answer(run)
  }

  /** Ends the streams: nothing is shown any more. */
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
      return run.takeSignals()
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
