import { StartWorth } from '../bot/log/start-worth.ts'
import type { OpenCost } from '../bot/text/position-status.ts'
import type { EngineEvent, HistorySeen, KlineClosed } from '../domain/events/engine-event.ts'
import { closeTimeOf } from '../domain/market-data/interval.ts'
import type { Amount } from '../domain/numbers/amount.ts'
import type { RecordedLedger } from './recorded-ledger.ts'

/** Worth of everything that counts in one quote asset. */
export interface Worth {
  readonly equity: Amount
  /** Results of open positions, after the fees of their entries. */
  readonly open: Amount
}

/**
 * Start of a run: positions and balances of that moment, each valued at the latest price before it, or at the first
 * one after it where there was none.
 */
export class RunStart {
  /** ms UTC. */
  readonly time: number
  readonly #books: RecordedLedger
  readonly #worth: StartWorth
  readonly #prices = {
    priceOf: (symbol: string) =>
      this.#books.knows(symbol) ? this.#books.ledger.markPriceOf(symbol) : undefined,
  }
  /** Instruments whose price at the start is settled. */
  readonly #settled = new Set<string>()
  #isSettled = false

  /** The run begins now, with the books as they are and these positions open. */
  constructor(books: RecordedLedger, time: number, open: readonly OpenCost[]) {
    this.time = time
    this.#books = books
    this.#worth = new StartWorth(books.ledger, open)
  }

  /** True once no later price changes what the start is worth. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Worth in a quote asset, by the prices known so far. */
  worthIn(quote: string): Worth {
    const open = this.#worth.openResult(quote, this.#prices)
    return { equity: this.#worth.equity(quote, this.#prices), open }
  }

  /** Settles, before an event is booked, the start prices of instruments that it prices anew. */
  expect(event: EngineEvent): void {
    switch (event.type) {
      case 'klineClosed':
      case 'historySeen':
        if (isOver(event, this.time) || !this.#books.knows(event.symbol)) return
        if (this.#isUnpriced(event.symbol)) this.#books.price(event.symbol, event.kline.open)
        this.#settle(event.symbol)
        break
      case 'markPriceSeen':
        this.#settle(event.symbol)
        break
      case 'pricesSeen':
        for (const [symbol] of event.prices) this.#settle(symbol)
        break
      default:
    }
  }

  #isUnpriced(symbol: string): boolean {
    return this.#books.ledger.markPriceOf(symbol) === undefined
  }

  #settle(settled: string): void {
    if (this.#settled.has(settled) || this.#isUnpriced(settled)) return
    this.#settled.add(settled)
    this.#isSettled = this.#worth.observe({
      priceOf: symbol => (symbol === settled ? this.#prices.priceOf(symbol) : undefined),
    })
  }
}

/** True for a kline that had closed by a time, ms UTC: its close is a price of before. */
export function isOver({ kline, interval }: KlineClosed | HistorySeen, time: number): boolean {
  return closeTimeOf(kline.openTime, interval) <= time
}
