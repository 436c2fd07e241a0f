import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { listField } from '../wire/list-field.ts'
import {
  codeField,
  decimalIfGiven,
  idField,
  optionalIdField,
  optionalTextField,
  optionalTimeField,
  timeField,
} from '../wire/wire-field.ts'
import { POSITION_TYPE_CODES, type PositionType } from './futures-code.ts'
import { directionField } from './futures-position.ts'

/** Realized profit of a position; money in the margin coin. A figure that a host omits is `undefined`. */
export interface FuturesProfit {
  readonly id: string
  readonly contractId: string | undefined
  readonly contractName: string | undefined
  readonly direction: Direction
  readonly positionType: PositionType | undefined
  readonly leverage: Decimal | undefined
  /** Contracts. */
  readonly volume: Decimal | undefined
  readonly openPrice: Decimal | undefined
  /** Average price of the position. */
  readonly averagePrice: Decimal | undefined
  /** Negative when paid. */
  readonly fee: Decimal | undefined
  /** Negative when paid. */
  readonly fundingFee: Decimal | undefined
  readonly realizedPnl: Decimal | undefined
  readonly closePnl: Decimal | undefined
  readonly settledPnl: Decimal | undefined
  /** Share of losses of other traders, charged to profitable positions. */
  readonly sharedLoss: Decimal | undefined
  /** closePnl + fee + fundingFee + sharedLoss. */
  readonly totalPnl: Decimal | undefined
  /** ms UTC. */
  readonly createdTime: number
  /** ms UTC. */
  readonly updatedTime: number | undefined
}

const profit = z
  .object({
    id: idField,
    contractId: optionalIdField,
    contractName: optionalTextField,
    side: directionField,
    positionType: codeField(POSITION_TYPE_CODES).nullish(),
    leverageLevel: decimalIfGiven,
    volume: decimalIfGiven,
    openPrice: decimalIfGiven,
    openEndPrice: decimalIfGiven,
    tradeFee: decimalIfGiven,
    capitalFee: decimalIfGiven,
    realizedAmount: decimalIfGiven,
    closeProfit: decimalIfGiven,
    settleProfit: decimalIfGiven,
    shareAmount: decimalIfGiven,
    historyRealizedAmount: decimalIfGiven,
    ctime: timeField,
    mtime: optionalTimeField,
  })
  .transform(
    (wire): FuturesProfit => ({
      id: wire.id,
      contractId: wire.contractId,
      contractName: wire.contractName,
      direction: wire.side,
      positionType: wire.positionType ?? undefined,
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
export const futuresProfitsResponse = listField(profit, 'profits')
