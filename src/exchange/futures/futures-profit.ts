import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Direction } from '../../domain/orders/side.ts'
import {
  codeField,
  decimalField,
  idField,
  listField,
  optionalTextField,
  timeField,
} from '../wire/wire-field.ts'
import { POSITION_TYPE_CODES, type PositionType } from './futures-code.ts'
import { directionField } from './futures-position.ts'

/** Realized profit of a position; money in the margin coin. */
export interface FuturesProfit {
  readonly id: string
  readonly contractId: string
  /** `undefined` on hosts that omit it. */
  readonly contractName: string | undefined
  readonly direction: Direction
  readonly positionType: PositionType
  readonly leverage: Decimal
  /** Contracts. */
  readonly volume: Decimal
  readonly openPrice: Decimal
  /** Average price of the position. */
  readonly averagePrice: Decimal
  /** Negative when paid. */
  readonly fee: Decimal
  /** Negative when paid. */
  readonly fundingFee: Decimal
  readonly realizedPnl: Decimal
  readonly closePnl: Decimal
  readonly settledPnl: Decimal
  /** Share of losses of other traders, charged to profitable positions. */
  readonly sharedLoss: Decimal
  /** closePnl + fee + fundingFee + sharedLoss. */
  readonly totalPnl: Decimal
  /** ms UTC. */
  readonly createdTime: number
  /** ms UTC. */
  readonly updatedTime: number
}

const profit = z
  .object({
    id: idField,
    contractId: idField,
    contractName: optionalTextField,
    side: directionField,
    positionType: codeField(POSITION_TYPE_CODES),
    leverageLevel: decimalField,
    volume: decimalField,
    openPrice: decimalField,
    openEndPrice: decimalField,
    tradeFee: decimalField,
    capitalFee: decimalField,
    realizedAmount: decimalField,
    closeProfit: decimalField,
    settleProfit: decimalField,
    shareAmount: decimalField,
    historyRealizedAmount: decimalField,
    ctime: timeField,
    mtime: timeField,
  })
  .transform(
    (wire): FuturesProfit => ({
      id: wire.id,
      contractId: wire.contractId,
      contractName: wire.contractName,
      direction: wire.side,
      positionType: wire.positionType,
      leverage: wire.leverageLevel,
      volume: wire.volume,
      openPrice: wire.openPrice,
      averagePrice: wire.openEndPrice,
      fee: wire.tradeFee,
      fundingFee: wire.capitalFee,
      realizedPnl: wire.realizedAmount,
      closePnl: wire.closeProfit,
      settledPnl: wire.settleProfit,
      sharedLoss: wire.shareAmount,
      totalPnl: wire.historyRealizedAmount,
      createdTime: wire.ctime,
      updatedTime: wire.mtime,
    }),
  )

/** Answer of the profit history, newest first. */
export const futuresProfitsResponse = listField(profit)
