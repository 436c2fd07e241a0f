import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, larger, smaller, subtract, ZERO } from '../domain/numbers/amount.ts'
import { NO_STEPS, notionalOf, type Steps, steps, type Ticks } from '../domain/numbers/grid.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { Direction } from '../domain/orders/side.ts'
import { initialMargin } from './contract-margin.ts'

/** Contracts of one book for margin and liquidation: at average cost, whereas round trips use lots. */
export interface ContractPosition {
  readonly direction: Direction
  /** Contracts. */
  readonly quantity: Steps
  /**
   * Notional at the entry prices, in quote; a closed part takes its share, rounded towards zero at 10^-18.
   */
  readonly cost: Amount
  /** Isolated margin; zero for cross. Below 0 only while its profit covers the funding paid. */
  readonly margin: Amount
  /** Time of the fill that opened the position, ms UTC; states saved by earlier versions lack it. */
  readonly openedAt?: number | undefined
}

/** Effect of a partial or full close on the position and the wallet. */
export interface ContractClosing {
  readonly position: ContractPosition | undefined
  /** Amount credited to the wallet: profit less fee. */
  readonly received: Amount
  /** Loss beyond an isolated margin, borne by the exchange (shareAmount of the interface). */
  readonly lossShare: Amount
}

/** One open position, and its book. */
export interface HeldContracts {
  readonly book: string
  readonly instrument: Instrument
  readonly position: ContractPosition
}

/** Mark price of an instrument; `undefined` before the first. */
export type MarkOf = (instrument: Instrument) => Ticks | undefined

/** Adds contracts; those of an isolated position take their margin with them. */
export function opened(
  instrument: Instrument,
  before: ContractPosition | undefined,
  { side, quantity, price, time }: Pick<Fill, 'side' | 'quantity' | 'price' | 'time'>,
): ContractPosition {
  const worth = notionalOf(instrument, price, quantity)
  const margin = ownMargin(instrument, worth)
  if (before === undefined)
    return { direction: side === 'buy' ? 'long' : 'short', quantity, cost: worth, margin, openedAt: time }
  return {
    ...before,
    quantity: steps(before.quantity + quantity),
    cost: add(before.cost, worth),
    margin: add(before.margin, margin),
  }
}

/**
 * Closes contracts. Those of an isolated position return their share of its margin; a loss beyond it is paid
 * from the remaining margin, then by the exchange. `kept` is the cost of the remaining contracts if they are
 * not a share of the whole but were opened after the close; they then begin at its time.
 */
export function closed(
  instrument: Instrument,
  { direction, quantity, cost, margin, openedAt }: ContractPosition,
  { quantity: closing, price, fee, time }: Pick<Fill, 'quantity' | 'price' | 'fee' | 'time'>,
  kept?: Amount,
): ContractClosing {
  const closedCost = kept === undefined ? share(cost, closing, quantity) : subtract(cost, kept)
  const freed =
    kept === undefined ? share(margin, closing, quantity) : subtract(margin, ownMargin(instrument, kept))
  const profit = profitOver(direction, closedCost, notionalOf(instrument, price, closing))
  const left = subtract(margin, freed)
  const missing = isIsolated(instrument) ? larger(ZERO, subtract(fee, add(freed, profit))) : ZERO
  const paid = smaller(missing, larger(ZERO, left))
  const rest = steps(quantity - closing)
  return {
    position:
      rest === NO_STEPS
        ? undefined
        : {
            direction,
            quantity: rest,
            cost: subtract(cost, closedCost),
            margin: subtract(left, paid),
            openedAt: kept === undefined ? openedAt : time,
          },
    received: subtract(profit, fee),
    lossShare: subtract(missing, paid),
  }
}

/** Profit that closing a position at a price would bring, before fees. */
export function profitAt(
  instrument: Instrument,
  position: Pick<ContractPosition, 'direction' | 'quantity' | 'cost'>,
  price: Ticks,
): Amount {
  return profitOver(position.direction, position.cost, notionalOf(instrument, price, position.quantity))
}

/** The part of an amount that belongs to `part` of `whole`, towards zero. */
export function share(amount: Amount, part: Steps, whole: Steps): Amount {
  return part === whole ? amount : (((amount * BigInt(part)) / BigInt(whole)) as Amount)
}

function profitOver(direction: Direction, cost: Amount, worth: Amount): Amount {
  return direction === 'long' ? subtract(worth, cost) : subtract(cost, worth)
}

/** Isolated margin of new contracts with the notional `worth`; zero for cross margin. */
function ownMargin(instrument: Instrument, worth: Amount): Amount {
  return isIsolated(instrument) ? initialMargin(instrument, worth) : ZERO
}

/** True if the contracts of an instrument have isolated margins. */
export function isIsolated({ futures }: Instrument): boolean {
  return futures?.marginMode === 'isolated'
}
