import {
  AMOUNT_DECIMALS,
  type Amount,
  absolute,
  amountAtExchange,
  amountOf,
  divide,
  larger,
  ONE_RATE,
  smaller,
  subtract,
} from '../../domain/numbers/amount.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { baseAmount, priceAmount, type Steps, ticks } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type HeldContract, MONEY_ROUNDING, type PositionThere } from './futures-account.ts'
import type { PositionDifference } from './position-differences.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'

export interface EntryComparisonOptions
  extends Pick<
    ReconcilerOptions,
    'ledger' | 'sentRequests' | 'serverNow' | 'emit' | 'onTradesSeen' | 'onReport'
  > {
  readonly contracts: readonly HeldContract[]
}

/** A position of as many contracts as in the ledger, at another average entry price. */
export interface EntryDifference {
  readonly contract: HeldContract
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  /** Average entry prices, quote per base. */
  readonly ledger: Amount
  readonly exchange: Amount
  /** Notional at the exchange's entry price, in quote. */
  readonly cost: Amount
}

/**
 * Compares the entry prices of positions that others traded as well: the exchange keeps one average of all contracts of
 * an account, and pays profits by it.
 */
export class EntryComparison {
  readonly #options: EntryComparisonOptions

  constructor(options: EntryComparisonOptions) {
    this.#options = options
  }

  /** True if others traded a contract since exchange and ledger agreed on the entry price of its position. */
  mayDiffer({ instrument }: HeldContract): boolean {
    return this.#options.sentRequests.wasTradedByOthers(instrument.symbol)
  }

  /** Differences beyond rounding that trades of others may have made, where the exchange tells entry prices. */
  differences(positions: readonly PositionThere[]): readonly EntryDifference[] {
    const { ledger } = this.#options
    return positions
      .filter(({ contract }) => this.mayDiffer(contract))
      .flatMap(there => differenceOf(there, ledger) ?? [])
  }

  /** Adopts the exchange's entry price. */
  adopt({ contract, book, cost, ...difference }: EntryDifference): void {
    const { symbol } = contract.instrument
    const { emit, serverNow, onReport } = this.#options
    onReport({ type: 'entryAdjusted', symbol, ...difference })
    emit({ type: 'positionCostReported', symbol, book, cost, time: serverNow() })
  }

  /**
   * Notes the contracts whose entry prices agree again: the account that was read includes all trades of others
   * (`others` are those it may lack), and has no position, or one whose price it tells exactly.
   */
  settle(
    positions: readonly PositionThere[],
    differences: readonly PositionDifference[],
    others: readonly OwnTrade[],
  ): void {
    const { contracts, sentRequests, onTradesSeen } = this.#options
    for (const contract of contracts.filter(one => this.mayDiffer(one))) {
      const { symbol } = contract.instrument
      const tradeId = sentRequests.lastTradeOf(symbol)
      const isOpen =
        [...differences, ...others].some(one => one.symbol === symbol) ||
        positions.some(there => there.contract === contract && !tellsEntry(there))
      if (isOpen || tradeId === undefined) continue
      onTradesSeen({ type: 'tradesSeen', symbol, tradeId, othersTraded: false })
    }
  }
}

function differenceOf(there: PositionThere, ledger: Ledger): EntryDifference | undefined {
  const { contract, book, direction, quantity, position } = there
  const own = ledger.contracts.of(book)
  if (own === undefined || own.direction !== direction || own.quantity !== quantity) return undefined
  if (position.averagePrice === undefined || position.averagePrice.lessThanOrEqualTo(0)) return undefined
  const base = baseAmount(contract.instrument, quantity)
  const exchange = amountAtExchange(position.averagePrice)
  const cost = costAt(exchange, base)
  const tolerated = larger(MONEY_ROUNDING, roundingOf(there, position.averagePrice))
  if (absolute(subtract(cost, own.cost)) <= tolerated) return undefined
  return { contract, book, direction, quantity, ledger: divide(own.cost, base), exchange, cost }
}

/** True if a position's entry price is told, and so exactly that its rounding cannot be seen in the wallet. */
function tellsEntry(there: PositionThere): boolean {
  const { averagePrice } = there.position
  return averagePrice !== undefined && roundingOf(there, averagePrice) <= MONEY_ROUNDING
}

/**
 * Largest rounding of a position's notional by the digits of its price, in quote: that of one tick at most, because a
 * last digit 0 may be left out.
 */
function roundingOf({ contract: { instrument }, quantity }: PositionThere, price: Decimal): Amount {
  const digit = new Decimal(10).pow(-Math.min(price.decimalPlaces(), AMOUNT_DECIMALS))
  return costAt(smaller(amountOf(digit), priceAmount(instrument, ticks(1))), baseAmount(instrument, quantity))
}

/** Notional of an amount of base at a price, in quote. */
function costAt(price: Amount, base: Amount): Amount {
  return ((price * base) / ONE_RATE) as Amount // a price × base
}
