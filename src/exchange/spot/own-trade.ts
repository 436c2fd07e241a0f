import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'
import type { Side } from '../../domain/orders/side.ts'
import { decimalField, idField, listField, optionalIdField, timeField } from '../wire/wire-field.ts'

/** One execution of one of the account's orders, exact. */
export interface OwnTrade {
  readonly id: string
  /** The account's own order: the bid of a buyer, the ask of a seller. */
  readonly orderId: string
  readonly bidId: string
  readonly askId: string
  /** `BASE/QUOTE`. */
  readonly symbol: string
  readonly side: Side
  readonly liquidity: Liquidity
  readonly price: Decimal
  /** Base units. */
  readonly quantity: Decimal
  /** Paid if positive. */
  readonly fee: Decimal
  /** Upper case. */
  readonly feeAsset: string
  /** True if both sides were orders of this account. */
  readonly isSelfTrade: boolean
  readonly bidUserId: string | undefined
  readonly askUserId: string | undefined
  /** ms UTC. */
  readonly time: number
}

const ownTrade = z
  .object({
    symbol: z.string(),
    id: idField,
    bidId: idField,
    askId: idField,
    price: decimalField,
    qty: decimalField,
    time: timeField,
    isBuyer: z.boolean(),
    isMaker: z.boolean(),
    feeCoin: z.string(),
    fee: decimalField,
    bidUserId: optionalIdField,
    askUserId: optionalIdField,
    isSelf: z.boolean().nullish(),
  })
  .transform(
    (wire): OwnTrade => ({
      id: wire.id,
      orderId: wire.isBuyer ? wire.bidId : wire.askId,
      bidId: wire.bidId,
      askId: wire.askId,
      symbol: wire.symbol,
      side: wire.isBuyer ? 'buy' : 'sell',
      liquidity: wire.isMaker ? 'maker' : 'taker',
      price: wire.price,
      quantity: wire.qty,
      fee: wire.fee,
      feeAsset: wire.feeCoin.toUpperCase(),
      isSelfTrade: wire.isSelf ?? false,
      bidUserId: wire.bidUserId,
      askUserId: wire.askUserId,
      time: wire.time,
    }),
  )

/** Answer of the own-trades endpoint, newest first. */
export const ownTradesResponse = listField(ownTrade)
