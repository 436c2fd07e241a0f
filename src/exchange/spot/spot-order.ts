import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { type ExchangeOrderStatus, orderStatusField } from '../wire/exchange-order-status.ts'
import { listField } from '../wire/list-field.ts'
import { type OrderKind, orderKindField, sideField } from '../wire/order-kind.ts'
import {
  decimalField,
  idIfGiven,
  optionalFlagField,
  optionalIdField,
  optionalPriceField,
  optionalTextField,
  optionalTimeField,
} from '../wire/wire-field.ts'
import { type OrderedVolume, orderedVolumeOf } from './ordered-volume.ts'

/** A spot order, from order queries and lists. */
export interface SpotOrder {
  readonly orderId: string
  readonly clientOrderId: string | undefined
  /** `BASE/QUOTE`. */
  readonly symbol: string
  readonly side: Side
  readonly type: OrderKind
  readonly status: ExchangeOrderStatus
  /** `undefined` for a market order. */
  readonly price: Decimal | undefined
  readonly triggerPrice: Decimal | undefined
  /** An amount of quote for a market buy, base units otherwise. */
  readonly ordered: OrderedVolume
  /** Base units. */
  readonly executedQuantity: Decimal
  /**
   * Average price of the fills; `undefined` without a fill. Rounded by the exchange: own trades are exact.
   */
  readonly averagePrice: Decimal | undefined
  /** True if the order rests on the book; `undefined` if the exchange does not say. */
  readonly isWorking: boolean | undefined
  /** Creation, ms UTC. */
  readonly time: number
}

const wireOrder = z.object({
  orderId: idIfGiven,
  orderIdString: optionalIdField,
  clientOrderId: optionalIdField,
  /** Missing where one pair was asked for. */
  symbol: optionalTextField,
  price: optionalPriceField,
  stopPrice: optionalPriceField,
  origQty: decimalField,
  executedQty: decimalField,
  avgPrice: optionalPriceField,
  type: orderKindField,
  side: sideField,
  status: orderStatusField,
  isWorking: optionalFlagField,
  /** Creation time of a queried order. */
  transactTime: optionalTimeField,
  /** Creation time of a listed order. */
  time: optionalTimeField,
})

/** Answer of the order query; its symbol is still in the exchange's spelling. */
export const spotOrderResponse = wireOrder.transform((wire, context): SpotOrder => {
  const orderId = wire.orderIdString ?? wire.orderId
  const time = wire.transactTime ?? wire.time
  if (orderId !== undefined && time !== undefined) return spotOrderOf(wire, orderId, time)
  const [key, message] =
    orderId === undefined
      ? ['orderId', 'an order needs an id']
      : ['time', 'an order needs transactTime or time']
  context.addIssue({ code: 'custom', path: [key], message })
  return z.NEVER
})

/** Answer of the order lists. */
export const spotOrdersResponse = listField(spotOrderResponse, 'orders', 'orderList')

function spotOrderOf(wire: z.output<typeof wireOrder>, orderId: string, time: number): SpotOrder {
  return {
    orderId,
    clientOrderId: wire.clientOrderId,
    symbol: wire.symbol ?? '',
    side: wire.side,
    type: wire.type,
    status: wire.status,
    price: wire.price,
    triggerPrice: wire.stopPrice,
    ordered: orderedVolumeOf(wire.type, wire.side, wire.origQty),
    executedQuantity: wire.executedQty,
    averagePrice: wire.avgPrice,
    isWorking: wire.isWorking,
    time,
  }
}
