import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'
import type { Side } from '../../domain/orders/side.ts'
import { sideField } from '../wire/order-kind.ts'
import {
  decimalField,
  idField,
  listField,
  optionalDecimalField,
  optionalIdField,
  optionalTextField,
  timeField,
} from '../wire/wire-field.ts'

/** One execution of one of the account's futures orders, exact. */
export interface FuturesTrade {
  readonly id: string
  /** The account's own order: the bid of a buyer, the ask of a seller. */
  readonly orderId: string
  readonly bidId: string
  readonly askId: string
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  /** Name of the pair, as the exchange spells it. */
  readonly symbol: string | undefined
  readonly side: Side
  readonly liquidity: Liquidity
  readonly price: Decimal
  /** Contracts. */
  readonly volume: Decimal
  /** Quote: contracts × multiplier × price; `undefined` if the exchange does not give it. */
  readonly value: Decimal | undefined
  /** Paid if positive, in the margin coin. */
  readonly fee: Decimal
  readonly bidUserId: string | undefined
  readonly askUserId: string | undefined
  /** ms UTC. */
  readonly time: number
}

const wireTrade = z.object({
  tradeId: optionalIdField,
  /** Another spelling of `tradeId`. */
  id: optionalIdField,
  bidId: idField,
  askId: idField,
  contractName: optionalTextField,
  symbol: optionalTextField,
  side: sideField.optional(),
  isBuyer: z.boolean(),
  isMaker: z.boolean(),
  price: decimalField,
  qty: decimalField,
  amount: optionalDecimalField,
  fee: decimalField,
  bidUserId: optionalIdField,
  askUserId: optionalIdField,
  time: timeField,
})

const trade = wireTrade.transform((wire, context): FuturesTrade => {
  const id = wire.tradeId ?? wire.id
  if (id !== undefined) return tradeOf(wire, id)
  context.addIssue({ code: 'custom', path: ['tradeId'], message: 'a trade needs an id' })
  return z.NEVER
})

function tradeOf(wire: z.output<typeof wireTrade>, id: string): FuturesTrade {
  return {
    id,
    orderId: wire.isBuyer ? wire.bidId : wire.askId,
    bidId: wire.bidId,
    askId: wire.askId,
    contractName: wire.contractName ?? '',
    symbol: wire.symbol,
    side: wire.side ?? (wire.isBuyer ? 'buy' : 'sell'),
    liquidity: wire.isMaker ? 'maker' : 'taker',
    price: wire.price,
    volume: wire.qty,
    value: wire.amount,
    fee: wire.fee,
    bidUserId: wire.bidUserId,
    askUserId: wire.askUserId,
    time: wire.time,
  }
}

/** Answer of the own futures trades, newest first; it may omit the contract. */
export const futuresTradesResponse = listField(trade)
