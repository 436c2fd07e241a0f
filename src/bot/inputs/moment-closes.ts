import type { KlineClosed, PricesSeen } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { closeTimeOf, openTimeOf } from '../../domain/market-data/interval.ts'
import { priceOf, roundToTicks, type Ticks } from '../../domain/numbers/grid.ts'
import type { Engine } from '../../engine/engine.ts'
import type { BotInput } from './bot-input.ts'
import type { LatestPrices } from './latest-prices.ts'

export interface MomentClosesOptions {
  readonly instruments: ReadonlyMap<string, Instrument>
  readonly engine: Pick<Engine, 'klineStreams' | 'runners'>
  readonly prices: Pick<LatestPrices, 'lastOf'>
}

/**
 * The prices at which all instruments count before the first kline of a moment is decided on: a backtest knows every close of that
 * moment, and no kline waits for those after it. One that waits for its turn counts at its close, any other at the latest price.
 */
export class MomentCloses {
  readonly #options: MomentClosesOptions
  /** Latest kline of each symbol that waited. */
  readonly #waiting = new Map<string, Extract<BotInput, { type: 'close' }>>()
  /** Close time of the latest kline, ms UTC. */
  #latest = Number.NEGATIVE_INFINITY

  constructor(options: MomentClosesOptions) {
    this.#options = options
  }

  /** Notes the close of a kline that waits for those before it. */
  note(close: Extract<BotInput, { type: 'close' }>): void {
    this.#waiting.set(close.symbol, close)
  }

  /** The event to process before a kline at `time`, ms UTC; `undefined` if that is not the first of its moment, or nothing depends on it. */
  before({ symbol, interval, kline }: KlineClosed, time: number): PricesSeen | undefined {
    const { instruments, engine } = this.#options
    const closeTime = closeTimeOf(kline.openTime, interval)
    if (closeTime <= this.#latest) return undefined
    this.#latest = closeTime
    const others = [...instruments.values()].filter(instrument => instrument.symbol !== symbol)
    const prices = others.flatMap(instrument => {
      const price = this.#priceAt(instrument, closeTime)
      return price === undefined ? [] : [[instrument, price] as const]
    })
    // A strategy that is alone, and each of several on one stream, is shown that close itself.
    if (prices.length === 0 && (engine.runners.length === 1 || engine.klineStreams.length === 1))
      return undefined
    const closing = new Set(
      engine.klineStreams
        .filter(stream => openTimeOf(closeTime, stream.interval) === closeTime)
        .map(stream => stream.symbol),
    )
    return {
      type: 'pricesSeen',
      prices: prices.map(([instrument, price]) => [instrument.symbol, price]),
      closes: [
        [symbol, kline.close],
        ...prices
          .filter(([instrument]) => closing.has(instrument.symbol))
          .map(([instrument, price]) => [instrument.symbol, priceOf(instrument, price)] as const),
      ],
      closeTime,
      time,
    }
  }

  #priceAt(instrument: Instrument, closeTime: number): Ticks | undefined {
    const waiting = this.#waiting.get(instrument.symbol)
    return waiting?.closeTime === closeTime
      ? roundToTicks(instrument, waiting.close, 'nearest')
      : this.#options.prices.lastOf(instrument.symbol)
  }
}
