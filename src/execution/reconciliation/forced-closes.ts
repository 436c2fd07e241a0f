import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, negate, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { notionalOf, steps, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { profitAt, share } from '../../ledger/contract-position.ts'
import { costBasisOfRemainder } from '../../ledger/cost-basis-of-remainder.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ReportedClose } from './account-transactions.ts'
import type { PositionDifference } from './position-differences.ts'

/** What closing a part of a position without an order of ours came to. */
export interface ForcedClose {
  readonly difference: PositionDifference
  /** The price at which it brought what it did, its cost included. */
  readonly price: Ticks
  /** What that price is beyond it: less than a tick's worth. */
  readonly fee: Amount
  /** What of the wallet's change it was. */
  readonly received: Amount
}

interface Part {
  readonly difference: PositionDifference
  readonly instrument: Instrument
  /** Worth at the prices of entry. */
  readonly cost: Amount
  /** Worth and profit at the mark price. */
  readonly worth: Amount
  readonly profit: Amount
  /** All the money behind it, where that is its own and all of it is gone. */
  readonly margin: Amount | undefined
}

/**
 * Shares out what came into the wallet with the closing of positions: as the exchange tells it of each (`told`), where that
 * is all of it. Otherwise, an isolated position that is gone has lost its margin.
 * Of others each answers for its share, by its worth, of what is left of their profits at the mark prices, as the exchange
 * does when it takes over a whole account. The last one answers for the rest.
 */
export function forcedClosesOf(
  differences: readonly PositionDifference[],
  received: Amount,
  ledger: Ledger,
  told: readonly (ReportedClose | undefined)[],
): readonly ForcedClose[] {
  const parts = differences.map((difference, index) => partOf(difference, ledger, told[index]?.time))
  if (told.reduce((sum, closing) => add(sum, closing?.brought ?? ZERO), ZERO) === received)
    return parts.map((part, index) => closingFor(part, told[index]?.brought ?? ZERO))
  if (parts.every(({ margin }) => margin !== undefined)) return isolatedClosings(parts, received)
  const worth = parts.reduce((sum, part) => add(sum, part.worth), ZERO)
  const lost = parts.reduce((sum, part) => add(sum, part.profit), ZERO) - received
  let left = received
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1
    const ownLoss = worth === ZERO ? ZERO : (((lost * part.worth) / worth) as Amount) // a share of an amount
    const own = isLast ? left : subtract(part.profit, ownLoss)
    left = subtract(left, own)
    return closingFor(part, own)
  })
}

function isolatedClosings(parts: readonly Part[], received: Amount): readonly ForcedClose[] {
  let left = received
  return parts.map((part, index) => {
    const own = index === parts.length - 1 ? left : negate(part.margin ?? ZERO)
    left = subtract(left, own)
    return closingFor(part, own)
  })
}

/** `time`: when it was closed, ms UTC, if that is known; what was opened later stays. */
function partOf(difference: PositionDifference, ledger: Ledger, time = Number.POSITIVE_INFINITY): Part {
  const { instrument } = difference.contract
  const position = ledger.contracts.of(difference.book)
  if (position === undefined)
    return { difference, instrument, cost: ZERO, worth: ZERO, profit: ZERO, margin: undefined }
  const { missing } = difference
  const rest = steps(position.quantity - missing)
  const lots = ledger.position(difference.book)?.lots
  const kept = costBasisOfRemainder(instrument, position, lots, time, rest)
  const cost =
    kept === undefined ? share(position.cost, missing, position.quantity) : subtract(position.cost, kept)
  const mark = ledger.markPriceOf(instrument.symbol)
  const worth = mark === undefined ? cost : notionalOf(instrument, mark, missing)
  const closed = { ...position, quantity: missing, cost }
  const isGone = difference.contract.marginMode === 'isolated' && missing === position.quantity
  return {
    difference,
    instrument,
    cost,
    worth,
    profit: mark === undefined ? ZERO : profitAt(instrument, closed, mark),
    margin: isGone ? position.margin : undefined,
  }
}

/** The worst price that still brings `received`; what is beyond it is the fee. */
function closingFor({ difference, instrument, cost }: Part, received: Amount): ForcedClose {
  const { direction, missing } = difference
  const perTick = notionalOf(instrument, ticks(1), missing)
  const worth = direction === 'long' ? add(cost, received) : subtract(cost, received)
  const exact = direction === 'long' ? (worth + perTick - 1n) / perTick : worth / perTick
  const price = ticks(Math.max(1, Number(exact)))
  const closed = { direction, quantity: missing, cost, margin: ZERO }
  return { difference, price, fee: subtract(profitAt(instrument, closed, price), received), received }
}
