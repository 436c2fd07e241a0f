import { rulesOf } from '../../domain/account-rules.ts'
import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { worthOf } from '../../domain/numbers/grid.ts'
import type { Ledger } from '../../ledger/ledger.ts'

/** Events that change what is owned without a trade of this bot. */
const MOVES: ReadonlySet<EngineEvent['type']> = new Set([
  'balancesReported',
  'positionMarginReported',
  'positionCostReported',
])

/** Amounts by quote asset. */
export type MovedAmounts = ReadonlyMap<string, Amount>

const NOTHING: MovedAmounts = new Map()

/** Equity by quote asset, as exact text, and the part of it that is no result. */
export interface AccountEquity {
  /** Everything owned. */
  readonly equity: Readonly<Record<string, string>>
  /** Moved in (negative: out) or traded by others on the account, since a moment that is the same for all of one course. */
  readonly moved: Readonly<Record<string, string>>
}

/** True for an event that changes what is owned without a trade of this bot: a deposit, a withdrawal, a trade of others. */
export function isMove({ type }: Pick<EngineEvent, 'type'>): boolean {
  return MOVES.has(type)
}

/** Equity of each quote asset of a ledger, at its own prices. */
export function equityOf(ledger: Ledger): Map<string, Amount> {
  const quotes = new Set(ledger.instruments.map(({ quote }) => quote))
  return new Map([...quotes].map(quote => [quote, ledger.equity(quote)]))
}

/** Processes an event; also returns what it moves in or out of the account, which is no result of this bot. */
export function movedBy<Result>(
  event: EngineEvent,
  ledger: Ledger,
  process: () => Result,
): { readonly result: Result; readonly moved: MovedAmounts } {
  if (!isMove(event)) return { result: process(), moved: NOTHING }
  const before = equityOf(ledger)
  const result = process()
  const moved = [...equityOf(ledger)].map(
    ([quote, equity]) => [quote, subtract(equity, before.get(quote) ?? ZERO)] as const,
  )
  return { result, moved: new Map(moved) }
}

/** An instrument whose first price has not come. */
interface Unpriced {
  readonly instrument: Instrument
  /** Owned when counting began: its first price is no move, it says what the beginning was worth. */
  readonly ownedThen: Amount
}

/** Sum of everything moved in or out of an account, by quote asset. What comes before its first price counts at that price. */
export class AccountMoves {
  readonly #total = new Map<string, Amount>()
  #unpriced: readonly Unpriced[] = []

  /** Goes on with the instruments of a ledger. */
  begin(ledger: Ledger): void {
    this.#unpriced = ledger.instruments
      .filter(one => !rulesOf(one).holdsContracts && ledger.markPriceOf(one.symbol) === undefined)
      .map(instrument => ({ instrument, ownedThen: ledger.balances.baseOf(instrument) }))
  }

  /** Counts what an event moved, after it is processed. */
  take(moved: MovedAmounts, ledger: Ledger): void {
    for (const [quote, amount] of moved) this.#add(quote, amount)
    if (this.#unpriced.length > 0) this.#price(ledger)
  }

  /** Since counting began; negative is out. */
  get total(): MovedAmounts {
    return new Map(this.#total)
  }

  #price(ledger: Ledger): void {
    const unpriced: Unpriced[] = []
    for (const one of this.#unpriced) {
      const { instrument, ownedThen } = one
      const price = ledger.markPriceOf(instrument.symbol)
      if (price === undefined) unpriced.push(one)
      else {
        const came = subtract(ledger.balances.baseOf(instrument), ownedThen)
        this.#add(instrument.quote, worthOf(instrument, price, came))
      }
    }
    this.#unpriced = unpriced
  }

  #add(quote: string, amount: Amount): void {
    this.#total.set(quote, add(this.#total.get(quote) ?? ZERO, amount))
  }
}

/** Difference of two totals of moved money, by quote asset. */
export function movedSince(then: MovedAmounts, now: MovedAmounts): MovedAmounts {
  const quotes = new Set([...then.keys(), ...now.keys()])
  return new Map([...quotes].map(quote => [quote, subtract(now.get(quote) ?? ZERO, then.get(quote) ?? ZERO)]))
}
