import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { sideField } from '../wire/order-kind.ts'
import {
  codeField,
  decimalField,
  idField,
  optionalDecimalField,
  optionalFlagField,
  optionalIdField,
  optionalTextField,
} from '../wire/wire-field.ts'
import { POSITION_TYPE_CODES, type PositionType } from './futures-code.ts'

/** Direction of a position by its wire side: BUY is long, SELL is short. */
export const directionField = sideField.transform((side): Direction => (side === 'buy' ? 'long' : 'short'))

/** Wire codes of the reason that locks a position. */
const LOCK_CODES = { none: 0, liquidation: 1, delivery: 2 } as const

/**
 * A position; volumes count contracts, prices quote, money the margin coin, rates are fractions. What a host
 * omits is `undefined`.
 */
export interface FuturesPosition {
  readonly id: string
  readonly uid: string | undefined
  readonly contractId: string | undefined
  readonly brokerId: string | undefined
  readonly direction: Direction
  readonly positionType: PositionType
  readonly leverage: Decimal
  /** True while the position is open. */
  readonly isEffective: boolean | undefined
  /** `liquidation` or `delivery` while that is in progress. */
  readonly lock: keyof typeof LOCK_CODES | undefined
  readonly volume: Decimal
  readonly closedVolume: Decimal | undefined
  /** Volume in open closing orders. */
  readonly pendingCloseVolume: Decimal | undefined
  readonly openPrice: Decimal | undefined
  readonly averagePrice: Decimal | undefined
  /** Average exit price. */
  readonly closePrice: Decimal | undefined
  readonly liquidationPrice: Decimal | undefined
  /** The newest mark price (the exchange calls it indexPrice). */
  readonly markPrice: Decimal | undefined
  readonly margin: Decimal
  /** Notional: volume × multiplier × mark price. */
  readonly value: Decimal | undefined
  readonly unrealizedPnl: Decimal | undefined
  /** Unrealized profit since the position was opened. */
  readonly openUnrealizedPnl: Decimal | undefined
  readonly realizedPnl: Decimal | undefined
  /** Realized profit of the closed part, after fees, funding and shared losses. */
  readonly historyRealizedPnl: Decimal | undefined
  readonly closePnl: Decimal | undefined
  readonly settledPnl: Decimal | undefined
  /** Negative when paid. */
  readonly fee: Decimal | undefined
  /** Negative when paid. */
  readonly fundingFee: Decimal | undefined
  /** Share of losses of other traders, charged to profitable positions. */
  readonly sharedLoss: Decimal | undefined
  /** Equity ÷ notional. */
  readonly marginRate: Decimal | undefined
  /** Maintenance margin ÷ notional. */
  readonly maintenanceRate: Decimal | undefined
  /** Unrealized profit ÷ margin at opening. */
  readonly returnRate: Decimal | undefined
  readonly maxFeeRate: Decimal | undefined
  readonly openMargin: Decimal | undefined
  /** Date and time without a zone, in the exchange's format. */
  readonly createdAt: string | undefined
  /** Date and time without a zone, in the exchange's format. */
  readonly updatedAt: string | undefined
}

const wirePosition = z.object({
  id: idField,
  uid: optionalIdField,
  contractId: optionalIdField,
  brokerId: optionalIdField,
  side: directionField,
  positionType: codeField(POSITION_TYPE_CODES),
  leverageLevel: decimalField,
  status: optionalFlagField,
  freezeLock: codeField(LOCK_CODES).optional().catch(undefined),
  volume: decimalField,
  closeVolume: optionalDecimalField,
  pendingCloseVolume: optionalDecimalField,
  openPrice: optionalDecimalField,
  avgPrice: optionalDecimalField,
  closePrice: optionalDecimalField,
  reducePrice: optionalDecimalField,
  indexPrice: optionalDecimalField,
  holdAmount: decimalField,
  positionBalance: optionalDecimalField,
  unRealizedAmount: optionalDecimalField,
  openRealizedAmount: optionalDecimalField,
  realizedAmount: optionalDecimalField,
  historyRealizedAmount: optionalDecimalField,
  closeProfit: optionalDecimalField,
  settleProfit: optionalDecimalField,
  tradeFee: optionalDecimalField,
  capitalFee: optionalDecimalField,
  shareAmount: optionalDecimalField,
  marginRate: optionalDecimalField,
  keepRate: optionalDecimalField,
  returnRate: optionalDecimalField,
  maxFeeRate: optionalDecimalField,
  openAmount: optionalDecimalField,
  ctime: optionalTextField,
  mtime: optionalTextField,
})

/** A position on the wire (interface section 2.17; the supplement explains the fields). */
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
