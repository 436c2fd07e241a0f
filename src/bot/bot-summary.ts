import { amountToText } from '../domain/amount.ts'
import type { Notice } from '../domain/engine-output.ts'
import { quantityText } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { scopeText, type TradingMode } from '../domain/trading-hold.ts'
import { DeskBooks } from '../engine/desk-books.ts'
import type { Engine } from '../engine/engine.ts'
import type { Ledger } from '../ledger/ledger.ts'

/** What a run came to; quantities and money as exact decimal text. */
export interface BotSummary {
  readonly klines: number
  readonly signals: number
  readonly denials: number
  /** Orders that were submitted. */
  readonly orders: number
  readonly rejections: number
  readonly fills: number
  readonly roundTrips: number
  /** How often what holds trading back has changed. */
  readonly tradingChanges: number
  /** What may be sent at the end: of the account, and of everything that is held back besides. */
  readonly trading: Readonly<Record<string, TradingMode>>
  /** What is still held, by book (the symbol, unless several strategies trade it); negative is short. */
  readonly position: Readonly<Record<string, string>>
  /** Everything owned at the latest prices, by quote asset. */
  readonly equity: Readonly<Record<string, string>>
  readonly balances: Readonly<Record<string, string>>
}

/** Counts what happens, and sums it up. */
export class RunCounter {
  #klines = 0
  #signals = 0
  #denials = 0
  #orders = 0
  #rejections = 0
  #fills = 0
  #roundTrips = 0
  #tradingChanges = 0

  /** A kline was processed. */
  countKline(): void {
    this.#klines++
  }

  count(notice: Notice): void {
    if (notice.type === 'signaled') this.#signals++
    else if (notice.type === 'denied') this.#denials++
    else if (notice.type === 'fillBooked') this.#fills++
    else if (notice.type === 'roundTripClosed') this.#roundTrips++
    else if (notice.type === 'tradingStateChanged') this.#tradingChanges++
    else if (notice.type === 'orderChanged' && notice.order.status === 'submitted') this.#orders++
    else if (notice.type === 'orderChanged' && notice.order.status === 'rejected') this.#rejections++
  }

  /** The counts so far and the account as the ledger has it. */
  summary(
    { ledger, desks, risk }: Pick<Engine, 'ledger' | 'desks' | 'risk'>,
    instruments: Iterable<Instrument>,
  ): BotSummary {
    const list = [...instruments]
    const quotes = [...new Set(list.map(({ quote }) => quote))]
    return {
      klines: this.#klines,
      signals: this.#signals,
      denials: this.#denials,
      orders: this.#orders,
      rejections: this.#rejections,
      fills: this.#fills,
      roundTrips: this.#roundTrips,
      tradingChanges: this.#tradingChanges,
      trading: Object.fromEntries(
        risk.scopes
          .filter(({ scope, state }) => scope.symbol === undefined || state.mode !== 'active')
          .map(({ scope, state }) => [scopeText(scope), state.mode]),
      ),
      position: positionTexts({ ledger, desks }),
      equity: Object.fromEntries(quotes.map(quote => [quote, amountToText(ledger.equity(quote))])),
      balances: Object.fromEntries(
        [...ledger.balances.entries()].map(([asset, amount]) => [asset, amountToText(amount)]),
      ),
    }
  }
}

/** What every book holds, as exact text, negative is short; where both sides are held, each by itself. */
export function positionTexts({
  ledger,
  desks,
}: Pick<Engine, 'ledger' | 'desks'>): Readonly<Record<string, string>> {
  const books = desks.flatMap(({ book, symbol }) => {
    const instrument = ledger.instrument(symbol)
    return new DeskBooks(instrument, book).all.map(name => [name, positionText(ledger, name, instrument)])
  })
  return Object.fromEntries(books)
}

function positionText(ledger: Ledger, book: string, instrument: Instrument): string {
  const position = ledger.position(book)
  if (position === undefined) return '0'
  const text = quantityText(instrument, position.quantity)
  return position.direction === 'short' ? `-${text}` : text
}
