import type { Direction } from '../../domain/orders/side.ts'
import type { Contract } from './contract.ts'
import type { SimulatedMarginMode, SimulatedPosition } from './positions/position.ts'

/** One net position of a contract, or a long and a short one side by side (positionModel 1 and 2). */
export type SimulatedPositionMode = 'net' | 'twoWay'

/** Settings of a contract until the account changes them. */
export interface SlotDefaults {
  readonly positionMode: SimulatedPositionMode
  readonly marginMode: SimulatedMarginMode
  readonly leverage: number
}

/** Settings and positions of one account on one contract. */
export interface ContractSlot {
  readonly contract: Contract
  positionMode: SimulatedPositionMode
  marginMode: SimulatedMarginMode
  leverage: number
  long: SimulatedPosition | undefined
  short: SimulatedPosition | undefined
}

/** A contract that the account has not touched; the leverage is brought within the contract's bounds. */
export function emptySlot(contract: Contract, { leverage, ...modes }: SlotDefaults): ContractSlot {
  const { min, max } = contract.leverage
  const possible = Math.max(1, min, Math.min(max, leverage))
  return { contract, ...modes, leverage: possible, long: undefined, short: undefined }
}

/** True without a position. */
export function isFlat({ long, short }: ContractSlot): boolean {
  return long === undefined && short === undefined
}

/** Puts a position into its place, or takes it out. */
export function setPosition(
  slot: ContractSlot,
  direction: Direction,
  position: SimulatedPosition | undefined,
): void {
  slot[direction] = position
}
