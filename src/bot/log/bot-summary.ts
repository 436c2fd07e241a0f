import type { Notice } from '../../domain/events/engine-output.ts'
import { scopeText, type TradingMode } from '../../domain/events/trading-hold.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { quantityText } from '../../domain/numbers/grid.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { FreshPrices } from '../../ledger/market-prices.ts'
import {
  type AccountEquity,
  type AccountMoves,
  type MovedAmounts,
  movedSince,
} from '../state/account-moves.ts'
import { booksOf } from '../state/books-of.ts'
import {
  type LivePrices,
  type OpenCost,
  openCost,
  type PositionStatus,
  positionStatus,
} from '../text/position-status.ts'
import { openResultOf, StartWorth } from './start-worth.ts'
import type { StoppedSummary } from './stopped-strategy.ts'

/** Results of a run; quantities and money as exact decimal text. */
export interface BotSummary {
  /** False where the bot ended before the end of its orders was confirmed, or before `execution.onStop: flatten` had closed everything. */
  readonly complete: boolean
  readonly klines: number
  readonly signals: number
  readonly denials: number
  /** Orders that were submitted. */
  readonly orders: number
  readonly rejections: number
  readonly fills: number
  readonly roundTrips: number
  /** Number of changes of the trading mode. */
  readonly tradingChanges: number
  /** Trading mode at the end: of the account, of every other scope with a hold, and of every halted instrument. */
  readonly trading: Readonly<Record<string, TradingMode>>
  /** Open positions by book (the symbol, unless several strategies trade it); negative is short. */
  readonly position: Readonly<Record<string, string>>
  /** The same with prices and results; books that are flat are absent. */
  readonly held: readonly PositionStatus[]
  /**
   * Change of equity since this start less `moved`, by quote asset. Start and end count at live prices: `realised` and
   * `open` less `funding`, and `other`, add up to it.
   */
  readonly profit: Readonly<Record<string, string>>
  /** Result of the round trips that the run closed, after fees, by quote asset. */
  readonly realised: Readonly<Record<string, string>>
  /** Change of the results of open positions, after entry fees, by quote asset. */
  readonly open: Readonly<Record<string, string>>
  /** The rest of `profit`, by quote asset: prices of holdings that are no position, and fees in other assets. */
  readonly other: Readonly<Record<string, string>>
  /** Moved in (negative: out) or traded by others on the account since this start, by quote asset: no result of this bot. */
  readonly moved: Readonly<Record<string, string>>
  /** Fees of the run's fills, by asset. */
  readonly fees: Readonly<Record<string, string>>
  /** Funding paid during the run, by quote asset; negative was received. */
  readonly funding: Readonly<Record<string, string>>
  /** The part of it that was derived from the wallet, because the exchange lists no payments; absent if there is none. */
  readonly derivedFunding?: Readonly<Record<string, string>>
  /** Everything owned at the latest prices, by quote asset. */
  readonly equity: Readonly<Record<string, string>>
  readonly balances: Readonly<Record<string, string>>
  /** Stopped strategies: they threw, ended, or their instrument was halted. */
  readonly stopped: readonly StoppedSummary[]
  /** Open positions and orders still resting at the exchange, in whole sentences. */
  readonly leftBehind: string
}

type Summed = Pick<Engine, 'ledger' | 'runners' | 'risk'>

/** Counts events, and summarizes them. */
export class RunCounter {
  readonly #ledger: Ledger
  readonly #start: StartWorth
  readonly #moves: Pick<AccountMoves, 'total'>
  readonly #movedBefore: MovedAmounts
  readonly #realised = new Map<string, Amount>()
  readonly #fees = new Map<string, Amount>()
  readonly #funding = new Map<string, Amount>()
  readonly #derivedFunding = new Map<string, Amount>()
  #klines = 0
  #signals = 0
  #denials = 0
  #orders = 0
  #rejections = 0
  #fills = 0
  #roundTrips = 0
  #tradingChanges = 0

  /** The run begins now. */
  constructor(engine: Pick<Engine, 'ledger' | 'runners'>, moves: Pick<AccountMoves, 'total'>) {
    this.#ledger = engine.ledger
    this.#start = new StartWorth(engine.ledger, openCostsOf(engine))
    this.#moves = moves
    this.#movedBefore = moves.total
  }

  /** Moved in or out of the account since the run began, by quote asset. */
  get moved(): MovedAmounts {
    return movedSince(this.#movedBefore, this.#moves.total)
  }

  /** Values the starting positions at the first price of each instrument; returns true once all have one. */
  observePrices(prices: FreshPrices): boolean {
    return this.#start.observe(prices)
  }

  /** A kline of an instrument was processed. */
  countKline(symbol: string): void {
    this.#klines++
    this.#start.observe({ priceOf: of => (of === symbol ? this.#ledger.markPriceOf(of) : undefined) })
  }

  count(notice: Notice): void {
    switch (notice.type) {
      case 'signaled':
        this.#signals++
        break
      case 'denied':
        this.#denials++
        break
      case 'fillBooked':
        this.#fills++
        sum(this.#fees, notice.fill.feeAsset, notice.fill.fee)
        break
      case 'roundTripClosed':
        this.#roundTrips++
        sum(this.#realised, this.#quoteOf(notice.roundTrip), notice.roundTrip.pnl)
        break
      case 'fundingBooked':
        sum(this.#funding, this.#quoteOf(notice.payment), notice.payment.amount)
        if (notice.payment.derived === true)
          sum(this.#derivedFunding, this.#quoteOf(notice.payment), notice.payment.amount)
        break
      case 'tradingStateChanged':
        this.#tradingChanges++
        break
      case 'orderChanged':
        if (notice.order.status === 'submitted') this.#orders++
        else if (notice.order.status === 'rejected') this.#rejections++
    }
  }

  /** The counts so far and the account as the ledger has it. */
  summary(
    { ledger, runners, risk }: Summed,
    instruments: Iterable<Instrument>,
    prices: LivePrices,
    halted: ReadonlyMap<string, string>,
  ): Omit<BotSummary, 'complete' | 'leftBehind' | 'stopped'> {
    const quotes = quotesOf([...instruments])
    const known = { priceOf: (of: string) => prices.priceOf(of) ?? ledger.markPriceOf(of) }
    const ends = openCostsOf({ ledger, runners })
    const { moved } = this
    const parts = quotes.map(quote => {
      const change = subtract(ledger.equity(quote, prices), this.#start.equity(quote, known))
      const profit = subtract(change, moved.get(quote) ?? ZERO)
      const open = subtract(openResultOf(ends, quote, known), this.#start.openResult(quote, known))
      const realised = subtract(this.#realised.get(quote) ?? ZERO, this.#funding.get(quote) ?? ZERO)
      return { quote, profit, open, other: subtract(profit, add(realised, open)) }
    })
    return {
      klines: this.#klines,
      signals: this.#signals,
      denials: this.#denials,
      orders: this.#orders,
      rejections: this.#rejections,
      fills: this.#fills,
      roundTrips: this.#roundTrips,
      tradingChanges: this.#tradingChanges,
      trading: Object.fromEntries([
        ...risk.scopes
          .filter(({ scope, state }) => scope.symbol === undefined || state.mode !== 'active')
          .map(({ scope, state }) => [scopeText(scope), state.mode] as const),
        ...[...halted.keys()].map(symbol => [symbol, 'halted'] as const),
      ]),
      position: positionTexts({ ledger, runners }),
      held: heldPositions({ ledger, runners }, prices),
      profit: texts(parts.map(({ quote, profit }) => [quote, profit])),
      realised: texts(this.#realised),
      open: texts(parts.map(({ quote, open }) => [quote, open])),
      other: texts(parts.map(({ quote, other }) => [quote, other])),
      moved: texts(quotes.map(quote => [quote, moved.get(quote) ?? ZERO])),
      fees: texts(this.#fees),
      funding: texts(this.#funding),
      ...(this.#derivedFunding.size > 0 && { derivedFunding: texts(this.#derivedFunding) }),
      equity: texts(quotes.map(quote => [quote, ledger.equity(quote, prices)])),
      balances: texts(ledger.balances.entries()),
    }
  }

  #quoteOf({ symbol }: { readonly symbol: string }): string {
    return this.#ledger.instrument(symbol).quote
  }
}

function sum(amounts: Map<string, Amount>, asset: string, amount: Amount): void {
  amounts.set(asset, add(amounts.get(asset) ?? ZERO, amount))
}

/** Every quote asset once. */
export function quotesOf(instruments: readonly Instrument[]): readonly string[] {
  return [...new Set(instruments.map(({ quote }) => quote))]
}

/** Everything owned at these prices, by quote asset, as exact text. */
export function equityTexts(ledger: Ledger, prices: FreshPrices): Readonly<Record<string, string>> {
  return texts(quotesOf(ledger.instruments).map(quote => [quote, ledger.equity(quote, prices)]))
}

/** Everything owned at these prices, and what of it was moved in or out. */
export function accountEquity(ledger: Ledger, prices: FreshPrices, moved: MovedAmounts): AccountEquity {
  return { equity: equityTexts(ledger, prices), moved: texts(moved) }
}

/** Amounts by asset, as exact text. */
export function texts(amounts: Iterable<readonly [string, Amount]>): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(amounts, ([asset, amount]) => [asset, amountToText(amount)]))
}

/** Position of every book, as exact text, negative is short; with both sides open, each by itself. */
export function positionTexts(engine: Pick<Engine, 'ledger' | 'runners'>): Readonly<Record<string, string>> {
  const books = booksOf(engine)
  return Object.fromEntries(
    books.map(({ name, instrument }) => [name, positionText(engine.ledger, name, instrument)]),
  )
}

/** Books with open positions, with prices and results. */
export function heldPositions(
  engine: Pick<Engine, 'ledger' | 'runners'>,
  prices: LivePrices,
): readonly PositionStatus[] {
  return booksOf(engine).flatMap(({ name }) => positionStatus(engine.ledger, name, prices) ?? [])
}

function openCostsOf({ ledger, runners }: Pick<Engine, 'ledger' | 'runners'>): readonly OpenCost[] {
  return booksOf({ ledger, runners }).flatMap(({ name }) => openCost(ledger, name) ?? [])
}

function positionText(ledger: Ledger, book: string, instrument: Instrument): string {
  const position = ledger.position(book)
  if (position === undefined) return '0'
  const text = quantityText(instrument, position.quantity)
  return position.direction === 'short' ? `-${text}` : text
}
