import { type Amount, add, divide, subtract, ZERO } from '../../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, steps, type Ticks } from '../../../domain/numbers/grid.ts'
import { type Direction, entrySideOf, type Side } from '../../../domain/orders/side.ts'
import { baseOf, type Contract, contractsWorth } from '../contract.ts'

/**
 * A position is backed by the whole account or by margin of its own (marginModel and positionType 1 and 2).
 */
export type SimulatedMarginMode = 'cross' | 'isolated'

/** A position from its first contract to its last. Amounts are in the margin coin. */
export interface SimulatedPosition {
  readonly id: number
  readonly contract: Contract
  readonly direction: Direction
  readonly marginMode: SimulatedMarginMode
  readonly leverage: number
  /** ms UTC. */
  readonly openTime: number
  changeTime: number
  volume: Steps
  /** Notional of `volume` at its entry prices. */
  cost: Amount
  /** Isolated margin; zero for a cross position. Below 0 only while its profit covers the funding paid. */
  margin: Amount
  openedVolume: Steps
  openedValue: Amount
  closedVolume: Steps
  closedValue: Amount
  /** Negative: paid. */
  tradeFee: Amount
  /** Funding; negative: paid. */
  capitalFee: Amount
  closeProfit: Amount
  /** Loss beyond the money there was, which the exchange bears. */
  shareAmount: Amount
  isLiquidated: boolean
}

type PositionStart = Pick<
  SimulatedPosition,
  'id' | 'contract' | 'direction' | 'marginMode' | 'leverage' | 'openTime'
>

/** A position before its first contract. */
export function emptyPosition(start: PositionStart): SimulatedPosition {
  return {
    ...start,
    changeTime: start.openTime,
    volume: NO_STEPS,
    cost: ZERO,
    margin: ZERO,
    openedVolume: NO_STEPS,
    openedValue: ZERO,
    closedVolume: NO_STEPS,
    closedValue: ZERO,
    tradeFee: ZERO,
    capitalFee: ZERO,
    closeProfit: ZERO,
    shareAmount: ZERO,
    isLiquidated: false,
  }
}

/** Adds contracts with the notional `value`. */
export function grow(position: SimulatedPosition, volume: Steps, value: Amount): void {
  position.volume = steps(position.volume + volume)
  position.cost = add(position.cost, value)
  position.openedVolume = steps(position.openedVolume + volume)
  position.openedValue = add(position.openedValue, value)
}

/** Takes contracts off for `value`; returns the profit over their share of the cost (average cost, towards zero at 10^-18). */
export function shrink(position: SimulatedPosition, volume: Steps, value: Amount): Amount {
  const share = partOf(position.cost, volume, position.volume)
  const profit = position.direction === 'long' ? subtract(value, share) : subtract(share, value)
  position.volume = steps(position.volume - volume)
  position.cost = subtract(position.cost, share)
  position.closedVolume = steps(position.closedVolume + volume)
  position.closedValue = add(position.closedValue, value)
  position.closeProfit = add(position.closeProfit, profit)
  return profit
}

/** `amount × part ÷ whole`, towards zero. */
export function partOf(amount: Amount, part: Steps, whole: Steps): Amount {
  return ((amount * BigInt(part)) / BigInt(whole)) as Amount // a share of an amount
}

/** Notional at the mark price. */
export function markWorthOf({ contract, volume }: SimulatedPosition, mark: Ticks): Amount {
  return contractsWorth(contract, mark, volume)
}

/** Profit that closing at the mark price would bring, fees aside. */
export function unrealizedOf(position: SimulatedPosition, mark: Ticks): Amount {
  const value = markWorthOf(position, mark)
  return position.direction === 'long' ? subtract(value, position.cost) : subtract(position.cost, value)
}

/** Everything a position has brought so far: profit, fees, funding and borne losses (supplement section 8). */
export function realizedOf({ closeProfit, tradeFee, capitalFee, shareAmount }: SimulatedPosition): Amount {
  return [tradeFee, capitalFee, shareAmount].reduce(add, closeProfit)
}

/**
 * Average price of a volume with the notional `value`, in quote per base, rounded towards zero; 0 without
 * volume.
 */
export function averagePrice(contract: Contract, value: Amount, volume: Steps): Amount {
  return volume === 0 ? ZERO : divide(value, baseOf(contract, volume))
}

/** The side of the wire: BUY is long. */
export function sideOf({ direction }: SimulatedPosition): Side {
  return entrySideOf(direction)
}
