import { hasTwoBooks } from '../../domain/book-names.ts'
import type { Instrument } from '../../domain/instrument.ts'
import {
  type Amount,
  absolute,
  add,
  amountAtExchange,
  negate,
  subtract,
  ZERO,
} from '../../domain/numbers/amount.ts'
import { type Decimal, decimalOf } from '../../domain/numbers/decimal.ts'
import {
  NO_STEPS,
  notionalOf,
  type Steps,
  steps,
  stepsOf,
  type Ticks,
  ticks,
  ticksOf,
} from '../../domain/numbers/grid.ts'
import { exitSideOf } from '../../domain/orders/side.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { maintenanceMargin } from '../../ledger/contract-margin.ts'
import { profitAt, share } from '../../ledger/contract-position.ts'
import { costBasisOfRemainder } from '../../ledger/cost-basis-of-remainder.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ReportedClose, ReportedFee } from './account-transactions.ts'
import { MONEY_ROUNDING } from './futures-account.ts'
import type { PositionDifference } from './position-differences.ts'

/** Result of a partial close without an own order. */
export interface ForcedClose {
  readonly difference: PositionDifference
  /** The price that gives its proceeds, from its cost. */
  readonly price: Ticks
  /** The remainder beyond that price: less than one tick's value. */
  readonly fee: Amount
  /** Its part of the wallet's change. */
  readonly received: Amount
}

/** A trade of others that closed a part of our position. */
export interface ClosingTrade {
  readonly id: string
  /** ms UTC. */
  readonly time: number
  readonly price: Ticks
  readonly quantity: Steps
  /** In quote. */
  readonly fee: Amount
}

interface Part {
  readonly difference: PositionDifference
  readonly instrument: Instrument
  /** Notional at the entry prices. */
  readonly cost: Amount
  /** Notional and profit at the mark price. */
  readonly worth: Amount
  readonly profit: Amount
  /** Margin of an isolated position that vanished completely, in quote. */
  readonly margin: Amount | undefined
}

/**
 * Splits the proceeds of closed positions: by the exchange's own reports (`told`), if they cover all of it.
 * Otherwise, a vanished isolated position has lost its margin. Each other position bears a share, by its
 * notional, of the remainder of their profits at the mark prices, like the exchange's liquidation of a whole
 * account. The last one bears the remainder.
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

/** True if the close of an isolated position lost all margin behind it, as only a liquidation does. */
export function isIsolatedLiquidation(
  { difference, received }: Pick<ForcedClose, 'difference' | 'received'>,
  ledger: Ledger,
): boolean {
  const { book, contract, missing } = difference
  const position = ledger.contracts.of(book)
  if (contract.marginMode !== 'isolated' || position === undefined) return false
  return negate(received) >= share(position.margin, missing, position.quantity)
}

/**
 * True if these closes, of every cross position of a coin, left no more money than their maintenance margin: one
 * who closes by hand has more, or the exchange would have liquidated before.
 */
export function isCrossLiquidation(closes: readonly ForcedClose[], coin: string, ledger: Ledger): boolean {
  const { held, equity } = ledger.contracts.cross(coin)
  const books = new Set(closes.map(({ difference }) => difference.book))
  if (!held.every(({ book }) => books.has(book))) return false
  const profit = held.map(one => ledger.contracts.profitOf(one)).reduce(add, ZERO)
  const received = closes.map(one => one.received).reduce(add, ZERO)
  const kept = closes.map(({ difference: { contract, missing }, price }) =>
    maintenanceMargin(contract.instrument, notionalOf(contract.instrument, price, missing)),
  )
  return add(subtract(equity, profit), received) <= kept.reduce(add, ZERO)
}

/** Proceeds of a part of a position that these trades of others closed: what the wallet has gained, in quote. */
export function broughtBy(
  difference: PositionDifference,
  trades: readonly ClosingTrade[],
  ledger: Ledger,
): Amount {
  const { instrument, cost } = partOf(difference, ledger, trades.at(-1)?.time)
  const worth = trades.map(({ price, quantity }) => notionalOf(instrument, price, quantity)).reduce(add, ZERO)
  const profit = difference.direction === 'long' ? subtract(worth, cost) : subtract(cost, worth)
  return subtract(profit, trades.map(({ fee }) => fee).reduce(add, ZERO))
}

/**
 * The trades of others that closed a part of a position, if they are all that closed it: on the closing side, as much
 * as is missing, and what turned it round beyond that, with fees in quote; `undefined` otherwise. Of trades that may
 * have opened the other side, where an account holds both, those count whose fees the exchange took as `closingFees`.
 */
export function closingTradesOf(
  { contract, symbol, direction, missing, turnedInto }: PositionDifference,
  others: readonly OwnTrade[],
  closingFees: readonly ReportedFee[],
): readonly ClosingTrade[] | undefined {
  const { instrument, quote } = contract
  const traded = others.filter(trade => trade.symbol === symbol && trade.side === exitSideOf(direction))
  const isReadable = traded.every(({ feeAsset }) => feeAsset === quote)
  const isAll = totalOf(traded).equals(missing + turnedInto)
  const own = isAll || !hasTwoBooks(instrument) ? traded : feesTaken(traded, closingFees)
  if (!isReadable || !totalOf(own).equals(missing + turnedInto)) return undefined
  let left = missing
  return own.flatMap(({ id, time, price, quantity, fee }) => {
    const whole = stepsOf(instrument, quantity)
    const closed = steps(Math.min(whole, left))
    left = steps(left - closed)
    if (closed === NO_STEPS) return []
    const terms = { price: ticksOf(instrument, price), quantity: closed }
    return [{ id, time, ...terms, fee: share(amountAtExchange(fee), closed, whole) }]
  })
}

/** Contracts of trades. */
function totalOf(trades: readonly OwnTrade[]): Decimal {
  return trades.reduce((sum, trade) => sum.plus(trade.quantity), decimalOf(0))
}

/** The trades whose fee is one of these, of the same time and amount; each fee counts once. */
function feesTaken(trades: readonly OwnTrade[], fees: readonly ReportedFee[]): readonly OwnTrade[] {
  const left = [...fees]
  return trades.filter(({ time, fee }) => {
    const found = left.findIndex(
      one => one.time === time && absolute(subtract(one.paid, amountAtExchange(fee))) <= MONEY_ROUNDING,
    )
    if (found >= 0) left.splice(found, 1)
    return found >= 0
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

/** `time`: time of the close, ms UTC, if known; contracts opened later remain. */
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

/** The worst price that still yields `received`; the excess is the fee. */
function closingFor({ difference, instrument, cost }: Part, received: Amount): ForcedClose {
  const { direction, missing } = difference
  const perTick = notionalOf(instrument, ticks(1), missing)
  const worth = direction === 'long' ? add(cost, received) : subtract(cost, received)
  const exact = direction === 'long' ? (worth + perTick - 1n) / perTick : worth / perTick
  const price = ticks(Math.max(1, Number(exact)))
  const closed = { direction, quantity: missing, cost, margin: ZERO }
  return { difference, price, fee: subtract(profitAt(instrument, closed, price), received), received }
}
