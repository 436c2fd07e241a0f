import { rulesOf } from '../../domain/account-rules.ts'
import type { HistorySeen, KlineClosed } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { type Amount, add, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { roundToTicks, type Ticks, worthOf } from '../../domain/numbers/grid.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { dayUntil } from '../../risk/protections/utc-day.ts'
import { equityOf, type MovedAmounts } from './account-moves.ts'

/** Equity at the beginning of a day as plain data, by quote asset. */
export interface DayStartState {
  /** ms UTC. */
  readonly day: number
  /** When counting began: midnight, or the first event of the books, ms UTC. */
  readonly since: number
  readonly equity: readonly (readonly [string, Amount])[]
  /** Prices of the start that it counts, by symbol; a kline that comes later may tell another one. */
  readonly prices: readonly (readonly [string, Ticks])[]
}

/**
 * Equity at the beginning of the day (UTC), at the latest prices before it. Deposits and withdrawals since, and what was
 * held before its first price, are part of it: neither is a result of the day.
 */
export class DayStart {
  #day = Number.NaN
  #since = Number.NaN
  #equity = new Map<string, Amount>()
  /** Prices of the start, of instruments that have one. */
  #prices = new Map<string, Ticks>()
  /** Instruments without a price so far. */
  #unpriced: readonly Instrument[] = []

  /** The day of the latest event; `undefined` before the first. */
  get state(): DayStartState | undefined {
    if (Number.isNaN(this.#day)) return undefined
    return { day: this.#day, since: this.#since, equity: [...this.#equity], prices: [...this.#prices] }
  }

  /** Goes on with the instruments of a ledger, and with a day if one had begun. */
  begin(ledger: Ledger, state = this.state): void {
    if (state === undefined) return
    this.#day = state.day
    this.#since = state.since
    this.#equity = new Map(state.equity)
    this.#setPrices(new Map(state.prices), ledger)
  }

  /** The day of a time, ms UTC, of which no event may have come yet; `undefined` before the first event. */
  at(time: number, ledger: Ledger): DayStartState | undefined {
    const day = dayUntil(time)
    if (!(day > this.#day)) return this.state
    return { day, since: day, equity: [...equityOf(ledger)], prices: [...pricesOf(ledger)] }
  }

  /** An event comes at a time, ms UTC. */
  turn(time: number, ledger: Ledger): void {
    const day = dayUntil(time)
    if (day <= this.#day) return
    this.#since = Number.isNaN(this.#day) ? time : day
    this.#day = day
    this.#equity = equityOf(ledger)
    this.#setPrices(pricesOf(ledger), ledger)
  }

  /** A kline comes; one that had closed by the start tells the price of then. */
  observeKline({ symbol, interval, kline }: KlineClosed | HistorySeen, ledger: Ledger): void {
    if (closeTimeOf(kline.openTime, interval) > this.#since) return
    const instrument = ledger.instruments.find(one => one.symbol === symbol)
    // A contract counts at its mark price, where the exchange has told one.
    if (instrument === undefined || ledger.markPriceOf(symbol) !== ledger.markOf(symbol)) return
    const price = roundToTicks(instrument, kline.close, 'nearest')
    const equityAt = (at: Ticks | undefined) =>
      ledger.equity(instrument.quote, { priceOf: other => (other === symbol ? at : undefined) })
    this.#move(instrument.quote, subtract(equityAt(price), equityAt(this.#prices.get(symbol))))
    this.#prices.set(symbol, price)
    this.#unpriced = this.#unpriced.filter(one => one !== instrument)
  }

  /** Keeps what an event moved, after it is processed, out of the result of the day. */
  take(moved: MovedAmounts, ledger: Ledger): void {
    for (const [quote, amount] of moved) this.#move(quote, amount)
    if (this.#unpriced.length > 0) this.#price(ledger)
  }

  /** Later first prices of what was held at the start. */
  #price(ledger: Ledger): void {
    const [before, unpriced] = [this.#unpriced, [] as Instrument[]]
    for (const instrument of before) {
      const price = ledger.markPriceOf(instrument.symbol)
      if (price === undefined) unpriced.push(instrument)
      else if (!rulesOf(instrument).holdsContracts) {
        this.#move(instrument.quote, worthOf(instrument, price, ledger.balances.baseOf(instrument)))
        this.#prices.set(instrument.symbol, price)
      }
    }
    this.#unpriced = unpriced
  }

  /** Sets the prices of the start; an instrument without one is unpriced, whatever price the ledger has meanwhile. */
  #setPrices(prices: Map<string, Ticks>, { instruments }: Ledger): void {
    this.#prices = prices
    this.#unpriced = instruments.filter(({ symbol }) => !prices.has(symbol))
  }

  #move(quote: string, amount: Amount): void {
    this.#equity.set(quote, add(this.#equity.get(quote) ?? ZERO, amount))
  }
}

function pricesOf(ledger: Ledger): Map<string, Ticks> {
  return new Map(
    ledger.instruments.flatMap(({ symbol }) => {
      const price = ledger.markPriceOf(symbol)
      return price === undefined ? [] : [[symbol, price] as const]
    }),
  )
}
