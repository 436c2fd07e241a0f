import { rulesOf } from '../domain/account-rules.ts'
import { bookOf, hasTwoBooks } from '../domain/book-names.ts'
import type { FundingPayment } from '../domain/events/funding-payment.ts'
import type { AccountType, Instrument } from '../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, steps, type Ticks } from '../domain/numbers/grid.ts'
import { WorthSum } from '../domain/numbers/worth-sum.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { Order } from '../domain/orders/order.ts'
import { isForcedClose } from '../domain/orders/order-intent.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { Direction } from '../domain/orders/side.ts'
import type { Position } from '../domain/position.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { AccountBalances, type AccountState, type OpeningBalances } from './account-balances.ts'
import { Balances } from './balances.ts'
import { type Book, type BookState, Books } from './books.ts'
import { Contracts, type ContractsState } from './contracts.ts'
import { costBasisOfRemainder } from './cost-basis-of-remainder.ts'
import { EquityEstimate } from './equity-estimate.ts'
import { bookFill } from './fill-position.ts'
import { Liquidations } from './liquidations.ts'
import { type FreshPrices, type LedgerMarket, MarketPrices, type MarketState } from './market-prices.ts'
import { Orders, type OrdersState } from './orders.ts'
import { OwnedBases } from './owned-bases.ts'
import { reservedBy } from './reservation.ts'

/** Result of a booked fill. */
export interface Booking {
  readonly order: Order
  readonly roundTrips: readonly RoundTrip[]
}

/** The ledger as plain data. */
export interface LedgerState {
  readonly orders: OrdersState
  readonly accounts: readonly AccountState[]
  /** Instruments that have a price, in order of their first one. */
  readonly markets: readonly MarketState[]
  readonly books: readonly BookState[]
  readonly contracts: ContractsState
}

/**
 * One account, or one of each type, computed from own orders and fills: orders, positions, balances, equity.
 * A trade affects only its own account; equity is the sum of all.
 */
export class Ledger {
  readonly orders: Orders
  /** Balances of the accounts, together and each by itself. */
  readonly balances: AccountBalances
  readonly contracts: Contracts
  readonly liquidations: Liquidations
  /** Quote that backs contracts. */
  readonly #wallet: Balances
  readonly #prices: MarketPrices
  readonly #books: Books
  readonly #bases: OwnedBases
  readonly #estimate: EquityEstimate
  /** Of the futures account alone. */
  readonly #futuresEstimate: EquityEstimate
  #changes = 0

  /**
   * Throws `InvariantError` for the balances of one account where there are instruments of several. `rememberedOrders`: see
   * `Orders`.
   */
  constructor(instruments: Iterable<Instrument>, balances: OpeningBalances, rememberedOrders?: number) {
    this.orders = new Orders(rememberedOrders)
    this.#prices = new MarketPrices(instruments)
    this.#books = new Books(this.#prices)
    const types = this.instruments.map(({ accountType }) => accountType)
    this.balances = new AccountBalances(balances, types)
    const markOf = ({ symbol }: Instrument) => this.#prices.markOf(this.#prices.of(symbol))
    const contract = this.instruments.find(instrument => rulesOf(instrument).holdsContracts)
    this.#wallet = contract === undefined ? new Balances() : this.balances.in(contract.accountType)
    this.contracts = new Contracts(this.#wallet, markOf)
    this.liquidations = new Liquidations(this.contracts, markOf)
    this.#bases = new OwnedBases(this.balances, this.#prices)
    const parts = [this.balances, this.contracts, this.#prices, this.#bases] as const
    this.#estimate = new EquityEstimate(...parts)
    this.#futuresEstimate = new EquityEstimate(...parts, this.#wallet)
  }

  /** The instrument of a symbol; throws `InvariantError` for one that is not traded. */
  instrument(symbol: string): Instrument {
    return this.#prices.of(symbol).instrument
  }

  /** Every instrument of the accounts. */
  get instruments(): readonly Instrument[] {
    return this.#prices.all.map(({ instrument }) => instrument)
  }

  /** Latest price of an instrument on its grid; `undefined` before the first. */
  markOf(symbol: string): Ticks | undefined {
    return this.#prices.latest(this.#prices.of(symbol))
  }

  /**
   * The mark price of a contract, the exchange's or else the latest price; of another instrument the latest
   * price. `undefined` before the first.
   */
  markPriceOf(symbol: string): Ticks | undefined {
    return this.#prices.markOf(this.#prices.of(symbol))
  }

  /** Steps of an instrument held in one direction over all books, without netting the opposite direction. */
  grossQuantity(symbol: string, direction: Direction): number {
    return this.#books.grossQuantity(symbol, direction)
  }

  /** Signed steps that all books of an instrument hold together; negative is short. */
  netQuantity(symbol: string): number {
    return this.#books.netQuantity(symbol)
  }

  /** The position of a book (by default an instrument's symbol); `undefined` when flat. */
  position(book: string): Position | undefined {
    return this.#books.find(book)?.holding.position
  }

  /** Open positions of an instrument, one of each book. */
  positionsOf(symbol: string): readonly Position[] {
    return this.#books.positionsOf(symbol)
  }

  /** Base owned in a book: its position, and the remainder of fees in base below one step. */
  ownedBase(book: string): Amount {
    const known = this.#books.find(book)
    if (known === undefined) return ZERO
    const { position, dust } = known.holding
    return position === undefined ? dust : add(baseAmount(known.market.instrument, position.quantity), dust)
  }

  /** Books a fill on order, position and the balances of its account; `undefined` for a fill that was booked before. */
  book(fill: Fill): Booking | undefined {
    const order = this.orders.fill(fill)
    if (order === undefined) return undefined
    const { request } = order
    const book = this.#books.of(bookOf(request), fill.symbol)
    const { instrument } = book.market
    if (rulesOf(instrument).holdsContracts) this.#bookContracts(book, fill, request)
    else this.balances.in(instrument.accountType).book(instrument, fill)
    const { holding, roundTrips } = bookFill(instrument, book.holding, fill, request)
    book.holding = holding
    const isOwnFee = fill.feeAsset === instrument.quote || fill.feeAsset === instrument.base
    this.#changed(isOwnFee ? book.market : undefined)
    return { order, roundTrips }
  }

  /** Books a payment of funding on wallet and margin. */
  fund(payment: FundingPayment): void {
    this.contracts.fund(payment, this.instrument(payment.symbol))
    this.#changed()
  }

  /** Adopts the exchange's balance of one asset; without `account`, of the only one. */
  setBalance(asset: string, amount: Amount, account?: AccountType): void {
    this.balances.in(account).set(asset, amount)
    this.#changed()
  }

  /** Adopts the exchange's notional of a contract position at its entry prices, in quote. */
  setCost(book: string, cost: Amount): void {
    this.contracts.setCost(book, cost)
    this.#changed()
  }

  /** Sets the exchange's mark price of a contract; until then, its latest price is its mark price. */
  markContract({ symbol }: Instrument, price: Ticks): void {
    this.#prices.of(symbol).contractMark = price
  }

  /** Sets the latest price of an instrument. */
  mark({ symbol }: Instrument, price: Ticks): void {
    this.#prices.mark(this.#prices.of(symbol), price)
  }

  /**
   * Notes the close of a kline (quote per base) as the latest price; rounded to the grid on the next read of
   * equity.
   */
  observeClose(symbol: string, close: number): void {
    this.observeCloseOf(this.marketOf(symbol), close)
  }

  /** The same of a market that was looked up before. */
  observeCloseOf(market: LedgerMarket, close: number): void {
    this.#prices.observeClose(market, close)
  }

  /** The prices of an instrument; throws `InvariantError` for one that is not traded. */
  marketOf(symbol: string): LedgerMarket {
    return this.#prices.of(symbol)
  }

  /** The latest close that was noted, or the mark price of a contract, quote per base; `NaN` before the first. */
  lastClose(symbol: string): number {
    return this.#prices.closeOf(this.#prices.of(symbol))
  }

  /**
   * Exact equity of all accounts in a quote asset: its balances, every base that has a price, and the unrealised profit of
   * contracts; at `prices`, else at the latest price, contracts at their mark price.
   */
  equity(quote: string, prices?: FreshPrices): Amount {
    const equity = new WorthSum(this.balances.of(quote))
    for (const market of this.#prices.all) {
      const { instrument } = market
      if (instrument.quote !== quote || rulesOf(instrument).holdsContracts) continue
      const price = prices?.priceOf(instrument.symbol) ?? this.#prices.latest(market)
      if (price !== undefined) this.#bases.addWorth(market, price, equity)
    }
    if (this.contracts.areNone) return equity.total
    const markOf = prices && (({ symbol }: Instrument) => prices.priceOf(symbol) ?? this.markPriceOf(symbol))
    return add(equity.total, this.contracts.unrealized(quote, markOf))
  }

  /** Equity with every base at the latest close of its instrument, all of one quote asset, as a double for curves: no bigint between fills. */
  equityAtCloses(quote: string): number {
    return this.#estimate.atCloses(quote)
  }

  /** The same of the futures account alone. */
  futuresEquityAtCloses(quote: string): number {
    return this.#futuresEstimate.atCloses(quote)
  }

  /**
   * Equity of a ledger with one instrument, with its base or its contracts at `price`, as a double for
   * curves: no allocation, no bigint between fills.
   */
  equityAt({ symbol }: Instrument, price: number): number {
    return this.#estimate.at(this.#prices.of(symbol), price)
  }

  /**
   * `equityAt` for the prices at `from` to `to - 1`, without bookings between them; written to the same
   * indices of `equity`.
   */
  noteEquity(
    { symbol }: Instrument,
    prices: Float64Array,
    from: number,
    to: number,
    equity: Float64Array,
  ): void {
    this.#estimate.note(this.#prices.of(symbol), prices, from, to, equity)
  }

  /** Amount of an asset reserved by working orders in an account, by default the only one. */
  reserved(asset: string, account?: AccountType): Amount {
    let reserved = ZERO
    for (const order of this.orders.working) {
      const instrument = this.instrument(order.request.symbol)
      if (account !== undefined && instrument.accountType !== account) continue
      reserved = add(reserved, reservedBy(instrument, order, asset))
    }
    return reserved
  }

  /**
   * Amount of an asset available for new orders in an account, by default the only one: the balance less the
   * margin of positions and the reserves of working orders.
   */
  free(asset: string, account?: AccountType): Amount {
    const balances = this.balances.in(account)
    const taken = balances === this.#wallet ? this.contracts.taken(asset) : ZERO
    return subtract(subtract(balances.of(asset), taken), this.reserved(asset, account))
  }

  /** All state of later results. */
  snapshot(): LedgerState {
    return {
      orders: this.orders.snapshot(),
      accounts: this.balances.snapshot(),
      markets: this.#prices.snapshot(),
      books: this.#books.snapshot(),
      contracts: this.contracts.snapshot(),
    }
  }

  /**
   * Restores a snapshot into a ledger without bookings. Skips empty books of unknown instruments; throws
   * `InvariantError` if such a book has a position.
   */
  restore({ orders, accounts, markets, books, contracts }: LedgerState): void {
    this.orders.restore(orders)
    this.balances.restore(accounts)
    this.#prices.restore(markets)
    this.#books.restore(books)
    this.contracts.restore(contracts, symbol => this.instrument(symbol))
    this.#changed()
  }

  /** Count of changes of balances and positions, to invalidate cached results. */
  get changes(): number {
    return this.#changes
  }

  /**
   * Invalidates cached equity after a booking: of an instrument's assets and contracts, or of everything
   * without one.
   */
  #changed(market?: LedgerMarket): void {
    this.#bases.forget(market)
    this.#estimate.forget(market)
    this.#futuresEstimate.forget(market)
    this.#changes++
  }

  /** Long and short of one contract never net: a long is closed only by an order that says so. */
  #bookContracts({ name, market: { instrument } }: Book, fill: Fill, request: OrderRequest): void {
    const position = this.contracts.of(name)
    const opposes = position !== undefined && (position.direction === 'long') !== (fill.side === 'buy')
    const isWrong = request.reduceOnly
      ? !opposes || fill.quantity > position.quantity
      : opposes && hasTwoBooks(instrument)
    if (isWrong) {
      throw new InvariantError(
        `Fill ${fill.id} of order ${request.clientOrderId} would ${request.reduceOnly ? 'close more than' : 'net with'} what ${name} holds.`,
      )
    }
    if (!isForcedClose(request.purpose) || position === undefined) {
      this.contracts.book(name, instrument, fill)
      return
    }
    const rest = steps(position.quantity - fill.quantity)
    const lots = this.position(name)?.lots
    this.contracts.book(
      name,
      instrument,
      fill,
      costBasisOfRemainder(instrument, position, lots, fill.time, rest),
    )
  }
}
