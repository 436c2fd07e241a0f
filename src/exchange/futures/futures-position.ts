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

/** Direction of a position by its wire side: BUY is long, SELL is short. */
export const directionField = sideField.transform((side): Direction => (side === 'buy' ? 'long' : 'short'))

/** Wire codes of the reason that locks a position. */
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
  /** True while the position is open. */
  readonly isEffective: boolean
  /** `liquidation` or `delivery` while that is in progress. */
  readonly lock: keyof typeof LOCK_CODES
  readonly volume: Decimal
  /** Closed volume so far. */
  readonly closedVolume: Decimal
  /** Volume in open closing orders. */
  readonly pendingCloseVolume: Decimal
  readonly openPrice: Decimal
  /** Average price of the position. */
  readonly averagePrice: Decimal
  /** Average exit price. */
  readonly closePrice: Decimal
  /** Liquidation price. */
  readonly liquidationPrice: Decimal
  /** The newest mark price (the exchange calls it indexPrice). */
  readonly markPrice: Decimal
  /** Margin of the position. */
  readonly margin: Decimal
  /** Notional: volume × multiplier × mark price. */
  readonly value: Decimal
  readonly unrealizedPnl: Decimal
  /** Unrealized profit since the position was opened. */
  readonly openUnrealizedPnl: Decimal
  readonly realizedPnl: Decimal
  /** Realized profit of the closed part, after fees, funding and shared losses. */
  readonly historyRealizedPnl: Decimal
  readonly closePnl: Decimal
  readonly settledPnl: Decimal
  /** Negative when paid. */
  readonly fee: Decimal
  /** Negative when paid. */
  readonly fundingFee: Decimal
  /** Share of losses of other traders, charged to profitable positions. */
  readonly sharedLoss: Decimal
  /** Equity ÷ notional. */
  readonly marginRate: Decimal
  /** Maintenance margin ÷ notional. */
  readonly maintenanceRate: Decimal
  /** Unrealized profit ÷ margin at opening. */
  readonly returnRate: Decimal
  readonly maxFeeRate: Decimal
  /** Margin at opening; `undefined` on hosts that omit it. */
  readonly openMargin: Decimal | undefined
  /** Date and time without a zone, in the exchange's format. */
  readonly createdAt: string
  /** Date and time without a zone, in the exchange's format. */
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
