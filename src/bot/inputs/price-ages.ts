import type { Clock } from '../../domain/clock.ts'
import type { Instrument } from '../../domain/instrument.ts'

export interface PriceAgesOptions {
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Monotonic. */
  readonly clock: Pick<Clock, 'now'>
  /** Age from which a price counts as old, ms. */
  readonly oldAfterMs: number
}

/** Ages of the latest prices that were believed, from the time on at which prices are asked for. */
export class PriceAges {
  readonly #options: PriceAgesOptions
  /** ms of the clock, by symbol. */
  readonly #quoted = new Map<string, number>()
  readonly #marked = new Map<string, number>()
  #begun: number | undefined

  constructor(options: PriceAgesOptions) {
    this.#options = options
  }

  /** Prices are asked for from now on. */
  begin(): void {
    this.#begun = this.#options.clock.now()
  }

  quoted(symbol: string): void {
    this.#quoted.set(symbol, this.#options.clock.now())
  }

  marked(symbol: string): void {
    this.#marked.set(symbol, this.#options.clock.now())
  }

  /** Age of the latest quote, by which stops act, ms, or the time without any; `undefined` while that is not old. */
  oldQuoteMs(symbol: string): number | undefined {
    return this.#oldMs(this.#quoted.get(symbol))
  }

  /** Age of the price at which a position is valued, ms: of contracts the mark price; `undefined` while it is not old. */
  oldPriceMs(symbol: string): number | undefined {
    const isContract = this.#options.instruments.get(symbol)?.futures !== undefined
    return this.#oldMs((isContract ? this.#marked : this.#quoted).get(symbol))
  }

  #oldMs(at = this.#begun): number | undefined {
    if (at === undefined) return undefined
    const ageMs = this.#options.clock.now() - at
    return ageMs > this.#options.oldAfterMs ? ageMs : undefined
  }
}
