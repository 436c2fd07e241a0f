import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { type ExchangeOrderStatus, orderStatusField } from '../wire/exchange-order-status.ts'
import { listField, listOrOneField } from '../wire/list-field.ts'
import { type OrderKind, orderKindField, sideField } from '../wire/order-kind.ts'
import {
  decimalField,
  idField,
  optionalDecimalField,
  optionalIdField,
  optionalPriceField,
  optionalTextField,
  timeField,
} from '../wire/wire-field.ts'
import type { PositionAction } from './futures-code.ts'
import { positionActionField } from './position-action.ts'

/** One execution in an order's details. */
interface FuturesFill {
  readonly tradeId: string
  readonly price: Decimal
  /** Contracts. */
  readonly volume: Decimal
  /** `undefined` if the exchange does not give it. */
  readonly fee: Decimal | undefined
  readonly feeAsset: string | undefined
}

/** A futures order, from order details or from the list of open orders. */
export interface FuturesOrder {
  readonly orderId: string
  /** `undefined` on hosts that omit it. */
  readonly clientOrderId: string | undefined
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  /** Name of the pair, in details only. */
  readonly symbol: string | undefined
  readonly side: Side
  readonly action: PositionAction
  readonly type: OrderKind
  readonly status: ExchangeOrderStatus
  /** `undefined` for a market order. */
  readonly price: Decimal | undefined
  /** Contracts. */
  readonly orderedVolume: Decimal
  /** Contracts. */
  readonly executedVolume: Decimal
  /** Average price of the fills; `undefined` without a fill. */
  readonly averagePrice: Decimal | undefined
  /** In details only. */
  readonly fee: Decimal | undefined
  /** Profit of the order, in details only. */
  readonly realizedPnl: Decimal | undefined
  /** Empty on hosts that omit them. */
  readonly fills: readonly FuturesFill[]
  /** Creation, ms UTC. */
  readonly time: number
}

const fill = z
  .object({
    tradeId: idField,
    price: decimalField,
    qty: decimalField,
    commission: optionalDecimalField,
    commissionCoin: optionalTextField,
  })
  .transform(
    ({ tradeId, price, qty, commission, commissionCoin }): FuturesFill => ({
      tradeId,
      price,
      volume: qty,
      fee: commission,
      feeAsset: commissionCoin,
    }),
  )

/**
 * An order with a time in force has the type LIMIT, and the time in force gives its kind; other texts in that
 * field have no meaning.
 */
const TIMES_IN_FORCE: ReadonlySet<string | undefined> = new Set(['IOC', 'FOK', 'POST_ONLY'])

const order = z
  .object({
    orderId: idField,
    clientId: optionalIdField,
    clientOrderId: optionalIdField,
    contractName: optionalTextField,
    symbol: optionalTextField,
    side: sideField,
    action: positionActionField,
    type: orderKindField,
    timeInForce: optionalTextField,
    status: orderStatusField,
    price: optionalPriceField,
    origQty: decimalField,
    executedQty: decimalField,
    avgPrice: optionalPriceField,
    tradeFee: optionalDecimalField,
    realizedAmount: optionalDecimalField,
    fills: listField(fill).nullish(),
    transactTime: timeField,
  })
  .transform(
    (wire): FuturesOrder => ({
      orderId: wire.orderId,
      clientOrderId: wire.clientOrderId ?? wire.clientId,
      contractName: wire.contractName?.toUpperCase() ?? '',
      symbol: wire.symbol,
      side: wire.side,
      action: wire.action,
      type: TIMES_IN_FORCE.has(wire.timeInForce) ? orderKindField.parse(wire.timeInForce) : wire.type,
      status: wire.status,
      price: wire.price,
      orderedVolume: wire.origQty,
      executedVolume: wire.executedQty,
      averagePrice: wire.avgPrice,
      fee: wire.tradeFee,
      realizedPnl: wire.realizedAmount,
      fills: wire.fills ?? [],
      time: wire.transactTime,
    }),
  )

/** Answer of the order lists; order details of one order may come without a list around them. */
export const futuresOrdersResponse = listOrOneField(order, 'orders', 'orderList')
