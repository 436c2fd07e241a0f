import { type Amount, add, amountToNumber, subtract, ZERO } from '../domain/amount.ts'
import { bookOf } from '../domain/book-names.ts'
import type { Fill } from '../domain/fill.ts'
import { roundToTicks, type Ticks, worthOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Order } from '../domain/order.ts'
import type { Position } from '../domain/position.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { Balances } from './balances.ts'
import { bookFill, EMPTY_HOLDING, type Holding } from './fill-position.ts'
import { Orders } from './orders.ts'
import { reservedBy } from './reservation.ts'

/** What booking a fill led to. */
export interface Booking {
  readonly order: Order
  readonly roundTrips: readonly RoundTrip[]
}

/** What the ledger knows of one instrument. */
interface Market {
  readonly instrument: Instrument
  /** The latest close that was seen, quote per base; `NaN` before the first. */
  close: number
  /** Latest price, for equity; `undefined` where that is the close, which nobody has put on the grid yet. */
  mark: Ticks | undefined
  isMarked: boolean
  /** The base balance as a double, for `equityAtCloses`. */
  baseEstimate: number
}

/** What is held of one instrument under one name. */
interface Book {
  readonly name: string
  readonly market: Market
  holding: Holding
}

/** The account as our own orders and fills make it: orders, positions, balances, equity. */
export class Ledger {
  readonly orders = new Orders()
  readonly balances: Balances
  readonly #markets: ReadonlyMap<string, Market>
  /** By name; the name is the symbol unless orders say otherwise. */
  readonly #books = new Map<string, Book>()
  /** Most questions are about the instrument and the book of the question before. */
  #latestMarket: Market | undefined
  #latestBook: Book | undefined
  /** In order of their first mark. */
  readonly #marked: Market[] = []
  /** Balances as doubles, for `equityAt` and `equityAtCloses`. */
  #quoteEstimate = 0
  #baseEstimate = 0
  #isEstimated = false
  #areAllEstimated = false

  constructor(instruments: Iterable<Instrument>, balances: Iterable<readonly [string, Amount]>) {
    this.#markets = new Map(
      [...instruments].map(instrument => [
        instrument.symbol,
        { instrument, close: Number.NaN, mark: undefined, isMarked: false, baseEstimate: 0 },
      ]),
    )
    for (const [name, market] of this.#markets)
      this.#books.set(name, { name, market, holding: EMPTY_HOLDING })
    this.balances = new Balances(balances)
  }

  /** The instrument of a symbol; throws `InvariantError` for one that is not traded. */
  instrument(symbol: string): Instrument {
    return this.#market(symbol).instrument
  }

  /** What is held in a book (by default an instrument's symbol); `undefined` when flat. */
  position(book: string): Position | undefined {
    return this.#find(book)?.holding.position
  }

  /** Signed steps that all books of an instrument hold together; negative is short. */
  netQuantity(symbol: string): number {
    let net = 0
    for (const { market, holding } of this.#books.values()) {
      const { position } = holding
      if (position === undefined || market.instrument.symbol !== symbol) continue
      net += position.direction === 'long' ? position.quantity : -position.quantity
    }
    return net
  }

  /** Books a fill on order, position and balances; `undefined` for a fill that was booked before. */
  book(fill: Fill): Booking | undefined {
    const order = this.orders.fill(fill)
    if (order === undefined) return undefined
    const book = this.#book(bookOf(order.request), fill.symbol)
    const { instrument } = book.market
    this.balances.book(instrument, fill)
    const { holding, roundTrips } = bookFill(instrument, book.holding, fill, order.request)
    book.holding = holding
    this.#forgetEstimates()
    return { order, roundTrips }
  }

  /** Takes over what the exchange reports of one asset. */
  setBalance(asset: string, amount: Amount): void {
    this.balances.set(asset, amount)
    this.#forgetEstimates()
  }

  /** Notes the latest price of an instrument. */
  mark({ symbol }: Instrument, price: Ticks): void {
    const market = this.#market(symbol)
    if (!market.isMarked) this.#markFirst(market)
    market.mark = price
  }

  /** Notes the close of a kline (quote per base) as the latest price; it is put on the grid when somebody asks for equity. */
  seeClose(symbol: string, close: number): void {
    const market = this.#market(symbol)
    if (!market.isMarked) this.#markFirst(market)
    market.close = close
    market.mark = undefined
  }

  /** The latest close that was noted, quote per base; `NaN` before the first. */
  lastClose(symbol: string): number {
    return this.#market(symbol).close
  }

  /** Exact equity in an instrument's quote asset: its balance plus every marked base at its latest price. */
  equity(quote: string): Amount {
    let equity = this.balances.of(quote)
    for (const market of this.#marked) {
      const { instrument, close } = market
      if (instrument.quote !== quote) continue
      market.mark ??= roundToTicks(instrument, close, 'nearest')
      equity = add(equity, worthOf(instrument, market.mark, this.balances.of(instrument.base)))
    }
    return equity
  }

  /** Equity with every base at the latest close of its instrument, all of one quote asset, as a double for curves: no bigint between fills. */
  equityAtCloses(quote: string): number {
    if (!this.#areAllEstimated) this.#estimateAll(quote)
    let equity = this.#quoteEstimate
    for (const { baseEstimate, close } of this.#marked) equity += baseEstimate * close
    return equity
  }

  /** Equity of a one-instrument account with its base at `price`, as a double for curves: no allocation, no bigint between fills. */
  equityAt(instrument: Instrument, price: number): number {
    if (!this.#isEstimated) this.#estimate(instrument)
    return this.#quoteEstimate + this.#baseEstimate * price
  }

  /** `equityAt` for the prices at `from` to `to - 1`, between which nothing is booked; written to the same places of `equity`. */
  noteEquity(
    instrument: Instrument,
    prices: Float64Array,
    from: number,
    to: number,
    equity: Float64Array,
  ): void {
    if (!this.#isEstimated) this.#estimate(instrument)
    const quote = this.#quoteEstimate
    const base = this.#baseEstimate
    for (let row = from; row < to; row++) equity[row] = quote + base * (prices[row] as number) // as the caller says
  }

  /** What working orders may still take of an asset. */
  reserved(asset: string): Amount {
    let reserved = ZERO
    if (this.orders.working.length === 0) return reserved
    for (const order of this.orders.working) {
      reserved = add(reserved, reservedBy(this.instrument(order.request.symbol), order, asset))
    }
    return reserved
  }

  /** What new orders may use of an asset. */
  free(asset: string): Amount {
    const balance = this.balances.of(asset)
    const reserved = this.reserved(asset)
    return reserved === ZERO ? balance : subtract(balance, reserved)
  }

  #estimate({ base, quote }: Instrument): void {
    this.#quoteEstimate = amountToNumber(this.balances.of(quote))
    this.#baseEstimate = amountToNumber(this.balances.of(base))
    this.#isEstimated = true
  }

  #estimateAll(quote: string): void {
    this.#quoteEstimate = amountToNumber(this.balances.of(quote))
    for (const market of this.#markets.values()) {
      market.baseEstimate = amountToNumber(this.balances.of(market.instrument.base))
    }
    this.#areAllEstimated = true
  }

  #forgetEstimates(): void {
    this.#isEstimated = false
    this.#areAllEstimated = false
  }

  #markFirst(market: Market): void {
    market.isMarked = true
    this.#marked.push(market)
  }

  #find(name: string): Book | undefined {
    if (this.#latestBook?.name === name) return this.#latestBook
    const book = this.#books.get(name)
    if (book !== undefined) this.#latestBook = book
    return book
  }

  #book(name: string, symbol: string): Book {
    const known = this.#find(name)
    if (known !== undefined) return known
    const book = { name, market: this.#market(symbol), holding: EMPTY_HOLDING }
    this.#books.set(name, book)
    this.#latestBook = book
    return book
  }

  #market(symbol: string): Market {
    if (this.#latestMarket?.instrument.symbol === symbol) return this.#latestMarket
    const market = this.#markets.get(symbol)
    if (market === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    this.#latestMarket = market
    return market
  }
}
