import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { type Ticks, worthOf } from '../../domain/numbers/grid.ts'
import { type ContractPosition, profitAt } from '../../ledger/contract-position.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { FreshPrices } from '../../ledger/market-prices.ts'
import type { OpenCost } from '../text/position-status.ts'

/** Position of one instrument at the start of a run. */
interface HeldAtStart {
  readonly instrument: Instrument
  /** Base balance of the account that it is traded on; zero for a contract. */
  readonly owned: Amount
  readonly open: readonly OpenCost[]
  /** Contracts as the exchange counts them, by which equity counts. */
  readonly contracts: readonly ContractPosition[]
  /** First known price of the run; for a contract its mark price. */
  price: Ticks | undefined
}

/** Equity and open results at the start of a run, at the first known price of each instrument. */
export class StartWorth {
  readonly #balances: ReadonlyMap<string, Amount>
  readonly #held: ReadonlyMap<string, HeldAtStart>
  readonly #unpriced: Set<string>

  /** The run begins now, with these positions open. */
  constructor(ledger: Ledger, open: readonly OpenCost[]) {
    this.#balances = new Map(ledger.instruments.map(({ quote }) => [quote, ledger.balances.of(quote)]))
    this.#held = new Map(
      ledger.instruments.map(instrument => {
        const { symbol } = instrument
        const owned = ledger.balances.baseOf(instrument)
        const own = open.filter(cost => cost.instrument.symbol === symbol)
        const contracts = [...ledger.contracts.held].filter(held => held.instrument.symbol === symbol)
        return [
          symbol,
          {
            ...{ instrument, owned, open: own, price: undefined },
            contracts: contracts.map(({ position }) => position),
          },
        ]
      }),
    )
    this.#unpriced = new Set(this.#held.keys())
  }

  /** Sets the first price of instruments without one; returns true if that completes them. */
  observe(prices: FreshPrices): boolean {
    if (this.#unpriced.size === 0) return false
    for (const symbol of this.#unpriced) {
      const held = this.#held.get(symbol)
      const price = prices.priceOf(symbol)
      if (held === undefined || price === undefined) continue
      held.price = price
      this.#unpriced.delete(symbol)
    }
    return this.#unpriced.size === 0
  }

  /**
   * In a quote asset; an instrument without a first price counts at its present price, or as zero if that is
   * unknown too.
   */
  equity(quote: string, now: FreshPrices): Amount {
    let equity = this.#balances.get(quote) ?? ZERO
    for (const { instrument, owned, contracts, price: first } of this.#held.values()) {
      const price = first ?? now.priceOf(instrument.symbol)
      if (instrument.quote !== quote || price === undefined) continue
      if (!rulesOf(instrument).holdsContracts) equity = add(equity, worthOf(instrument, price, owned))
      else for (const position of contracts) equity = add(equity, profitAt(instrument, position, price))
    }
    return equity
  }

  /** Results of the positions open at the start, after entry fees, in a quote asset; priced as `equity`. */
  openResult(quote: string, now: FreshPrices): Amount {
    const open = [...this.#held.values()].flatMap(held => held.open)
    return openResultOf(open, quote, {
      priceOf: symbol => this.#held.get(symbol)?.price ?? now.priceOf(symbol),
    })
  }
}

/** Results of open positions after entry fees, in a quote asset. */
export function openResultOf(open: readonly OpenCost[], quote: string, prices: FreshPrices): Amount {
  let result = ZERO
  for (const { instrument, fees, ...cost } of open) {
    const price = prices.priceOf(instrument.symbol)
    if (instrument.quote !== quote || price === undefined) continue
    result = add(result, subtract(profitAt(instrument, cost, price), fees))
  }
  return result
}
