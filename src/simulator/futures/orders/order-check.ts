import { type Amount, amountToText, ONE_RATE, type Rate } from '../../../domain/numbers/amount.ts'
import { type Steps, steps, type Ticks, ticks } from '../../../domain/numbers/grid.ts'
import type { Side } from '../../../domain/orders/side.ts'
import { ApiError } from '../../protocol/api-error.ts'
import { type Contract, contractInitialMargin, contractsWorth, feeAt, maxFeeRateOf } from '../contract.ts'
import type { ContractSlot } from '../contract-slot.ts'
import type { SimulatedFuturesOrder } from '../positions/futures-account.ts'
import { closedDirection, isLive, openVolumeOf } from './futures-order.ts'
import type { FuturesOrderDraft } from './futures-order-draft.ts'

/** Holds an order against the limits of its contract (interface section 2.10), at `price` if it has none; throws `ApiError`. */
export function checkLimits(draft: FuturesOrderDraft, price: Ticks): void {
  const { contract, volume, type, action } = draft
  if (volume < contract.minOrderVolume) {
    throw new ApiError('ORDER_QUANTITY_TOO_SMALL', String(contract.minOrderVolume))
  }
  const value = contractsWorth(contract, draft.price ?? price, volume)
  const [maxVolume, maxMoney] =
    type === 'MARKET'
      ? [contract.maxMarketVolume, contract.maxMarketMoney]
      : [contract.maxLimitVolume, contract.maxLimitMoney]
  if (volume > maxVolume) throw new ApiError('PARAM_ERROR', `the volume is above the maximum of ${maxVolume}`)
  if (value > maxMoney) {
    throw new ApiError('PARAM_ERROR', `the value is above the maximum of ${amountToText(maxMoney)}`)
  }
  if (action === 'OPEN' && value < contract.minOrderMoney) {
    throw new ApiError('MINIMUM_NOTIONAL', amountToText(contract.minOrderMoney))
  }
}

/** The worst price the band allows: above the mark price for a buy, below it for a sell; the other way every price is allowed. */
export function bandLimit(side: Side, mark: Ticks, band: Rate): Ticks {
  const exact = BigInt(mark) * (side === 'buy' ? ONE_RATE + band : ONE_RATE - band)
  const limit = side === 'buy' ? exact / ONE_RATE : (exact + ONE_RATE - 1n) / ONE_RATE
  return ticks(Math.max(1, Number(limit)))
}

/** Throws `ApiError` for a price beyond the band. */
export function checkBand(side: Side, price: Ticks, limit: Ticks): void {
  if (side === 'buy' ? price > limit : price < limit) throw new ApiError('ORDER_PRICE_WAVE_EXCEED')
}

/** Margin plus the largest fee of one contract at a price: the reserve of an opening order per contract. */
export function reservePerContract(contract: Contract, price: Ticks, leverage: number): Amount {
  const value = contractsWorth(contract, price, steps(1))
  return (contractInitialMargin(value, leverage) + feeAt(value, maxFeeRateOf(contract))) as Amount // a sum of amounts
}

/** Contracts of a position that no live order is closing already. */
export function closableVolume(
  slot: ContractSlot,
  side: Side,
  waiting: readonly SimulatedFuturesOrder[],
): number {
  const held = slot[closedDirection(side)]?.volume ?? 0
  return held - closingVolume(slot, side, waiting)
}

/** Contracts that live orders on `side` would close (pendingCloseVolume). */
export function closingVolume(
  { contract }: ContractSlot,
  side: Side,
  waiting: readonly SimulatedFuturesOrder[],
): number {
  return waiting
    .filter(order => order.contract === contract && order.side === side)
    .filter(order => order.action === 'CLOSE' && isLive(order))
    .reduce((total, order) => total + openVolumeOf(order), 0)
}

/** Throws `ApiError` for a volume that cannot be closed. */
export function checkClosable(
  slot: ContractSlot,
  side: Side,
  volume: Steps,
  waiting: readonly SimulatedFuturesOrder[],
): void {
  const held = slot[closedDirection(side)]
  if (held === undefined) throw new ApiError('CLOSE_EXCEEDS_AVAILABLE')
  if (volume > held.volume) throw new ApiError('CLOSE_EXCEEDS_POSITION')
  if (volume > closableVolume(slot, side, waiting)) throw new ApiError('CLOSE_EXCEEDS_AVAILABLE')
}
