import { type Amount, add, amountToNumber, subtract, ZERO } from '../domain/amount.ts'
import { bookOf } from '../domain/book-names.ts'
import type { Fill } from '../domain/fill.ts'
import type { FundingPayment } from '../domain/funding-payment.ts'
import { baseAmount, roundToTicks, type Ticks, worthOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Order } from '../domain/order.ts'
import type { Position } from '../domain/position.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import type { Direction } from '../domain/side.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { Balances } from './balances.ts'
import { Contracts, type ContractsState } from './contracts.ts'
import { bookFill, EMPTY_HOLDING, type Holding } from './fill-position.ts'
import { Liquidations } from './liquidations.ts'
import { Orders, type OrdersState } from './orders.ts'
import { reservedBy } from './reservation.ts'

/** What booking a fill led to. */
export interface Booking {
  readonly order: Order
  readonly roundTrips: readonly RoundTrip[]
}

/** The ledger as plain data. */
export interface LedgerState {
  readonly orders: OrdersState
  readonly balances: readonly (readonly [string, Amount])[]
  /** Instruments that have a price, in order of their first one. */
  readonly markets: readonly MarketState[]
  readonly books: readonly BookState[]
  readonly contracts: ContractsState
}

/** What is known of the price of one instrument, as plain data. */
export interface MarketState {
  readonly symbol: string
  readonly close: number
  readonly mark?: Ticks | undefined
  readonly contractMark?: Ticks | undefined
}

/** What one book holds, as plain data. */
export interface BookState {
  readonly name: string
  readonly symbol: string
  readonly holding: Holding
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
  /** The exchange's mark price of a contract, which then counts instead. */
  contractMark: Ticks | undefined
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
  readonly contracts: Contracts
  readonly liquidations: Liquidations
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
  #changes = 0

  constructor(instruments: Iterable<Instrument>, balances: Iterable<readonly [string, Amount]>) {
    this.#markets = new Map(
      [...instruments].map(instrument => [
        instrument.symbol,
        {
          ...{ instrument, close: Number.NaN, mark: undefined, isMarked: false, contractMark: undefined },
          baseEstimate: 0,
        },
      ]),
    )
    for (const [name, market] of this.#markets)
      this.#books.set(name, { name, market, holding: EMPTY_HOLDING })
    this.balances = new Balances(balances)
    const markOf = ({ symbol }: Instrument) => {
      const market = this.#market(symbol)
      return market.contractMark ?? (market.isMarked ? latestOf(market) : undefined)
    }
    this.contracts = new Contracts(this.balances, markOf)
    this.liquidations = new Liquidations(this.contracts, markOf)
  }

  /** The instrument of a symbol; throws `InvariantError` for one that is not traded. */
  instrument(symbol: string): Instrument {
    return this.#market(symbol).instrument
  }

  /** Every instrument of the account. */
  get instruments(): readonly Instrument[] {
    return Array.from(this.#markets.values(), ({ instrument }) => instrument)
  }

  /** Latest price of an instrument on its grid; `undefined` before the first. */
  markOf(symbol: string): Ticks | undefined {
    const market = this.#market(symbol)
    return market.isMarked ? latestOf(market) : undefined
  }

  /** Steps of an instrument that its books hold in one direction, those that point the other way not set off. */
  grossQuantity(symbol: string, direction: Direction): number {
    let gross = 0
    for (const { market, holding } of this.#books.values()) {
      const { position } = holding
      if (position?.direction === direction && market.instrument.symbol === symbol) gross += position.quantity
    }
    return gross
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
    if (instrument.futures === undefined) this.balances.book(instrument, fill)
    else this.#bookContracts(book, fill, order)
    const { holding, roundTrips } = bookFill(instrument, book.holding, fill, order.request)
    book.holding = holding
    this.#changed()
    return { order, roundTrips }
  }

  /** Books a payment of funding on wallet and margin. */
  fund(payment: FundingPayment): void {
    this.contracts.fund(payment)
    this.#changed()
  }

  /** Takes over what the exchange reports of one asset. */
  setBalance(asset: string, amount: Amount): void {
    this.balances.set(asset, amount)
    this.#changed()
  }

  /** Notes the exchange's mark price of a contract; until then, its latest price is its mark price. */
  markContract({ symbol }: Instrument, price: Ticks): void {
    this.#market(symbol).contractMark = price
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

  /** Exact equity in a quote asset: its balance, every marked base at its latest price, and the unrealised profit of contracts. */
  equity(quote: string): Amount {
    let equity = this.balances.of(quote)
    for (const market of this.#marked) {
      const { instrument } = market
      if (instrument.quote !== quote || instrument.futures !== undefined) continue
      equity = add(equity, worthOf(instrument, latestOf(market), this.balances.of(instrument.base)))
    }
    return this.contracts.areNone ? equity : add(equity, this.contracts.unrealized(quote))
  }

  /** Equity with every base at the latest close of its instrument, all of one quote asset, as a double for curves: no bigint between fills. */
  equityAtCloses(quote: string): number {
    if (!this.#areAllEstimated) this.#estimateAll(quote)
    let equity = this.#quoteEstimate
    for (const { baseEstimate, close } of this.#marked) equity += baseEstimate * close
    return equity
  }

  /** Equity of a one-instrument account with its base or its contracts at `price`, as a double for curves: no allocation, no bigint between fills. */
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

  /** What new orders may use of an asset: what neither positions (as margin) nor working orders take. */
  free(asset: string): Amount {
    const taken = this.contracts.taken(asset)
    const owned = this.balances.of(asset)
    const balance = taken === ZERO ? owned : subtract(owned, taken)
    const reserved = this.reserved(asset)
    return reserved === ZERO ? balance : subtract(balance, reserved)
  }

  /** Everything that what happens next depends on. */
  snapshot(): LedgerState {
    const unmarked = [...this.#markets.values()].filter(
      ({ isMarked, contractMark }) => !isMarked && contractMark !== undefined,
    )
    return {
      orders: this.orders.snapshot(),
      balances: this.balances.entries(),
      markets: [...this.#marked, ...unmarked].map(market => ({
        symbol: market.instrument.symbol,
        close: market.close,
        mark: market.isMarked ? latestOf(market) : undefined,
        contractMark: market.contractMark,
      })),
      books: Array.from(this.#books.values(), ({ name, market, holding }) => ({
        name,
        symbol: market.instrument.symbol,
        holding,
      })),
      contracts: this.contracts.snapshot(),
    }
  }

  /** Takes over a snapshot, but for what is empty and of an instrument that this ledger has not; only of use to a ledger that has booked nothing. Throws `InvariantError` where such an instrument is held. */
  restore({ orders, balances, markets, books, contracts }: LedgerState): void {
    this.orders.restore(orders)
    for (const [asset, amount] of balances) this.setBalance(asset, amount)
    for (const { symbol, close, mark, contractMark } of markets) {
      const market = this.#markets.get(symbol)
      if (market === undefined) continue
      if (mark !== undefined) this.mark(market.instrument, mark)
      market.close = close
      market.contractMark = contractMark
    }
    for (const { name, symbol, holding } of books)
      if (holding.position !== undefined || this.#markets.has(symbol))
        this.#book(name, symbol).holding = holding
    this.contracts.restore(contracts, symbol => this.instrument(symbol))
  }

  /** Counts the changes of balances and positions, so that whoever computes something from them knows when to do it again. */
  get changes(): number {
    return this.#changes
  }

  #changed(): void {
    this.#isEstimated = false
    this.#areAllEstimated = false
    this.#changes++
  }

  /** Two sides of one contract never net: what is held long is only closed by orders that say so. */
  #bookContracts({ name, market: { instrument } }: Book, fill: Fill, { request }: Order): void {
    const position = this.contracts.of(name)
    const opposes = position !== undefined && (position.direction === 'long') !== (fill.side === 'buy')
    const isWrong = request.reduceOnly
      ? !opposes || fill.quantity > position.quantity
      : opposes && instrument.futures?.positionMode === 'twoWay'
    if (isWrong) {
      throw new InvariantError(
        `Fill ${fill.id} of order ${request.clientOrderId} would ${request.reduceOnly ? 'close more than' : 'net with'} what ${name} holds.`,
      )
    }
    this.contracts.book(name, instrument, fill)
  }

  #estimate(instrument: Instrument): void {
    const { base, quote, futures } = instrument
    this.#quoteEstimate = amountToNumber(add(this.balances.of(quote), this.#contractCost(quote)))
    this.#baseEstimate = amountToNumber(
      futures === undefined ? this.balances.of(base) : this.#contractSize(instrument),
    )
    this.#isEstimated = true
  }

  #estimateAll(quote: string): void {
    this.#quoteEstimate = amountToNumber(add(this.balances.of(quote), this.#contractCost(quote)))
    for (const market of this.#markets.values()) {
      const { instrument } = market
      market.baseEstimate = amountToNumber(
        instrument.futures === undefined ? this.balances.of(instrument.base) : this.#contractSize(instrument),
      )
    }
    this.#areAllEstimated = true
  }

  /** What contracts are worth in quote beside their size: shorts were sold for it, longs cost it. */
  #contractCost(quote: string): Amount {
    let cost = ZERO
    for (const { instrument, position } of this.contracts.held) {
      if (instrument.quote !== quote) continue
      cost = position.direction === 'long' ? subtract(cost, position.cost) : add(cost, position.cost)
    }
    return cost
  }

  /** Base of all contracts of an instrument; negative is short. */
  #contractSize({ symbol }: Instrument): Amount {
    let size = ZERO
    for (const { instrument, position } of this.contracts.held) {
      if (instrument.symbol !== symbol) continue
      const base = baseAmount(instrument, position.quantity)
      size = position.direction === 'long' ? add(size, base) : subtract(size, base)
    }
    return size
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

/** The latest price of a market that has one. */
function latestOf(market: Market): Ticks {
  market.mark ??= roundToTicks(market.instrument, market.close, 'nearest')
  return market.mark
}
