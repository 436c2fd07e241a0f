import { rulesOf } from '../domain/account-rules.ts'
import { add, amountToNumber } from '../domain/numbers/amount.ts'
import type { AccountBalances } from './account-balances.ts'
import type { Balances } from './balances.ts'
import type { Contracts } from './contracts.ts'
import type { LedgerMarket, MarketPrices } from './market-prices.ts'
import type { OwnedBases } from './owned-bases.ts'

/** Marks money or a base that has changed. */
const UNKNOWN = Number.NaN

/** Equity as a double, for curves: no bigint and no allocation between bookings. Of all accounts, or of the one that holds contracts. */
export class EquityEstimate {
  readonly #balances: AccountBalances
  readonly #contracts: Contracts
  readonly #prices: MarketPrices
  readonly #wallet: Balances | undefined
  /** The quote balance plus proceeds of sold contracts less the cost of bought ones. */
  #money = UNKNOWN
  #quote = ''
  readonly #bases: OwnedBases
  /** Base of each instrument, in the balances or in contracts, by its place among all. */
  readonly #base: Float64Array

  /** `wallet`: the balance that backs contracts, for an estimate of contracts alone. */
  constructor(
    balances: AccountBalances,
    contracts: Contracts,
    prices: MarketPrices,
    bases: OwnedBases,
    wallet?: Balances,
  ) {
    this.#balances = balances
    this.#contracts = contracts
    this.#prices = prices
    this.#bases = bases
    this.#wallet = wallet
    this.#base = new Float64Array(prices.all.length).fill(UNKNOWN)
  }

  /** Invalidates the estimate after a booking: that of an instrument, or of everything without one. */
  forget(market?: LedgerMarket): void {
    this.#money = UNKNOWN
    if (market === undefined) this.#base.fill(UNKNOWN)
    else for (const index of this.#bases.touchedBy(market)) this.#base[index] = UNKNOWN
  }

  /** Quote and every base at the latest close of its instrument, contracts at their mark price, all of one quote asset. */
  atCloses(quote: string): number {
    let equity = this.#moneyIn(quote)
    for (const market of this.#prices.marked) {
      const base = this.#baseOf(market)
      if (base !== 0) equity += base * this.#prices.closeOf(market)
    }
    return equity
  }

  /** Estimate for a ledger with one instrument, with its base at a price. */
  at(market: LedgerMarket, price: number): number {
    return this.#moneyIn(market.instrument.quote) + this.#baseOf(market) * price
  }

  /**
   * `at` for the prices at `from` to `to - 1`, without bookings between them; written to the same indices of
   * `equity`.
   */
  note(market: LedgerMarket, prices: Float64Array, from: number, to: number, equity: Float64Array): void {
    const money = this.#moneyIn(market.instrument.quote)
    const base = this.#baseOf(market)
    for (let row = from; row < to; row++) equity[row] = money + base * (prices[row] as number) // as the caller says
  }

  #moneyIn(quote: string): number {
    if (this.#quote !== quote || Number.isNaN(this.#money)) {
      this.#quote = quote
      this.#money = this.#computeMoney(quote)
    }
    return this.#money
  }

  #computeMoney(quote: string): number {
    const balance = (this.#wallet ?? this.#balances).of(quote)
    return amountToNumber(
      this.#contracts.areNone ? balance : add(balance, this.#contracts.soldLessCost(quote)),
    )
  }

  #baseOf(market: LedgerMarket): number {
    const known = this.#base[market.index] as number // one for each
    if (!Number.isNaN(known)) return known
    const base = this.#computeBase(market)
    this.#base[market.index] = base
    return base
  }

  #computeBase(market: LedgerMarket): number {
    const { instrument } = market
    if (rulesOf(instrument).holdsContracts) return amountToNumber(this.#contracts.sizeOf(instrument))
    return this.#wallet === undefined ? this.#bases.numberOf(market) : 0
  }
}
