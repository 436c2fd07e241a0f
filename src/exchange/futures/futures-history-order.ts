import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { type ExchangeOrderStatus, orderStatusField } from '../wire/exchange-order-status.ts'
import { type OrderKind, orderKindField, sideField } from '../wire/order-kind.ts'
import {
  codeField,
  decimalField,
  idField,
  listField,
  optionalDecimalField,
  optionalIdField,
  optionalPriceField,
  timeField,
} from '../wire/wire-field.ts'
import { POSITION_TYPE_CODES, type PositionAction, type PositionType } from './futures-code.ts'
import { positionActionField } from './position-action.ts'

/** A futures order in the history. Rates are fractions. */
export interface FuturesHistoryOrder {
  readonly orderId: string
  readonly clientOrderId: string | undefined
  readonly contractName: string
  readonly contractId: string
  readonly side: Side
  readonly action: PositionAction
  readonly type: OrderKind
  readonly status: ExchangeOrderStatus
  readonly positionType: PositionType
  readonly leverage: Decimal
  /** `undefined` for a market order. */
  readonly price: Decimal | undefined
  /** Contracts. */
  readonly orderedVolume: Decimal
  /** Contracts. */
  readonly executedVolume: Decimal
  /** Quote: contracts × multiplier × average price. */
  readonly executedValue: Decimal
  /** Average price of the fills; `undefined` without a fill. */
  readonly averagePrice: Decimal | undefined
  readonly openTakerFeeRate: Decimal
  readonly openMakerFeeRate: Decimal
  readonly closeTakerFeeRate: Decimal
  readonly closeMakerFeeRate: Decimal
  /** `undefined` on hosts that omit it. */
  readonly fee: Decimal | undefined
  /** `undefined` on hosts that omit it. */
  readonly realizedPnl: Decimal | undefined
  /** Creation, ms UTC. */
  readonly time: number
}

const order = z
  .object({
    orderId: idField,
    clientId: optionalIdField,
    contractName: z.string(),
    contractId: idField,
    side: sideField,
    openOrClose: positionActionField,
    type: orderKindField,
    status: orderStatusField,
    positionType: codeField(POSITION_TYPE_CODES),
    leverageLevel: decimalField,
    price: optionalPriceField,
    volume: decimalField,
    dealVolume: decimalField,
    dealMoney: decimalField,
    avgPrice: optionalPriceField,
    openTakerFeeRate: decimalField,
    openMakerFeeRate: decimalField,
    closeTakerFeeRate: decimalField,
    closeMakerFeeRate: decimalField,
    fee: optionalDecimalField,
    realizedAmount: optionalDecimalField,
    /** `ctime` is the same time as text without a zone. */
    ctimeMs: timeField,
  })
  .transform(
    (wire): FuturesHistoryOrder => ({
      orderId: wire.orderId,
      clientOrderId: wire.clientId,
      contractName: wire.contractName.toUpperCase(),
      contractId: wire.contractId,
      side: wire.side,
      action: wire.openOrClose,
      type: wire.type,
      status: wire.status,
      positionType: wire.positionType,
      leverage: wire.leverageLevel,
      price: wire.price,
      orderedVolume: wire.volume,
      executedVolume: wire.dealVolume,
      executedValue: wire.dealMoney,
      averagePrice: wire.avgPrice,
      openTakerFeeRate: wire.openTakerFeeRate,
      openMakerFeeRate: wire.openMakerFeeRate,
      closeTakerFeeRate: wire.closeTakerFeeRate,
      closeMakerFeeRate: wire.closeMakerFeeRate,
      fee: wire.fee,
      realizedPnl: wire.realizedAmount,
      time: wire.ctimeMs,
    }),
  )

/** Answer of the order history, newest first. */
export const futuresHistoryOrdersResponse = listField(order)
