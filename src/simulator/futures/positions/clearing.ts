import {
  type Amount,
  add,
  negate,
  type Rate,
  smaller,
  subtract,
  times,
  ZERO,
} from '../../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, steps, type Ticks } from '../../../domain/numbers/grid.ts'
import type { Liquidity } from '../../../domain/orders/fill.ts'
import { entrySideOf, type Side } from '../../../domain/orders/side.ts'
import { type Contract, contractInitialMargin, contractsWorth, feeAt } from '../contract.ts'
import { type ContractSlot, setPosition } from '../contract-slot.ts'
import { lesser } from '../futures-market.ts'
import { closedDirection, openedDirection } from '../orders/futures-order.ts'
import type { FuturesAccount, SimulatedFuturesOrder } from './futures-account.ts'
import {
  emptyPosition,
  grow,
  partOf,
  type SimulatedMarginMode,
  type SimulatedPosition,
  shrink,
  unrealizedOf,
} from './position.ts'

/** Contracts that change hands for a value, and on which terms. */
interface Change {
  readonly side: Side
  readonly volume: Steps
  readonly value: Amount
  /** True if it first closes the opposite position. */
  readonly closesFirst: boolean
  readonly closeFeeRate: Rate
  readonly openFeeRate: Rate
  readonly marginMode: SimulatedMarginMode
  readonly leverage: number
  /** ms UTC. */
  readonly time: number
}

/** Fee and profit of a change. */
interface Outcome {
  readonly fee: Amount
  readonly profit: Amount
}

const NO_RATE = 0n as Rate // no fee

/**
 * Books trades and liquidations to accounts. The exchange's own account covers every loss beyond an account's
 * money.
 */
export class Clearing {
  readonly house: FuturesAccount
  readonly fees: FuturesAccount
  #positionCount = 0

  constructor(house: FuturesAccount, fees: FuturesAccount) {
    this.house = house
    this.fees = fees
  }

  get positionCount(): number {
    return this.#positionCount
  }

  restore(positionCount: number): void {
    this.#positionCount = positionCount
  }

  /** Books one side of an execution; returns its fee. */
  fill(
    order: SimulatedFuturesOrder,
    price: Ticks,
    volume: Steps,
    liquidity: Liquidity,
    time: number,
  ): Amount {
    const { account, contract, side, marginMode, leverage } = order
    const { open, close } = contract.fees
    const slot = account.slot(contract)
    const value = contractsWorth(contract, price, volume)
    account.unfreeze(order, volume)
    order.executedQuantity = steps(order.executedQuantity + volume)
    order.executedValue = add(order.executedValue, value)
    order.status = 'PARTIALLY_FILLED'
    const { fee, profit } = this.#change(account, slot, {
      ...{ side, volume, value, marginMode, leverage, time },
      closesFirst: order.action === 'CLOSE' || slot.positionMode === 'net',
      closeFeeRate: close[liquidity],
      openFeeRate: open[liquidity],
    })
    order.fee = add(order.fee, fee)
    order.realized = add(order.realized, profit)
    return fee
  }

  /**
   * Transfers a position to the exchange's own account at its bankruptcy price, which uses up all of
   * `equity`: the equity behind the position at the mark price (all of the margin of an isolated position,
   * its share of a cross account).
   */
  liquidate(
    account: FuturesAccount,
    position: SimulatedPosition,
    mark: Ticks,
    equity: Amount,
    time: number,
  ): void {
    const { contract, direction, volume, cost } = position
    const profit = subtract(unrealizedOf(position, mark), equity)
    const value = direction === 'long' ? add(cost, profit) : subtract(cost, profit)
    position.isLiquidated = true
    this.#close(account, position, { volume, value, fee: ZERO, time })
    this.#change(this.house, this.house.slot(contract), {
      ...{ side: entrySideOf(direction), volume, value, time },
      ...{ closesFirst: true, closeFeeRate: NO_RATE, openFeeRate: NO_RATE },
      ...{ marginMode: 'cross', leverage: 1 },
    })
  }

  /**
   * Charges funding: longs pay `rate` of the notional of their positions to shorts, or the reverse if it is
   * negative. The exchange's own account absorbs the rounding.
   */
  settleFunding(
    accounts: readonly FuturesAccount[],
    contract: Contract,
    mark: Ticks,
    rate: Rate,
    time: number,
  ): void {
    const change = { coin: contract.quote, contract, time }
    let received = ZERO
    for (const account of accounts) {
      for (const position of positionsOn(account, contract)) {
        const size = times(contractsWorth(contract, mark, position.volume), rate)
        const amount = position.direction === 'long' ? negate(size) : size
        position.capitalFee = add(position.capitalFee, amount)
        account.book('funding', amount, change)
        if (position.marginMode === 'isolated') account.addMargin(position, amount)
        received = add(received, amount)
      }
    }
    this.house.book('funding', negate(received), change)
  }

  #change(account: FuturesAccount, slot: ContractSlot, change: Change): Outcome {
    const { side, volume, value, time } = change
    const held = change.closesFirst ? slot[closedDirection(side)] : undefined
    const closing = lesser(held?.volume ?? NO_STEPS, volume)
    const closingValue = partOf(value, closing, volume)
    const opening = steps(volume - closing)
    const openingValue = subtract(value, closingValue)
    const closingFee = feeAt(closingValue, change.closeFeeRate)
    const openingFee = feeAt(openingValue, change.openFeeRate)
    const profit =
      held === undefined || closing === NO_STEPS
        ? ZERO
        : this.#close(account, held, { volume: closing, value: closingValue, fee: closingFee, time })
    if (opening > 0) this.#open(account, slot, change, opening, openingValue, openingFee)
    this.#receiveFee(slot.contract, add(closingFee, openingFee), time)
    return { fee: add(closingFee, openingFee), profit }
  }

  #open(
    account: FuturesAccount,
    slot: ContractSlot,
    { side, marginMode, leverage, time }: Change,
    volume: Steps,
    value: Amount,
    fee: Amount,
  ): void {
    const { contract } = slot
    const direction = openedDirection(side)
    const id = slot[direction]?.id ?? this.#nextPositionId(account)
    const start = { id, contract, direction, marginMode, leverage, openTime: time }
    const position = slot[direction] ?? emptyPosition(start)
    setPosition(slot, direction, position)
    grow(position, volume, value)
    position.changeTime = time
    position.tradeFee = subtract(position.tradeFee, fee)
    account.book('openingFee', negate(fee), { coin: contract.quote, contract, time })
    if (position.marginMode === 'isolated')
      account.addMargin(position, contractInitialMargin(value, position.leverage))
  }

  #close(
    account: FuturesAccount,
    position: SimulatedPosition,
    { volume, value, fee, time }: { volume: Steps; value: Amount; fee: Amount; time: number },
  ): Amount {
    const { contract } = position
    const freed = partOf(position.margin, volume, position.volume)
    const profit = shrink(position, volume, value)
    position.changeTime = time
    position.tradeFee = subtract(position.tradeFee, fee)
    if (position.volume === NO_STEPS) setPosition(account.slot(contract), position.direction, undefined)
    const change = { coin: contract.quote, contract, time }
    account.book('closingProfit', profit, change)
    account.book('closingFee', negate(fee), change)
    account.addMargin(position, negate(freed))
    this.#cover(account, position, add(freed, subtract(profit, fee)), time)
    if (position.volume === NO_STEPS && account !== this.house) account.closedPositions.push(position)
    return profit
  }

  /**
   * `net` is the freed margin after the close. A shortfall of an isolated position comes out of its margin,
   * then from the exchange's own account.
   */
  #cover(account: FuturesAccount, position: SimulatedPosition, net: Amount, time: number): void {
    if (account === this.house) return
    const { contract, marginMode } = position
    const missing =
      marginMode === 'isolated'
        ? afterOwnMargin(account, position, negate(net))
        : this.#missingCross(account, contract)
    if (missing <= ZERO) return
    const change = { coin: contract.quote, contract, time }
    position.shareAmount = add(position.shareAmount, missing)
    account.book('lossShare', missing, change)
    this.house.book('lossShare', negate(missing), change)
  }

  /** Shortfall of the balance once no cross position is left to cover it with profit. */
  #missingCross(account: FuturesAccount, { quote }: Contract): Amount {
    if (account.positions(quote).some(({ marginMode }) => marginMode === 'cross')) return ZERO
    const { normal, locked } = account.wallet(quote)
    return negate(add(normal, locked))
  }

  #receiveFee(contract: Contract, fee: Amount, time: number): void {
    const { fees } = this
    fees.book('openingFee', fee, { coin: contract.quote, contract, time })
  }

  #nextPositionId(account: FuturesAccount): number {
    return account === this.house ? 0 : ++this.#positionCount
  }
}

/** Shortfall after a position has paid all it can of it. */
function afterOwnMargin(account: FuturesAccount, position: SimulatedPosition, missing: Amount): Amount {
  const paid = smaller(missing, position.margin)
  if (paid <= ZERO) return missing
  account.addMargin(position, negate(paid))
  return subtract(missing, paid)
}

function positionsOn(account: FuturesAccount, contract: Contract): SimulatedPosition[] {
  const { long, short } = account.slot(contract)
  return [long, short].filter(position => position !== undefined)
}
