import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { sideField } from '../wire/order-kind.ts'
import {
  codeField,
  decimalField,
  flagField,
  idField,
  optionalDecimalField,
  optionalIdField,
} from '../wire/wire-field.ts'
import { POSITION_TYPE_CODES, type PositionType } from './futures-code.ts'

/** Reads the direction of a position from its side: BUY is long, SELL is short. */
export const directionField = sideField.transform((side): Direction => (side === 'buy' ? 'long' : 'short'))

/** Numbers of what a position is locked by. */
const LOCK_CODES = { none: 0, liquidation: 1, delivery: 2 } as const

/** A position; volumes count contracts, prices quote, money the margin coin, rates are fractions. */
export interface FuturesPosition {
  readonly id: string
  readonly uid: string
  readonly contractId: string
  readonly brokerId: string | undefined
  readonly direction: Direction
  readonly positionType: PositionType
  readonly leverage: Decimal
  /** Whether it is still held. */
  readonly isEffective: boolean
  /** Whether it is being liquidated or delivered. */
  readonly lock: keyof typeof LOCK_CODES
  readonly volume: Decimal
  /** Closed so far. */
  readonly closedVolume: Decimal
  /** In closing orders. */
  readonly pendingCloseVolume: Decimal
  readonly openPrice: Decimal
  /** Average price of the position. */
  readonly averagePrice: Decimal
  /** Average price of what was closed. */
  readonly closePrice: Decimal
  /** Price at which it is liquidated. */
  readonly liquidationPrice: Decimal
  /** The newest mark price (the exchange calls it indexPrice). */
  readonly markPrice: Decimal
  /** Margin the position stands on. */
  readonly margin: Decimal
  /** Volume × multiplier × mark price. */
  readonly value: Decimal
  readonly unrealizedPnl: Decimal
  /** Unrealized profit since the position was opened. */
  readonly openUnrealizedPnl: Decimal
  readonly realizedPnl: Decimal
  /** Profit of what was closed, with fees, funding and shared losses. */
  readonly historyRealizedPnl: Decimal
  readonly closePnl: Decimal
  readonly settledPnl: Decimal
  /** Negative when paid. */
  readonly fee: Decimal
  /** Negative when paid. */
  readonly fundingFee: Decimal
  /** Part of a loss that was shared among winners. */
  readonly sharedLoss: Decimal
  /** Equity ÷ value. */
  readonly marginRate: Decimal
  /** Maintenance margin ÷ value. */
  readonly maintenanceRate: Decimal
  /** Unrealized profit ÷ margin at opening. */
  readonly returnRate: Decimal
  readonly maxFeeRate: Decimal
  /** Margin at opening, on the hosts that tell it. */
  readonly openMargin: Decimal | undefined
  /** As the exchange writes it: a date and time without a zone. */
  readonly createdAt: string
  /** As the exchange writes it: a date and time without a zone. */
  readonly updatedAt: string
}

const wirePosition = z.object({
  id: idField,
  uid: idField,
  contractId: idField,
  brokerId: optionalIdField,
  side: directionField,
  positionType: codeField(POSITION_TYPE_CODES),
  leverageLevel: decimalField,
  status: flagField,
  freezeLock: codeField(LOCK_CODES),
  volume: decimalField,
  closeVolume: decimalField,
  pendingCloseVolume: decimalField,
  openPrice: decimalField,
  avgPrice: decimalField,
  closePrice: decimalField,
  reducePrice: decimalField,
  indexPrice: decimalField,
  holdAmount: decimalField,
  positionBalance: decimalField,
  unRealizedAmount: decimalField,
  openRealizedAmount: decimalField,
  realizedAmount: decimalField,
  historyRealizedAmount: decimalField,
  closeProfit: decimalField,
  settleProfit: decimalField,
  tradeFee: decimalField,
  capitalFee: decimalField,
  shareAmount: decimalField,
  marginRate: decimalField,
  keepRate: decimalField,
  returnRate: decimalField,
  maxFeeRate: decimalField,
  openAmount: optionalDecimalField,
  ctime: z.string(),
  mtime: z.string(),
})

/** A position on the wire (interface section 2.17, meanings by the supplement). */
export const futuresPositionField = wirePosition.transform(
  (wire): FuturesPosition => ({
    id: wire.id,
    uid: wire.uid,
    contractId: wire.contractId,
    brokerId: wire.brokerId,
    direction: wire.side,
    positionType: wire.positionType,
    leverage: wire.leverageLevel,
    isEffective: wire.status,
    lock: wire.freezeLock,
    volume: wire.volume,
    closedVolume: wire.closeVolume,
    pendingCloseVolume: wire.pendingCloseVolume,
    openPrice: wire.openPrice,
    averagePrice: wire.avgPrice,
    closePrice: wire.closePrice,
    liquidationPrice: wire.reducePrice,
    markPrice: wire.indexPrice,
    margin: wire.holdAmount,
    value: wire.positionBalance,
    unrealizedPnl: wire.unRealizedAmount,
    openUnrealizedPnl: wire.openRealizedAmount,
    realizedPnl: wire.realizedAmount,
    historyRealizedPnl: wire.historyRealizedAmount,
    closePnl: wire.closeProfit,
    settledPnl: wire.settleProfit,
    fee: wire.tradeFee,
    fundingFee: wire.capitalFee,
    sharedLoss: wire.shareAmount,
    marginRate: wire.marginRate,
    maintenanceRate: wire.keepRate,
    returnRate: wire.returnRate,
    maxFeeRate: wire.maxFeeRate,
    openMargin: wire.openAmount,
    createdAt: wire.ctime,
    updatedAt: wire.mtime,
  }),
)
