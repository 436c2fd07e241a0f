import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { anyPartsField, listField, type UnreadableEntry } from '../wire/list-field.ts'
import {
  decimalField,
  optionalDecimalField,
  optionalIdField,
  optionalTextField,
  textField,
} from '../wire/wire-field.ts'
import { type FuturesPosition, futuresPositionField } from './futures-position.ts'

interface ContractPositions {
  readonly contractId: string | undefined
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  /** Such as `BTC-USDT`. */
  readonly contractSymbol: string | undefined
  readonly positions: readonly FuturesPosition[]
  /** Positions that cannot be read, if there are any. */
  readonly unreadable?: readonly UnreadableEntry[]
}

/**
 * Balance of the futures account in one margin coin; money in that coin, rates are fractions. What a
 * host omits is `undefined`.
 */
export interface FuturesBalance {
  readonly marginCoin: string
  readonly balance: Decimal
  /** Margin frozen by orders. */
  readonly orderMargin: Decimal
  /** Margin of isolated positions. */
  readonly isolatedMargin: Decimal
  /** Initial margin of cross positions. */
  readonly crossMargin: Decimal | undefined
  readonly realizedPnl: Decimal | undefined
  readonly unrealizedPnl: Decimal | undefined
  readonly crossMarginRate: Decimal | undefined
  readonly crossEquity: Decimal | undefined
  readonly isolatedEquity: Decimal | undefined
  /** Cost of the cross positions. */
  readonly crossCost: Decimal | undefined
  /** Margin rate of the whole account. */
  readonly marginRate: Decimal | undefined
  readonly contracts: readonly ContractPositions[]
}

const contractPositions = z
  .object({
    contractId: optionalIdField,
    contractName: textField,
    contractSymbol: optionalTextField,
    positions: anyPartsField(futuresPositionField, 'id'),
  })
  .transform(
    ({ positions, ...wire }): ContractPositions => ({
      ...wire,
      positions: positions.entries,
      ...(positions.unreadable.length > 0 && { unreadable: positions.unreadable }),
    }),
  )

const balance = z
  .object({
    marginCoin: textField,
    accountNormal: decimalField,
    accountLock: decimalField,
    partPositionNormal: decimalField,
    totalPositionNormal: optionalDecimalField,
    achievedAmount: optionalDecimalField,
    unrealizedAmount: optionalDecimalField,
    totalMarginRate: optionalDecimalField,
    totalEquity: optionalDecimalField,
    partEquity: optionalDecimalField,
    totalCost: optionalDecimalField,
    sumMarginRate: optionalDecimalField,
    positionVos: listField(contractPositions).nullish(),
  })
  .transform(
    (wire): FuturesBalance => ({
      marginCoin: wire.marginCoin,
      balance: wire.accountNormal,
      orderMargin: wire.accountLock,
      isolatedMargin: wire.partPositionNormal,
      crossMargin: wire.totalPositionNormal,
      realizedPnl: wire.achievedAmount,
      unrealizedPnl: wire.unrealizedAmount,
      crossMarginRate: wire.totalMarginRate,
      crossEquity: wire.totalEquity,
      isolatedEquity: wire.partEquity,
      crossCost: wire.totalCost,
      marginRate: wire.sumMarginRate,
      contracts: wire.positionVos ?? [],
    }),
  )

/** Answer of the futures account (interface section 2.17; the supplement explains the fields). */
export const futuresAccountResponse = listField(balance, 'account')
