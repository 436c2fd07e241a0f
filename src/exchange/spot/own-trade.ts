import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'
import type { Side } from '../../domain/orders/side.ts'
import { listField } from '../wire/list-field.ts'
import {
  decimalField,
  flagField,
  idField,
  optionalFlagField,
  optionalIdField,
  optionalTextField,
  textField,
  timeField,
} from '../wire/wire-field.ts'

/** One execution of one of the account's orders, exact. */
export interface OwnTrade {
  readonly id: string
  /** The account's own order: the bid of a buyer, the ask of a seller. */
  readonly orderId: string
  /** `undefined` if the exchange does not give it. */
  readonly bidId: string | undefined
  /** `undefined` if the exchange does not give it. */
  readonly askId: string | undefined
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

const wireTrade = z.object({
  /** Missing where one pair was asked for. */
  symbol: optionalTextField,
  id: idField,
  bidId: optionalIdField,
  askId: optionalIdField,
  price: decimalField,
  qty: decimalField,
  time: timeField,
  isBuyer: flagField,
  isMaker: flagField,
  feeCoin: textField,
  fee: decimalField,
  bidUserId: optionalIdField,
  askUserId: optionalIdField,
  isSelf: optionalFlagField,
})

const ownTrade = wireTrade.transform((wire, context): OwnTrade => {
  const orderId = wire.isBuyer ? wire.bidId : wire.askId
  if (orderId !== undefined) return ownTradeOf(wire, orderId)
  const path = [wire.isBuyer ? 'bidId' : 'askId']
  context.addIssue({ code: 'custom', path, message: 'is required, as the id of the own order' })
  return z.NEVER
})

function ownTradeOf(wire: z.output<typeof wireTrade>, orderId: string): OwnTrade {
  return {
    id: wire.id,
    orderId,
    bidId: wire.bidId,
    askId: wire.askId,
    symbol: wire.symbol ?? '',
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
  }
}

/** Answer of the own-trades endpoint, newest first. */
export const ownTradesResponse = listField(ownTrade, 'trades', 'tradeList')
