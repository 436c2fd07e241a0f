import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { type ExchangeOrderStatus, orderStatusField } from '../wire/exchange-order-status.ts'
import { listField } from '../wire/list-field.ts'
import { type OrderKind, orderKindField, sideField } from '../wire/order-kind.ts'
import {
  codeField,
  decimalField,
  idField,
  integerIfGiven,
  laterTimeField,
  optionalDecimalField,
  optionalIdField,
  optionalPriceField,
  optionalTextField,
} from '../wire/wire-field.ts'
import { POSITION_TYPE_CODES, type PositionAction, type PositionType } from './futures-code.ts'
import { positionActionField } from './position-action.ts'

/** A futures order in the history. Rates are fractions; what a host omits is `undefined`. */
export interface FuturesHistoryOrder {
  readonly orderId: string
  readonly clientOrderId: string | undefined
  readonly contractName: string
  readonly contractId: string | undefined
  readonly side: Side
  readonly action: PositionAction
  readonly type: OrderKind
  readonly status: ExchangeOrderStatus
  readonly positionType: PositionType | undefined
  readonly leverage: Decimal | undefined
  /** `undefined` for a market order. */
  readonly price: Decimal | undefined
  /** Contracts. */
  readonly orderedVolume: Decimal
  /** Contracts. */
  readonly executedVolume: Decimal
  /** Quote: contracts × multiplier × average price. */
  readonly executedValue: Decimal | undefined
  /** Average price of the fills; `undefined` without a fill. */
  readonly averagePrice: Decimal | undefined
  readonly openTakerFeeRate: Decimal | undefined
  readonly openMakerFeeRate: Decimal | undefined
  readonly closeTakerFeeRate: Decimal | undefined
  readonly closeMakerFeeRate: Decimal | undefined
  readonly fee: Decimal | undefined
  readonly realizedPnl: Decimal | undefined
  /** Creation, ms UTC. */
  readonly time: number
}

const order = z
  .object({
    orderId: idField,
    clientId: optionalIdField,
    contractName: optionalTextField,
    contractId: optionalIdField,
    side: sideField,
    openOrClose: positionActionField,
    type: orderKindField,
    status: orderStatusField,
    positionType: codeField(POSITION_TYPE_CODES).nullish(),
    leverageLevel: optionalDecimalField,
    price: optionalPriceField,
    volume: decimalField,
    dealVolume: decimalField,
    dealMoney: optionalDecimalField,
    avgPrice: optionalPriceField,
    openTakerFeeRate: optionalDecimalField,
    openMakerFeeRate: optionalDecimalField,
    closeTakerFeeRate: optionalDecimalField,
    closeMakerFeeRate: optionalDecimalField,
    fee: optionalDecimalField,
    realizedAmount: optionalDecimalField,
    ctimeMs: integerIfGiven(0),
    /** The same time, on some hosts as text without a zone. */
    ctime: laterTimeField,
  })
  .transform((wire, context): FuturesHistoryOrder => {
    const time = wire.ctimeMs ?? wire.ctime
    if (time === undefined) {
      context.addIssue({ code: 'custom', path: ['ctimeMs'], message: 'must be a time in ms' })
      return z.NEVER
    }
    return {
      orderId: wire.orderId,
      clientOrderId: wire.clientId,
      contractName: wire.contractName?.toUpperCase() ?? '',
      contractId: wire.contractId,
      side: wire.side,
      action: wire.openOrClose,
      type: wire.type,
      status: wire.status,
      positionType: wire.positionType ?? undefined,
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
      time,
    }
  })

/** Answer of the order history, newest first. */
export const futuresHistoryOrdersResponse = listField(order, 'orders', 'orderList')
