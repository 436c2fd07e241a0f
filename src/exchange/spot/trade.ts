import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { partialListField } from '../wire/list-field.ts'
import { sideField } from '../wire/order-kind.ts'
import { decimalField, idField, timeField } from '../wire/wire-field.ts'

/** A public print. */
export interface ExchangeTrade {
  readonly id: string
  /** `BASE/QUOTE`. */
  readonly symbol: string
  /** Side of the taker. */
  readonly side: Side
  readonly price: Decimal
  /** Base units. */
  readonly quantity: Decimal
  /** ms UTC. */
  readonly time: number
}

const trade = z
  .object({
    id: idField,
    symbol: z.string().nullish(),
    side: sideField,
    price: decimalField,
    qty: decimalField,
    time: timeField,
  })
  .transform(
    ({ id, symbol, side, price, qty, time }): ExchangeTrade => ({
      id,
      symbol: symbol ?? '',
      side,
      price,
      quantity: qty,
      time,
    }),
  )

/** Answer of the public trades endpoint, newest first. */
export const tradesResponse = partialListField(trade, 'id')
