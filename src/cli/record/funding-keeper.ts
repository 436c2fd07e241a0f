import type { ExchangeIndexPrice } from '../../exchange/futures/index-price.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'

/** Time after a settlement from which hosts show its rate as the last one, ms. */
const SETTLED_AFTER_MS = 60_000
const HOUR_MS = 3_600_000

/** Stores the funding rate of each settlement, as index prices show it afterwards. */
export class FundingKeeper {
  readonly #store: KlineStore
  readonly #periodMs: number
  /** Last stored settlement by symbol, ms UTC. */
  readonly #stored = new Map<string, number>()

  /** `hours`: time between two settlements, counted from 00:00 UTC. */
  constructor(store: string, hours: number) {
    this.#store = new KlineStore(store)
    this.#periodMs = hours * HOUR_MS
  }

  /** Stores the rate of the last settlement, unless it is stored; `now` in ms UTC. */
  async keep(
    market: { readonly venue: string; readonly symbol: string },
    { lastFundingRate }: ExchangeIndexPrice,
    now: number,
  ): Promise<void> {
    const time = Math.floor(now / this.#periodMs) * this.#periodMs
    if (now < time + SETTLED_AFTER_MS || this.#stored.get(market.symbol) === time) return
    this.#stored.set(market.symbol, time)
    const series = this.#store.funding(market)
    if ((series.extent()?.last ?? 0) >= time) return
    using writer = await series.openWriter()
    const rows = { length: 1, time: Float64Array.of(time), rate: Float64Array.of(lastFundingRate.toNumber()) }
    writer.merge(rows, `recorded of ${market.venue}`)
  }
}
