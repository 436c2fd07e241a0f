import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { decimalField, idField, listField } from '../wire/wire-field.ts'
import { type FuturesPosition, futuresPositionField } from './futures-position.ts'

/** The positions of one contract. */
interface ContractPositions {
  readonly contractId: string
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  /** Such as `BTC-USDT`. */
  readonly contractSymbol: string
  readonly positions: readonly FuturesPosition[]
}

/** Balance of the futures account in one margin coin; money in that coin, rates are fractions. */
export interface FuturesBalance {
  readonly marginCoin: string
  readonly balance: Decimal
  /** Margin frozen by orders. */
  readonly orderMargin: Decimal
  /** Margin of isolated positions. */
  readonly isolatedMargin: Decimal
  /** Initial margin of cross positions. */
  readonly crossMargin: Decimal
  readonly realizedPnl: Decimal
  readonly unrealizedPnl: Decimal
  readonly crossMarginRate: Decimal
  readonly crossEquity: Decimal
  readonly isolatedEquity: Decimal
  /** Cost of the cross positions. */
  readonly crossCost: Decimal
  /** Margin rate of the whole account. */
  readonly marginRate: Decimal
  readonly contracts: readonly ContractPositions[]
}

const contractPositions = z
  .object({
    contractId: idField,
    contractName: z.string(),
    contractSymbol: z.string(),
    positions: listField(futuresPositionField),
  })
  .transform((wire): ContractPositions => wire)

const balance = z
  .object({
    marginCoin: z.string(),
    accountNormal: decimalField,
    accountLock: decimalField,
    partPositionNormal: decimalField,
    totalPositionNormal: decimalField,
    achievedAmount: decimalField,
    unrealizedAmount: decimalField,
    totalMarginRate: decimalField,
    totalEquity: decimalField,
    partEquity: decimalField,
    totalCost: decimalField,
    sumMarginRate: decimalField,
    positionVos: listField(contractPositions).optional(),
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
export const futuresAccountResponse = z.object({ account: listField(balance) })
