import { quantityUnit } from '../../domain/instrument.ts'
import { quantityText } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { AccountPosition } from '../../execution/reconciliation/position-differences.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { quantityWithUnit } from './position-text.ts'

/** Contracts on the account: all of a position, or those of others in it, which no command of this bot closes. */
export interface ForeignStatus {
  readonly symbol: string
  /** Name at the exchange. */
  readonly contract: string
  readonly direction: Direction
  /** In `unit`. */
  readonly quantity: string
  readonly unit: string
}

/** Contracts on the account, for people. */
export function foreignStatus(
  ledger: Pick<Ledger, 'instrument'>,
  { symbol, contractName, direction, quantity }: AccountPosition,
): ForeignStatus {
  const instrument = ledger.instrument(symbol)
  const unit = quantityUnit(instrument)
  return { symbol, contract: contractName, direction, quantity: quantityText(instrument, quantity), unit }
}

/** `LONG 703 contracts of BTC/USDT (E-BTC-USDT)`, or `no LONG contracts of BTC/USDT (E-BTC-USDT)`. */
export function accountText(one: ForeignStatus): string {
  const { symbol, contract, direction, quantity, unit } = one
  return quantity === '0'
    ? `no ${direction.toUpperCase()} ${unit} of ${symbol} (${contract})`
    : foreignText(one)
}

/** `LONG 4 contracts of BTC/USDT (E-BTC-USDT)`. */
export function foreignText({ symbol, contract, direction, quantity, unit }: ForeignStatus): string {
  return `${direction.toUpperCase()} ${quantityWithUnit(quantity, unit)} of ${symbol} (${contract})`
}
