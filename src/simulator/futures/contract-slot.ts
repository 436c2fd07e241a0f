import type { Direction } from '../../domain/orders/side.ts'
import type { Contract } from './contract.ts'
import type { MarginMode, Position } from './positions/position.ts'

/** One net position of a contract, or a long and a short one side by side (positionModel 1 and 2). */
export type PositionMode = 'net' | 'twoWay'

/** Settings of a contract until the account changes them. */
export interface SlotDefaults {
  readonly positionMode: PositionMode
  readonly marginMode: MarginMode
  readonly leverage: number
}

/** Settings and positions of one account on one contract. */
export interface ContractSlot {
  readonly contract: Contract
  positionMode: PositionMode
  marginMode: MarginMode
  leverage: number
  long: Position | undefined
  short: Position | undefined
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
export function setPosition(slot: ContractSlot, direction: Direction, position: Position | undefined): void {
  slot[direction] = position
}
