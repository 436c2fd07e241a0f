import { amountToText } from '../../domain/numbers/amount.ts'
import { priceOf } from '../../domain/numbers/grid.ts'
import { PriceGuard } from '../../execution/gates/price-guard.ts'
import type { Quote } from '../../matching/trigger-book.ts'
import type { BotOptions } from '../bot-options.ts'

export interface GuardedPricesOptions extends Pick<BotOptions, 'config' | 'instruments' | 'state' | 'log'> {
  /** Called for each price that awaits confirmation, with a whole sentence. */
  readonly onDoubtedPrice: (reason: string) => void
}

/** Lets prices reach orders that wait for them, and the books, only as far as they are believed. */
export class GuardedPrices {
  readonly #options: GuardedPricesOptions
  readonly #quotes: PriceGuard
  readonly #marks: PriceGuard

  /** Begins with the latest prices of the books. */
  constructor(options: GuardedPricesOptions) {
    const { config, instruments, state } = options
    const maxJumpRate = Number(amountToText(config.execution.maxPriceJumpRate))
    this.#options = options
    this.#quotes = new PriceGuard(maxJumpRate)
    this.#marks = new PriceGuard(maxJumpRate)
    for (const [symbol, instrument] of instruments) {
      const latest = state.engine.ledger.markOf(symbol)
      if (latest === undefined) continue
      const price = priceOf(instrument, latest)
      this.#quotes.witness(symbol, price)
      this.#marks.witness(symbol, price)
    }
  }

  /** The trusted part of a quote; `undefined` until a second read confirms it. */
  quote(symbol: string, quote: Quote): Quote | undefined {
    const before = this.#quotes.acceptedOf(symbol)
    const believed = this.#quotes.believed(symbol, quote)
    if (believed === undefined) {
      const { bid, ask, last } = quote
      this.#doubt(`The price of ${symbol} is ${last} (bid ${bid}, ask ${ask})`, before)
    }
    return believed
  }

  /** The trusted mark price; `undefined` until a second read confirms it. Only then it supports a quote: one moment can spoil both. */
  mark(symbol: string, price: number): number | undefined {
    const before = this.#marks.acceptedOf(symbol) ?? price
    const believed = this.#marks.believed(symbol, { bid: price, ask: price, last: price })
    if (believed === undefined) this.#doubt(`The mark price of ${symbol} is ${price}`, before)
    else this.#quotes.witness(symbol, believed.last)
    return believed?.last
  }

  /** A kline closed at a price. */
  kline(symbol: string, close: number): void {
    this.#quotes.witness(symbol, close)
  }

  #doubt(what: string, before: number | undefined): void {
    const reason = `${what}${before === undefined ? '' : ` after ${before}`}: no stop fires on it before a second look agrees.`
    this.#options.log.warn({ reason }, 'a price awaits a second look')
    this.#options.onDoubtedPrice(reason)
  }
}
