import type { Kline } from '../../domain/market-data/kline.ts'
import type { Indicator } from '../../indicators/indicator.ts'
import type { Signals } from '../signals.ts'
import type { FeedView } from '../strategy-definition.ts'
import { asked, handled } from '../strategy-failure.ts'
import type { FeedRun } from '../strategy-run.ts'
import type { StrategyView } from '../strategy-view.ts'
import type { Datum, Feed } from './feeds.ts'

export interface DefinedFeedOptions {
  readonly strategy: string
  readonly name: string
  readonly feed: Feed
  /** Indicators of its klines. */
  readonly indicators: readonly Indicator<unknown>[]
  /** The strategy's handler. */
  readonly show: ((datum: Datum) => Signals<string>) | undefined
  readonly view: StrategyView
}

/** A running feed of a definition. */
export class DefinedFeed implements FeedRun, FeedView<Datum> {
  readonly name: string
  readonly feed: Feed
  readonly warmUp: number
  latest: Datum | undefined
  readonly #options: DefinedFeedOptions

  constructor(options: DefinedFeedOptions) {
    this.name = options.name
    this.feed = options.feed
    // One more, so that each has a value before its value: unlike an own kline, none of the feed needs to come with a decision.
    this.warmUp = Math.max(0, ...options.indicators.map(({ requiredKlines }) => requiredKlines + 1))
    this.#options = options
  }

  update(datum: Datum): void {
    this.latest = datum
    const { indicators, strategy, name } = this.#options
    if (indicators.length === 0) return
    const kline = datum as Kline // only feeds of klines have indicators, as the definition check says
    asked(strategy, `an indicator of the feed "${name}"`, () => {
      for (const indicator of indicators) indicator.update(kline)
    })
  }

  show(datum: Datum): Signals<string> {
    const { show, strategy, view, name } = this.#options
    return show && handled(strategy, view, `on.${name}`, () => show(datum))
  }
}
