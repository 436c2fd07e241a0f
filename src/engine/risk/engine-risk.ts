import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { FundingPayment } from '../../domain/events/funding-payment.ts'
import type { TradingCommanded, TradingEvent, TradingRestored } from '../../domain/events/trading-event.ts'
import { scopeKey, type TradingScope } from '../../domain/events/trading-hold.ts'
import { type Amount, add, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { notionalOf, type Ticks } from '../../domain/numbers/grid.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { Position } from '../../domain/position.ts'
import type { RoundTrip } from '../../domain/round-trip.ts'
import { InvariantError, UsageError } from '../../domain/sluice-error.ts'
import type { Booking, Ledger } from '../../ledger/ledger.ts'
import type { FreshPrices } from '../../ledger/market-prices.ts'
import type { RiskFact } from '../../risk/protections/protection.ts'
import type { RiskRules } from '../../risk/risk-rules.ts'
import { RiskScope, type RiskScopeSnapshot } from '../../risk/risk-scope.ts'
import type { EngineOptions } from '../engine-options.ts'
import { PositionBooks } from '../position-books.ts'
import type { TradedMarket } from '../traded-markets.ts'
import { StrategyRisk } from './strategy-risk.ts'

/** State of risk of a whole engine, as plain data. */
export interface EngineRiskSnapshot {
  /** By the text of their scope. */
  readonly scopes: Readonly<Record<string, RiskScopeSnapshot>>
  readonly untradable: readonly string[]
  /** Realised profit of strategies, by scope, and its part of trades still open, by book; in quote. */
  readonly earned: Readonly<Record<string, Amount>>
  readonly openTrades: Readonly<Record<string, Amount>>
}

/** Prices between two klines. */
export interface PricesBetween extends FreshPrices {
  /** Latest trade price, also of a contract; `undefined` if only the ledger has one. */
  lastOf(symbol: string): Ticks | undefined
}

/** Risk state of one strategy's book on one instrument; a strategy with roles has several. */
interface BookRisk {
  readonly symbol: string
  /** The instruments with data that its strategy decides by. */
  readonly follows: readonly string[]
  readonly books: PositionBooks
  readonly scope: RiskScope
  readonly risk: StrategyRisk
  /** Realised profit of round trips and funding, in quote. */
  earned: Amount
  /** Realised profit of trades still open, by book, in quote. */
  readonly openTrades: Map<string, Amount>
}

/** The trading states, protections and limits of everything that one engine trades. */
export class EngineRisk {
  readonly #ledger: Ledger
  readonly #account: RiskScope
  readonly #instruments = new Map<string, RiskScope>()
  readonly #bookRisks: readonly BookRisk[]
  /** Quote asset of the account's result. */
  readonly #quote: string
  /** Cancels the resting entries of a scope. */
  readonly #cancelEntries: (scope: TradingScope, out: EngineOutput[]) => void
  /** True if any protection is configured. */
  readonly isWatching: boolean
  #nextEnd = Number.POSITIVE_INFINITY

  /**
   * Throws `UsageError` for an account's daily loss or drawdown where its instruments have several quote
   * assets.
   */
  constructor(
    { ledger, risk, checks }: EngineOptions,
    traded: readonly TradedMarket[],
    cancelEntries: (scope: TradingScope, out: EngineOutput[]) => void,
  ) {
    this.#ledger = ledger
    this.#cancelEntries = cancelEntries
    this.#account = new RiskScope({}, risk)
    const quotes = new Set(traded.map(({ symbol }) => ledger.instrument(symbol).quote))
    requireOneQuote(risk, quotes)
    this.#quote = quotes.values().next().value ?? ''
    this.#bookRisks = traded.map(({ symbol, book, strategy, risk: rules, follows }) => {
      const instrument = this.#instruments.get(symbol) ?? new RiskScope({ symbol })
      this.#instruments.set(symbol, instrument)
      const scope = new RiskScope({ symbol, strategy, book }, rules)
      const held = new StrategyRisk(this.#account, instrument, scope, checks)
      const own = new PositionBooks(ledger.instrument(symbol), book)
      return { symbol, follows, books: own, scope, risk: held, earned: ZERO, openTrades: new Map() }
    })
    this.isWatching = [...this.scopes].some(scope => scope.isWatching)
  }

  /** Time at which the next hold ends by itself, ms UTC; infinite if none does. */
  get nextEnd(): number {
    return this.#nextEnd
  }

  /** Every scope: the account, each instrument, each strategy. */
  get scopes(): readonly RiskScope[] {
    return [this.#account, ...this.#instruments.values(), ...this.#bookRisks.map(({ scope }) => scope)]
  }

  /** Risk of the `index`-th traded market. */
  riskOf(index: number): StrategyRisk {
    const bookRisk = this.#bookRisks[index]
    if (bookRisk === undefined) throw new InvariantError(`There is no market ${index}.`)
    return bookRisk.risk
  }

  /** Ends expired holds; `now` is market time, ms UTC. */
  end(now: number, out: EngineOutput[]): void {
    if (now < this.#nextEnd) return
    for (const scope of this.scopes) this.#change(scope, now, out, () => scope.state.end(now))
  }

  /**
   * True if a daily loss or a drawdown would act at prices newer than the ledger's, or first needs a
   * reference. Never before every instrument has a price. `time` is ms UTC.
   */
  isDue(prices: PricesBetween, time: number): boolean {
    if (!this.scopes.some(({ watchesWorth }) => watchesWorth)) return false
    const ledger = this.#ledger
    const markOf = (symbol: string) => prices.lastOf(symbol) ?? ledger.markOf(symbol)
    if (ledger.instruments.some(({ symbol }) => markOf(symbol) === undefined)) return false
    const type = 'marked' as const
    const equity = ledger.equity(this.#quote, prices)
    if (this.#account.isDue({ type, result: equity, equity, time })) return true
    return this.#bookRisks.some(bookRisk => {
      if (!bookRisk.scope.watchesWorth) return false
      const own = ledger.equity(ledger.instrument(bookRisk.symbol).quote, prices)
      const result = add(bookRisk.earned, this.#unrealised(bookRisk, markOf(bookRisk.symbol)))
      return bookRisk.scope.isDue({ type, result, equity: own, time })
    })
  }

  /**
   * Applies protections to the ledger's latest price of an instrument; without a symbol, to those of all. `follows`: see
   * `Marked`.
   */
  mark(symbol: string | undefined, time: number, out: EngineOutput[], follows = false): void {
    const type = 'marked' as const
    const equity = this.#ledger.equity(this.#quote)
    if (this.#account.isWatching) {
      this.#show(this.#account, { type, result: equity, equity, time, follows }, time, out)
    }
    for (const bookRisk of this.#bookRisks) {
      if ((symbol !== undefined && bookRisk.symbol !== symbol) || !bookRisk.scope.isWatching) continue
      const own = this.#ledger.equity(this.#ledger.instrument(bookRisk.symbol).quote)
      const result = add(bookRisk.earned, this.#unrealised(bookRisk, this.#ledger.markOf(bookRisk.symbol)))
      this.#show(bookRisk.scope, { type, result, equity: own, time, follows }, time, out)
    }
  }

  /** Applies protections to a booked fill; `knownAt`: see `Filled`. Their pauses begin once it is known. */
  book(fill: Fill, { order, roundTrips }: Booking, knownAt: number | undefined, out: EngineOutput[]): void {
    if (roundTrips.length === 0) return
    const time = knownAt ?? fill.time
    const bookRisk = this.#bookRiskOf(order.request)
    const facts = [
      { type: 'exited', purpose: order.request.purpose, time } as const,
      ...this.#closedTrade(bookRisk, bookOf(order.request), roundTrips, time),
    ]
    for (const scope of [this.#account, bookRisk.scope]) {
      for (const fact of facts) this.#show(scope, fact, time, out)
    }
    this.mark(fill.symbol, time, out, knownAt === undefined)
  }

  /** Subtracts a funding payment from the profit of its strategy. */
  payFunding({ book, symbol, amount }: FundingPayment): void {
    const bookRisk = this.#bookRiskOf({ book, symbol })
    bookRisk.earned = subtract(bookRisk.earned, amount)
  }

  /**
   * Runs a change that deposits or withdraws money, which daily loss and drawdown do not count as a result.
   */
  fund(change: () => void): void {
    if (!this.#account.isWatching) {
      change()
      return
    }
    const before = this.#ledger.equity(this.#quote)
    change()
    this.#account.observe({ type: 'funded', amount: subtract(this.#ledger.equity(this.#quote), before) })
  }

  /** Processes an event for risk alone; the caller does any flattening. */
  apply(event: TradingEvent, out: EngineOutput[]): void {
    switch (event.type) {
      case 'tradingCommanded':
        this.#obey(event, out)
        break
      case 'tradingRestored':
        this.#restoreHolds(event, out)
        break
      case 'instrumentStatusSeen':
        for (const { symbol, risk } of this.#bookRisks) {
          if (symbol === event.symbol) risk.isTradable = event.isTradable
        }
        break
      case 'clockMeasured':
        for (const scope of this.scopes) this.#show(scope, event, event.time, out)
        break
      default:
        this.#show(this.#account, event, event.time, out)
        for (const { follows, scope } of this.#bookRisks) {
          if (follows.includes(event.symbol)) this.#show(scope, event, event.time, out)
        }
    }
  }

  snapshot(): EngineRiskSnapshot {
    return {
      scopes: Object.fromEntries(this.scopes.map(scope => [scopeKey(scope.scope), scope.snapshot()])),
      untradable: this.#bookRisks.filter(({ risk }) => !risk.isTradable).map(({ symbol }) => symbol),
      earned: Object.fromEntries(this.#bookRisks.map(({ scope, earned }) => [scopeKey(scope.scope), earned])),
      openTrades: Object.fromEntries(this.#bookRisks.flatMap(({ openTrades }) => [...openTrades])),
    }
  }

  /** Restores a snapshot, as far as its scopes are still configured. */
  restore({ scopes, untradable, earned, openTrades }: EngineRiskSnapshot): void {
    for (const scope of this.scopes) {
      const known = scopes[scopeKey(scope.scope)]
      if (known !== undefined) scope.restore(known)
    }
    for (const bookRisk of this.#bookRisks) {
      bookRisk.risk.isTradable = !untradable.includes(bookRisk.symbol)
      bookRisk.earned = earned[scopeKey(bookRisk.scope.scope)] ?? ZERO
      for (const book of bookRisk.books.all) {
        const pnl = openTrades[book]
        if (pnl !== undefined) bookRisk.openTrades.set(book, pnl)
      }
    }
    this.#plan()
  }

  #obey({ command, by, symbol, until, reason, renews, time }: TradingCommanded, out: EngineOutput[]): void {
    if (command === 'flatten') return
    const order = { command, by, until, reason, renews, time } as const
    for (const scope of this.#commanded(symbol, command === 'resume'))
      this.#change(scope, time, out, () => scope.command(order))
  }

  /** Scopes of a command; resuming an instrument also resumes its strategies. */
  #commanded(symbol: string | undefined, resumes: boolean): readonly RiskScope[] {
    if (symbol === undefined) return [this.#account]
    const instrument = this.#instruments.get(symbol)
    if (instrument === undefined) throw new InvariantError(`No strategy trades ${symbol}.`)
    const strategies = this.#bookRisks
      .filter(bookRisk => bookRisk.symbol === symbol)
      .map(({ scope }) => scope)
    return resumes ? [instrument, ...strategies] : [instrument]
  }

  #restoreHolds({ holds, time }: TradingRestored, out: EngineOutput[]): void {
    for (const scope of this.scopes) {
      const name = scopeKey(scope.scope)
      const own = holds.filter(held => scopeKey(held.scope) === name).map(({ hold }) => hold)
      this.#change(scope, time, out, () => scope.restoreHolds(own))
    }
    this.end(time, out)
  }

  #show(scope: RiskScope, fact: RiskFact, time: number, out: EngineOutput[]): void {
    if (scope.isWatching) this.#change(scope, time, out, () => scope.observe(fact))
  }

  /** Reports a change of the mode; a stricter mode also cancels resting entries. */
  #change(scope: RiskScope, time: number, out: EngineOutput[], change: () => boolean): void {
    const before = scope.state.mode
    if (!change()) return
    this.#plan()
    const { mode, holds } = scope.state
    out.push({ type: 'tradingStateChanged', scope: scope.scope, before, mode, holds, time })
    if (mode !== before && mode !== 'active') this.#cancelEntries(scope.scope, out)
  }

  #plan(): void {
    this.#nextEnd = Math.min(...this.scopes.map(({ state }) => state.nextEnd))
  }

  #bookRiskOf(request: Pick<OrderRequest, 'symbol' | 'book'>): BookRisk {
    const bookRisk = this.#bookRisks.find(({ books }) => books.has(request))
    if (bookRisk === undefined) throw new InvariantError(`No strategy trades in the book ${bookOf(request)}.`)
    return bookRisk
  }

  /** A trade ends once its position is flat, or has reversed. */
  #closedTrade(
    bookRisk: BookRisk,
    book: string,
    roundTrips: readonly RoundTrip[],
    time: number,
  ): readonly RiskFact[] {
    let pnl = ZERO
    for (const roundTrip of roundTrips) pnl = add(pnl, roundTrip.pnl)
    bookRisk.earned = add(bookRisk.earned, pnl)
    const whole = add(bookRisk.openTrades.get(book) ?? ZERO, pnl)
    const isOpen = this.#ledger.position(book)?.direction === roundTrips[0]?.direction
    if (isOpen) bookRisk.openTrades.set(book, whole)
    else bookRisk.openTrades.delete(book)
    return isOpen ? [] : [{ type: 'tradeClosed', pnl: whole, time }]
  }

  /** Unrealised profit of open lots at the latest price, less their fees, in quote. */
  #unrealised({ symbol, books }: BookRisk, mark: Ticks | undefined): Amount {
    let profit = ZERO
    if (mark === undefined) return profit
    const instrument = this.#ledger.instrument(symbol)
    for (const { direction, lots } of this.#positionsIn(books)) {
      for (const { price, quantity, fee } of lots) {
        const gain = subtract(notionalOf(instrument, mark, quantity), notionalOf(instrument, price, quantity))
        profit = subtract(direction === 'long' ? add(profit, gain) : subtract(profit, gain), fee)
      }
    }
    return profit
  }

  #positionsIn(books: PositionBooks): readonly Position[] {
    return books.all.map(book => this.#ledger.position(book)).filter(position => position !== undefined)
  }
}

function requireOneQuote(risk: RiskRules | undefined, quotes: ReadonlySet<string>): void {
  const { dailyLoss, drawdown } = risk?.protections ?? {}
  if (quotes.size < 2 || (dailyLoss === undefined && drawdown === undefined)) return
  throw new UsageError(
    `The account's dailyLoss and drawdown need one quote asset, but the strategies trade against ${[...quotes].join(', ')}; give them to the strategies instead.`,
  )
}
