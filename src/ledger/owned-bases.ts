import { rulesOf } from '../domain/account-rules.ts'
import { AMOUNT_DECIMALS, type Amount, amountToNumber, ZERO } from '../domain/numbers/amount.ts'
import { type Ticks, worthOf } from '../domain/numbers/grid.ts'
import type { WorthSum } from '../domain/numbers/worth-sum.ts'
import type { AccountBalances } from './account-balances.ts'
import type { LedgerMarket, MarketPrices } from './market-prices.ts'

/** Decimals that suffice for nearly every balance of a base, since fees have few: so many fit a double. */
const DECIMALS = 8
const UNIT = 10n ** BigInt(AMOUNT_DECIMALS - DECIMALS)
const UNITS_PER_ONE = 10 ** DECIMALS
/** The highest precision of a price whose product with a base of that many decimals is a whole amount. */
const MOST_PRICE_DECIMALS = AMOUNT_DECIMALS - DECIMALS

/** Base that the accounts own of each instrument, each read from the balances once after a booking. */
export class OwnedBases {
  readonly #balances: AccountBalances
  /** By the place of the instrument, here and below; `undefined` until read. */
  readonly #amounts: (Amount | undefined)[]
  /** The same in units of 10^-8; NaN where that is no safe integer. */
  readonly #units: Float64Array
  /** The same as the nearest double. */
  readonly #numbers: Float64Array
  readonly #touched: readonly (readonly number[])[]

  constructor(balances: AccountBalances, { all }: MarketPrices) {
    this.#balances = balances
    this.#amounts = new Array(all.length).fill(undefined)
    this.#units = new Float64Array(all.length)
    this.#numbers = new Float64Array(all.length)
    this.#touched = all.map(({ instrument: { base, quote } }) =>
      all.flatMap(({ index, instrument }) =>
        instrument.base === base || instrument.base === quote ? [index] : [],
      ),
    )
  }

  /** Invalidates what a booking of an instrument may have changed; without one everything. */
  forget(market?: LedgerMarket): void {
    if (market === undefined) this.#amounts.fill(undefined)
    else for (const index of this.touchedBy(market)) this.#amounts[index] = undefined
  }

  /** Places of the instruments whose base a booking of an instrument may change. */
  touchedBy({ index }: LedgerMarket): readonly number[] {
    return this.#touched[index] as readonly number[] // one for each
  }

  /** Base units, as the nearest double. */
  numberOf(market: LedgerMarket): number {
    if (this.#amounts[market.index] === undefined) this.#read(market)
    return this.#numbers[market.index] as number // one for each
  }

  /** Adds the worth of the base at a price to a sum, exactly as `worthOf`. */
  addWorth(market: LedgerMarket, price: Ticks, sum: WorthSum): void {
    const { index, instrument } = market
    const amount = this.#amounts[index] ?? this.#read(market)
    const units = this.#units[index] as number // one for each
    if (Number.isNaN(units) || instrument.pricePrecision > MOST_PRICE_DECIMALS)
      sum.add(worthOf(instrument, price, amount))
    else if (units !== 0) sum.addProduct(price, units, instrument.pricePrecision + DECIMALS)
  }

  #read(market: LedgerMarket): Amount {
    const { index, instrument } = market
    const amount = rulesOf(instrument).holdsContracts ? ZERO : this.#balances.baseOf(instrument)
    const units = Number(amount / UNIT)
    const isExact = Number.isSafeInteger(units) && amount % UNIT === 0n
    this.#amounts[index] = amount
    this.#units[index] = isExact ? units : Number.NaN
    // A division of exact doubles gives the nearest one.
    this.#numbers[index] = isExact ? units / UNITS_PER_ONE : amountToNumber(amount)
    return amount
  }
}
